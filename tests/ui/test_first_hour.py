"""The first hour of a newcomer, with an empty home: each story in the real window, in the folder that was opened."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QListWidget, QPushButton

from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.samples import DEMO
from ptc_studio.storage.history import History
from ptc_studio.storage.settings import Settings
from ptc_studio.storage.workspace import read_workspace
from ptc_studio.storage.workspace_folder import make_workspace_folder
from ptc_studio.ui.aliases.actions import open_new_alias
from ptc_studio.ui.breakpoints_and_mocks.dialogs import MockDialog
from ptc_studio.ui.breakpoints_and_mocks.mocks import MockEdits
from ptc_studio.ui.grants.choice import GrantChoice
from ptc_studio.ui.sources.actions import open_add_source
from ptc_studio.ui.startup import Opening, opening_for
from ptc_studio.ui.theme import theme
from tests.ui.conftest import WindowStudio

SHOP = '''\
def price(sku: str, qty: int = 1) -> float:
    """Price of some units."""
    return 12.5 * qty


def add(a: int, b: int) -> str:
    """Not the sample's."""
    return "mine"
'''
SERVER = Path(__file__).parents[1] / "sources" / "mcp" / "rogue_server.py"
TRACE = "open('trace', 'w').close()\nprint(price('A-1'))\n"


class Newcomer(WindowStudio):
    """A person who opens a folder of his own."""

    @property
    def core(self) -> Any:
        return self.window.workbench.studio

    @property
    def file(self) -> str:
        path = self.workspace / "studio.yaml"
        return path.read_text() if path.exists() else ""

    @property
    def names(self) -> set[str]:
        return {tool.spec.name for tool in self.core.registry.tools}

    @property
    def message(self) -> str:
        return " ".join(label.text() for label in self.window.context.messages.findChildren(QLabel))

    def press_in_message(self, text: str) -> None:
        buttons = self.window.context.messages.findChildren(QPushButton)
        next(each for each in buttons if each.text() == text and not each.isHidden()).click()


@pytest.fixture(autouse=True)
def _nothing_of_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty home; and no window but this one."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "data"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setattr("ptc_studio.ui.command_handlers.QProcess.startDetached", lambda *_: pytest.fail("a window"))


@pytest.fixture
async def newcomer(tmp_path: Path) -> AsyncIterator[Newcomer]:
    """The folder with functions in it, opened and trusted."""
    theme().set_mode("dark")
    theme().set_zoom(1.0)
    (tmp_path / "data").mkdir()
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "shop.py").write_text(SHOP)
    made = Newcomer(folder, tmp_path / "data")
    Settings(tmp_path / "data" / "settings.json").set_trust(folder, True)
    await made.open(trusted=False)
    yield made
    await made.close()


async def test_an_opened_folder_is_the_workspace_and_is_left_as_it_is(newcomer: Newcomer):
    assert newcomer.window.windowTitle().endswith("shop")
    assert newcomer.names == {"price", "add"}
    assert sorted(path.name for path in newcomer.workspace.glob("[!_.]*")) == ["shop.py"]
    record = await newcomer.run("price('A-1', qty=2)\n")
    assert record["value"] == 25
    assert newcomer.file == ""


async def test_a_file_of_functions_is_not_told_that_nothing_calls_them(newcomer: Newcomer):
    editors = newcomer.window.editors
    await newcomer.until(lambda: newcomer.window.targets.all)
    for path, told in ((newcomer.workspace / "shop.py", []), (newcomer.workspace.parent / "elsewhere.py", [1])):
        path.write_text(SHOP)
        editors.open_file(path)
        page = editors.current()
        assert page is not None
        found = newcomer.signal(page.finder.found)
        page.finder.refresh()
        await asyncio.wait_for(found, 30)
        assert [each.line for each in page.finder.known] == told, page.finder.known


async def test_a_first_alias_is_saved_here_and_the_functions_are_still_there(newcomer: Newcomer):
    dialog: Any = open_new_alias(newcomer.window.context, "price")
    assert "no " not in dialog.note.text().lower()
    QTest.keyClicks(dialog.form.name, "price_of_one")
    saved = newcomer.signal(dialog.saved)
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(saved, 30)
    assert "sources:\n  - kind: functions\n    path: .\n    nested: false\naliases:\n" in newcomer.file
    await newcomer.until(lambda: newcomer.core.registry.find("price_of_one"))
    assert newcomer.names == {"price", "add"}
    record = await newcomer.run("price('A-1') + price_of_one('A-1')\n")
    assert record["value"] == 25
    newcomer.press_in_message("Undo")
    await newcomer.until(lambda: newcomer.file == "" and newcomer.core.registry.find("price_of_one") is None)
    assert newcomer.names == {"price", "add"}


async def test_a_first_server_is_added_here_and_the_functions_are_still_there(newcomer: Newcomer):
    dialog: Any = open_add_source(newcomer.window.context, "mcp")
    dialog.show_form("mcp", {"kind": "mcp", "name": "files", "command": sys.executable, "args": [str(SERVER)]})
    saved = newcomer.signal(dialog.saved)
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(saved, 30)
    await newcomer.until(lambda: {"price", "add", "files.echo"} <= newcomer.names)
    assert [source.kind for source in read_workspace(newcomer.workspace).sources] == ["functions", "mcp"]
    record = await newcomer.run("files.echo(text='hello'), price('A-1')\n")
    assert record["status"] == "ok", record["error"]


async def test_a_first_mock_is_kept_here(newcomer: Newcomer):
    edits = MockEdits(newcomer.window.context)
    dialog = MockDialog(newcomer.window.context, edits, {"name": "price", "value": 1})
    assert "mocks.yaml" in dialog.note.text()
    dialog.open()
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    await newcomer.until(lambda: (newcomer.workspace / "mocks.yaml").exists())
    await newcomer.until(lambda: newcomer.core.mocks.enabled)
    record = await newcomer.run("price('A-1')\n")
    assert (record["value"], record["calls"][0]["answered_by"]) == (1, "mock")
    assert newcomer.names == {"price", "add"}


async def test_a_first_permission_and_a_first_grant_set_are_kept_here(newcomer: Newcomer):
    from ptc_studio.ui.workspace_edits import PermissionEdits

    edits = PermissionEdits(newcomer.window.context)
    assert edits.why_not("price") == ""
    edits.set("price", "deny")
    await newcomer.until(lambda: "price: deny" in newcomer.file)
    record = await newcomer.run("add(1, 2)\nprice('A-1')\n")
    assert [call["status"] for call in record["calls"]] == ["ok", "denied"]


async def test_a_script_is_saved_into_the_folder_and_leaves_no_trace_until_run(newcomer: Newcomer):
    newcomer.type(TRACE)
    newcomer.window.commands["saveAction"].trigger()
    dialog = newcomer.window.findChild(QFileDialog)
    assert Path(dialog.directory().absolutePath()) == newcomer.workspace
    target = newcomer.workspace / "mine.py"
    page = newcomer.window.editors.current()
    assert page is not None
    await newcomer.notice(lambda: newcomer.window.editors.save_as(page, target))
    dialog.reject()
    await newcomer.until(lambda: "mine.py" in newcomer.window.panels.files.names().get("Scripts", []))
    assert not (newcomer.workspace / "trace").exists()
    assert newcomer.names == {"price", "add"}
    record = await asyncio.wait_for(newcomer.press_run(), 60)
    assert record["error"]["type"] in ("OSError", "PermissionError"), "it is run, confined"


async def test_the_demo_runs_with_its_own_tools_and_the_folder_is_left_alone(newcomer: Newcomer):
    before = {path: path.stat().st_mtime_ns for path in newcomer.workspace.rglob("[!_.]*.py")}
    ended = newcomer.signal(newcomer.window.workbench.run_ended)
    newcomer.window.commands["demoAction"].trigger()
    record = await asyncio.wait_for(ended, 60)
    assert (record["status"], len(record["calls"])) == ("ok", 41)
    assert set(record["value"]) == {"Ken", "Edsger", "John", "Katherine"}
    page = newcomer.window.editors.current()
    assert page is not None
    page.finder.catch_up()
    await newcomer.until(
        lambda: {use.tool for use in page.finder.uses} == {"team_members", "get_expenses", "get_budget"}
    )
    assert all(use.granted for use in page.finder.uses)
    assert newcomer.names == {"price", "add"}
    assert {path: path.stat().st_mtime_ns for path in newcomer.workspace.rglob("[!_.]*.py")} == before
    recorder = newcomer.window.workbench.studio.history.recorder
    assert recorder is not None
    kept = History(recorder.path).open(record["run_id"])
    assert {each["name"] for each in kept.definitions} == {"team_members", "get_expenses", "get_budget"}
    mine = await newcomer.run("add(1, 2)\n")
    assert mine["value"] == "mine", "a script of one's own has one's own tools, also after the demo"


async def test_an_example_that_was_changed_is_saved_into_the_workspace(newcomer: Newcomer):
    page = newcomer.window.editors.open_file(DEMO)
    assert page is not None
    newcomer.window.commands["saveAction"].trigger()
    dialog = newcomer.window.findChild(QFileDialog)
    assert Path(dialog.directory().absolutePath()) == newcomer.workspace
    assert [Path(name).name for name in dialog.selectedFiles()] == [DEMO.name]
    dialog.reject()


async def test_a_recording_goes_into_the_folder(newcomer: Newcomer):
    newcomer.window.commands["recordAction"].setChecked(True)
    await newcomer.run("price('A-1')\n")
    await newcomer.until(lambda: list(newcomer.workspace.glob("cassettes/*.json")))
    await newcomer.until(lambda: "Recordings" in newcomer.window.panels.files.names())


async def test_runtime_and_limit_belong_to_the_folder(newcomer: Newcomer, tmp_path: Path):
    newcomer.window.run_bar.set_runtime("python-inprocess")
    newcomer.window.run_bar.limit.setValue(77)
    await newcomer.close()
    other = tmp_path / "other"
    other.mkdir()
    elsewhere = Newcomer(other, newcomer.data)
    await elsewhere.open(trusted=False)
    assert (elsewhere.window.run_bar.runtime_id(), elsewhere.window.run_bar.timeout()) == ("python", 30)
    await elsewhere.close()
    await newcomer.open(trusted=False)
    assert (newcomer.window.run_bar.runtime_id(), newcomer.window.run_bar.timeout()) == ("python-inprocess", 77)


async def test_a_limit_that_the_file_states_is_shown_and_changed_there(newcomer: Newcomer):
    await newcomer.notice(lambda: (newcomer.workspace / "studio.yaml").write_text("limits: {timeout: 12}\n"))
    newcomer.window.workbench.load()
    await newcomer.until(lambda: newcomer.window.run_bar.timeout() == 12)
    newcomer.window.run_bar.limit.setValue(13)
    await newcomer.until(lambda: "timeout: 13" in newcomer.file)
    await newcomer.until(lambda: newcomer.core.limits.timeout == 13)


async def test_an_untrusted_folder_can_be_read_and_runs_nothing(tmp_path: Path):
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "shop.py").write_text(SHOP)
    (folder / "mine.py").write_text(TRACE)
    (tmp_path / "data").mkdir()
    theirs = Newcomer(folder, tmp_path / "data")
    await theirs.open(trusted=False)
    await theirs.until(lambda: theirs.window.panels.files.names() == {"Scripts": ["mine.py"], "Tools": ["shop.py"]})
    assert theirs.names == set()
    assert sorted(path.name for path in folder.iterdir()) == ["mine.py", "shop.py"]
    ended = theirs.signal(theirs.window.workbench.run_ended)
    theirs.window.commands["demoAction"].trigger()
    record = await asyncio.wait_for(ended, 60)
    assert (record["status"], theirs.names) == ("ok", set()), "the demo is the program's own"
    await theirs.close()


async def test_a_new_workspace_is_trusted_and_its_script_runs(newcomer: Newcomer, tmp_path: Path, monkeypatch: Any):
    opened: list[Path] = []
    monkeypatch.setattr("ptc_studio.ui.command_handlers.open_workspace", lambda place: opened.append(place) or True)
    newcomer.window.commands["newWorkspaceAction"].trigger()
    dialog = newcomer.window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "fresh"))
    dialog.reject()
    await newcomer.until(lambda: opened)
    assert opening_for(str(opened[0])) == Opening(tmp_path / "fresh", opened[0])
    assert newcomer.window.isVisible(), "something is open here"
    fresh = Newcomer(tmp_path / "fresh", newcomer.data)
    await fresh.open(opened[0], trusted=False)
    assert fresh.names == {"greet"}
    record = await asyncio.wait_for(fresh.press_run(), 60)
    assert (record["status"], record["value"]) == ("ok", 3)
    assert record["stdout"].splitlines() == ["Hello, Ada!", "Hello, Grace!", "Hello, Alan!", "Guten Tag, Konrad!"]
    await fresh.close()


async def test_a_new_workspace_needs_a_folder_of_its_own(newcomer: Newcomer):
    newcomer.window.commands["newWorkspaceAction"].trigger()
    dialog = newcomer.window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(newcomer.workspace))
    dialog.reject()
    await newcomer.until(lambda: "is not empty" in newcomer.message)


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
async def test_files_are_found_by_name(newcomer: Newcomer):
    make_workspace_folder(newcomer.workspace / "sub")
    await newcomer.notice(lambda: (newcomer.workspace / "report.py").write_text("print(1)\n"))
    newcomer.window.workbench.load()
    await newcomer.until(lambda: any(each.name == "report.py" for each in newcomer.window.panels.files.files))
    newcomer.window.commands["goToAction"].trigger()
    picker = newcomer.window.findChild(QListWidget)
    shown = [picker.item(row).text() for row in range(picker.count())]
    assert {"report.py", "shop.py", "price", DEMO.name} <= set(shown)
    picker.parentWidget().close()


async def test_a_text_in_another_language_is_told_before_the_run(newcomer: Newcomer):
    newcomer.type("const sum = await tools.add({a: 1, b: 2});\nconsole.log(sum);\n")
    page = newcomer.window.editors.current()
    assert page is not None
    newcomer.window.run_bar.set_runtime("python")
    ended = newcomer.press_run()
    await newcomer.until(lambda: "This reads like JavaScript" in newcomer.message)
    assert "In Python a tool is called as add(1, 2)." in newcomer.message
    assert not newcomer.window.workbench.is_running
    newcomer.press_in_message("Run as JavaScript")
    record = await asyncio.wait_for(ended, 60)
    assert (record["status"], record["stdout"], page.language) == ("ok", "mine\n", "javascript")
    newcomer.type("const sum = await tools.add({a: 1, b: 2});\nconsole.log(sum);\n")
    newcomer.window.run_bar.set_runtime("python")
    ended = newcomer.press_run()
    newcomer.press_in_message("Run anyway")
    assert (await asyncio.wait_for(ended, 60))["status"] == "error"


async def test_without_a_text_only_the_welcome_and_the_tools_are_there(newcomer: Newcomer):
    docks = newcomer.window.panels.docks
    shown = {dock.objectName() for dock in docks.all if dock.isVisible()}
    assert shown == {"toolDock", "filesDock"}
    newcomer.window.commands["newAction"].trigger()
    assert all(dock.isVisible() for dock in docks.all)
    await newcomer.close()
    await newcomer.open(trusted=False)
    assert all(dock.isVisible() for dock in newcomer.window.panels.docks.all), "a text was left open"


async def test_the_sample_tools_have_no_files(tmp_path: Path):
    from ptc_studio.app import Setup, Studio
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.workbench import Workbench

    window = MainWindow(Settings(tmp_path / "settings.json"), tmp_path / "buffers", None)
    window.add_panels(Workbench(Studio(Setup(functions=SAMPLE_TOOLS))))
    window.show()
    window.start(None)
    assert not window.panels.docks["filesDock"].isVisible()
    assert not window.commands["filesAction"].isEnabled()
    assert isinstance(window.grants, GrantChoice)
    closed = asyncio.Event()
    window.closed.connect(closed.set)
    window.close()
    await asyncio.wait_for(closed.wait(), 30)
    window.deleteLater()
