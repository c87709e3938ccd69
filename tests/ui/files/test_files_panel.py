"""The list of the workspace's files, and what can be done there."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from ptc_studio.ui.files.panel import move_to_trash


class Files:
    """What a user does with the list."""

    def __init__(self, studio: Any) -> None:
        self.studio = studio
        self.panel = studio.window.panels.files
        self.folder: Path = studio.workspace

    async def write(self, name: str, text: str = "print(1)\n", *, select: bool = True) -> Path:
        """Has a file come from elsewhere, and the list show it."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        self.studio.window.workbench.load()
        await self.studio.until(lambda: any(each.path == path for each in self.panel.files))
        if select:
            self.panel.select(path)
        return path

    async def undo(self, wanted: Any) -> None:
        notice = self.studio.window.context.messages
        button = next(each for each in notice.findChildren(QPushButton) if each.text() == "Undo")
        button.click()
        await self.studio.until(wanted)

    @property
    def message(self) -> str:
        return " ".join(label.text() for label in self.studio.window.context.messages.findChildren(QLabel))


@pytest.fixture(autouse=True)
def _a_trash_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


@pytest.fixture
def files(studio: Any) -> Files:
    return Files(studio)


async def test_files_stand_in_groups_and_are_filtered(files: Files):
    await files.write("scripts/report.py")
    await files.write("mocks.yaml", "mocks: []\n")
    names = files.panel.names()
    assert names["Scripts"] == ["report.py"]
    assert names["Mocks"] == ["mocks.yaml"]
    assert "stock.py" in names["Tools"]
    assert names["Workspace"] == ["studio.yaml"]
    files.panel.filter.setText("REPO")
    assert files.panel.names() == {"Scripts": ["report.py"]}
    files.panel.filter.setText("nothing of that kind")
    assert files.panel.names() == {}
    files.panel.filter.clear()
    assert files.panel.names() == names


async def test_a_file_is_opened_by_the_keyboard_and_by_the_mouse(files: Files):
    path = await files.write("report.py")
    QTest.keyClick(files.panel.tree, Qt.Key.Key_Return)
    editors = files.studio.window.editors
    assert editors.current().path == path
    editors.close_page(editors.current())
    files.panel.tree.doubleClicked.emit(files.panel.tree.currentIndex())
    assert editors.current().path == path


async def test_a_renamed_file_takes_its_page_along_and_can_be_named_back(files: Files):
    path = await files.write("report.py")
    page = files.studio.window.editors.open_file(path)
    page.editor.insertPlainText("# not saved\n")
    QTest.keyClick(files.panel.tree, Qt.Key.Key_F2)
    field = files.panel.tree.findChild(QLineEdit)
    assert field.text() == "report.py"
    field.setText("summary.py")
    QTest.keyClick(field, Qt.Key.Key_Return)
    target = files.folder / "summary.py"
    await files.studio.until(lambda: page.path == target)
    assert page.title == "summary.py"
    assert page.text.startswith("# not saved"), "what is typed stays"
    await files.studio.until(lambda: "summary.py" in files.panel.names()["Scripts"])
    await files.undo(lambda: page.path == path and path.exists() and not target.exists())


@pytest.mark.parametrize(
    ("name", "told"), [("other.py", "is a file other.py already"), ("a/b.py", "is not a file name")]
)
async def test_a_name_that_will_not_do_is_told(files: Files, name: str, told: str):
    await files.write("other.py")
    path = await files.write("report.py")
    files.panel.rename_requested.emit(path, name)
    await files.studio.until(lambda: told in files.message)
    assert path.exists()


async def test_a_deleted_file_is_in_the_trash_and_comes_back(files: Files, tmp_path: Path):
    path = await files.write("report.py", "print('precious')\n")
    QTest.keyClick(files.panel.tree, Qt.Key.Key_Delete)
    await files.studio.until(lambda: not path.exists())
    await files.studio.until(lambda: "Scripts" not in files.panel.names())
    assert list((tmp_path / "home").rglob("report*.py"))
    await files.undo(lambda: path.exists() and not list((tmp_path / "home").rglob("report*")))
    assert path.read_text() == "print('precious')\n"


async def test_the_menu_has_what_fits_the_file(files: Files):
    def offered(name: str) -> dict[str, bool]:
        found = next(each for each in files.panel.files if each.name == name)
        return {action.text(): action.isEnabled() for action in files.panel.menu_for(found).actions() if action.text()}

    await files.write("cassettes/demo.json", "{}")
    assert offered("cassettes/demo.json")["Replay"]
    assert not offered("studio.yaml")["Rename"]
    assert list(offered("tools/calc.py")) == [
        "Open", "Rename", "Move to trash", "Show in file manager", "New script",
    ]  # fmt: skip
    assert [action.text() for action in files.panel.menu_for(None).actions()] == ["New script"]


async def test_the_file_in_front_is_marked(files: Files):
    first, second = await files.write("first.py"), await files.write("second.py")
    editors = files.studio.window.editors
    for path in (first, second, first):
        editors.open_file(path)
        assert files.panel.tree.selected().path == path
    third = files.folder / "third.py"
    third.write_text("print(3)\n")
    editors.open_file(third)
    assert files.panel.tree.selected() is None
    await files.studio.until(lambda: (found := files.panel.tree.selected()) is not None and found.path == third)
    tree = files.panel.tree
    tree.collapse(tree.model().index(0, 0))
    editors.open_file(second)
    assert not tree.isExpanded(tree.model().index(0, 0)), "what somebody closed stays closed"


async def test_a_closed_group_stays_closed_when_files_come(files: Files):
    await files.write("report.py")
    tree = files.panel.tree
    tree.collapse(tree.model().index(0, 0))
    await files.write("more.py", select=False)
    assert not tree.isExpanded(tree.model().index(0, 0))
    assert tree.isExpanded(tree.model().index(1, 0))


def test_where_the_desktop_has_no_trash_the_program_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    monkeypatch.delenv("XDG_DATA_HOME")
    for number in range(2):
        path = tmp_path / "a.py"
        path.write_text(str(number))
        place = move_to_trash(path, tmp_path / "trash")
        assert (place.read_text(), path.exists()) == (str(number), False)
    assert sorted(path.name for path in (tmp_path / "trash").iterdir()) == ["a-1.py", "a.py"]
