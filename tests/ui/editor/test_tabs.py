"""Open files: unsaved marks, the disk behind one's back, and coming back after a kill."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.file_notice import OpenFileWatch
from ptc_studio.ui.editor.page import EditorPage
from ptc_studio.ui.editor.tabs import EditorTabs, TabStrip
from tests.ui.seen import child


def made(qtbot: QtBot, folder: Path) -> EditorTabs:
    tabs = EditorTabs(folder / "buffers")
    qtbot.addWidget(tabs)
    tabs.resize(600, 400)
    tabs.show()
    return tabs


@pytest.fixture
def tabs(qtbot: QtBot, tmp_path: Path) -> Iterator[EditorTabs]:
    tabs = made(qtbot, tmp_path)
    yield tabs
    tabs.shut_down()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "check.py"
    path.write_text("print(1)\n")
    return path


def opened(tabs: EditorTabs, path: Path) -> EditorPage:
    page = tabs.open_file(path)
    assert page is not None
    return page


def kept(folder: Path) -> dict[str, Any]:
    """What would come back, by title; a copy may go while it is looked at."""
    found: dict[str, Any] = {}
    for file in (folder / "buffers").glob("*.json"):
        with contextlib.suppress(FileNotFoundError):
            if file.name != "order.json":
                buffer = json.loads(file.read_text())
                found[buffer["title"]] = buffer
    return found


def test_a_file_is_opened_once_and_knows_its_language(tabs: EditorTabs, file: Path) -> None:
    page = opened(tabs, file)
    tabs.new_untitled()
    assert tabs.open_file(file) is page
    assert (page.title, page.language, page.text, page.modified) == ("check.py", "python", "print(1)\n", False)
    assert tabs.current() is page


def test_saving_keeps_what_can_be_undone(qtbot: QtBot, tabs: EditorTabs, file: Path) -> None:
    page = opened(tabs, file)
    with qtbot.waitSignal(tabs.modified_changed):
        qtbot.keyClicks(page.editor, "x")
    assert (page.modified, child(tabs, TabStrip).tabData(0)) == (True, True)
    assert tabs.save(page)
    assert (file.read_text(), page.modified) == ("xprint(1)\n", False)
    page.editor.undo()
    assert page.text == "print(1)\n"


def test_an_untitled_page_gets_its_file(tabs: EditorTabs, tmp_path: Path) -> None:
    page = tabs.new_untitled("let x", "text")
    assert not tabs.save(page)
    assert tabs.save_as(page, tmp_path / "new.ts")
    assert (page.title, page.language, child(tabs, TabStrip).tabText(0)) == ("new.ts", "typescript", "new.ts")


def test_what_cannot_be_opened_is_told(qtbot: QtBot, tabs: EditorTabs, tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\xff\xff")
    with qtbot.waitSignal(tabs.failed) as told:
        assert tabs.open_file(tmp_path / "binary.py") is None
    assert "not UTF-8" in told.args[0]
    with qtbot.waitSignal(tabs.failed):
        tabs.open_file(tmp_path / "missing.py")
    assert tabs.pages == []


def test_a_failed_save_is_told_and_stays_unsaved(qtbot: QtBot, tabs: EditorTabs, tmp_path: Path) -> None:
    page = tabs.new_untitled("x")
    with qtbot.waitSignal(tabs.failed):
        assert not tabs.save_as(page, tmp_path / "no" / "folder.py")
    assert (page.modified, page.path) == (True, None)


def test_a_file_changed_by_others_is_asked_about(qtbot: QtBot, tabs: EditorTabs, file: Path) -> None:
    page = opened(tabs, file)
    qtbot.keyClicks(page.editor, "x")
    file.write_text("print(2222)\n")
    qtbot.waitUntil(lambda: "changed on disk" in page.notice.message)
    assert page.text == "xprint(1)\n"
    qtbot.mouseClick(page.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert (page.text, page.modified, page.notice.isVisible()) == ("print(2222)\n", False, False)
    page.editor.undo()
    assert page.text == "xprint(1)\n"


def test_keeping_mine_is_not_asked_again(qtbot: QtBot, tabs: EditorTabs, file: Path) -> None:
    page = opened(tabs, file)
    qtbot.keyClicks(page.editor, "x")
    file.write_text("print(2222)\n")
    qtbot.waitUntil(lambda: page.notice.isVisible())
    qtbot.mouseClick(page.notice.buttons[1], Qt.MouseButton.LeftButton)
    page.look_at_file()
    assert (page.text, page.modified, page.notice.isVisible()) == ("xprint(1)\n", True, False)


def test_a_deleted_file_can_be_saved_again(qtbot: QtBot, tabs: EditorTabs, file: Path) -> None:
    page = opened(tabs, file)
    file.unlink()
    qtbot.waitUntil(lambda: "deleted" in page.notice.message)
    assert page.modified
    qtbot.mouseClick(page.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert file.read_text() == "print(1)\n"


def test_a_text_without_edits_follows_its_file_also_where_that_is_replaced(
    qtbot: QtBot, tabs: EditorTabs, file: Path
) -> None:
    page = opened(tabs, file)
    for text in ("one\n", "twoo\n"):
        beside = file.with_suffix(".new")
        beside.write_text(text)
        beside.replace(file)
        qtbot.waitUntil(lambda text=text: page.text == text)
        assert (page.modified, page.notice.isVisible()) == (False, False)


def test_own_saves_are_not_asked_about(qtbot: QtBot, tabs: EditorTabs, file: Path) -> None:
    page = opened(tabs, file)
    qtbot.keyClicks(page.editor, "x")
    with qtbot.waitSignal(child(tabs, OpenFileWatch).touched):
        tabs.save(page)
    assert not page.notice.isVisible()


def test_dropped_files_are_opened(tabs: EditorTabs, file: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    options = data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, *options)
    QApplication.sendEvent(tabs, entered)
    assert entered.isAccepted()
    QApplication.sendEvent(tabs, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, *options))
    assert [page.path for page in tabs.pages] == [file]


def test_what_was_closed_can_be_had_back_after_a_restart_too(qtbot: QtBot, tabs: EditorTabs, tmp_path: Path) -> None:
    page = tabs.new_untitled("precious")
    qtbot.waitUntil(lambda: "untitled-1" in kept(tmp_path))
    with qtbot.waitSignal(tabs.page_closed):
        tabs.close_page(page)
    assert tabs.current() is None
    tabs.close_page(tabs.new_untitled(""))
    tabs.shut_down()
    back = made(qtbot, tmp_path)
    back.restore()
    assert back.pages == []
    again = back.reopen_closed()
    assert again is not None
    assert (again.text, again.title, again.modified) == ("precious", "untitled-1", True)
    assert back.reopen_closed() is None
    back.shut_down()


def test_the_tabs_are_walked_through_in_both_directions(tabs: EditorTabs) -> None:
    pages = [tabs.new_untitled(text) for text in "abc"]
    for by, expected in ((1, 0), (1, 1), (-1, 0), (-1, 2)):
        tabs.step(by)
        assert tabs.current() is pages[expected]


def _kept_text(folder: Path, title: str) -> str | None:
    return (kept(folder).get(title) or {}).get("text")


def test_everything_comes_back_after_a_kill(qtbot: QtBot, tabs: EditorTabs, file: Path, tmp_path: Path) -> None:
    saved = opened(tabs, file)
    saved.editor.go_to(1, 4)
    other = tmp_path / "other.py"
    other.write_text("a\r\nb\r\n")
    changed, untitled = opened(tabs, other), tabs.new_untitled("x = 1\n", "bash")
    qtbot.keyClicks(changed.editor, "new")
    qtbot.keyClicks(untitled.editor, "y")
    tabs.set_current(changed)
    for title, text in (("untitled-1", "yx = 1\n"), ("other.py", "newa\nb\n")):
        qtbot.waitUntil(lambda title=title, text=text: _kept_text(tmp_path, title) == text)
    order = tmp_path / "buffers" / "order.json"
    qtbot.waitUntil(lambda: order.exists() and json.loads(order.read_text())["current"] == changed.id)
    assert kept(tmp_path)["check.py"]["text"] is None
    back = made(qtbot, tmp_path)
    back.restore()
    assert [(page.title, page.text, page.modified) for page in back.pages] == [
        ("check.py", "print(1)\n", False),
        ("other.py", "newa\nb\n", True),
        ("untitled-1", "yx = 1\n", True),
    ]
    now = back.current()
    assert now is not None
    assert (now.title, now.editor.cursor_place, now.notice.isVisible()) == ("other.py", (1, 4), False)
    assert back.save(now)
    assert other.read_bytes() == b"newa\r\nb\r\n"
    assert back.new_untitled().title == "untitled-2"
    back.shut_down()


def test_a_restored_text_says_that_its_file_has_moved_on(
    qtbot: QtBot, tabs: EditorTabs, file: Path, tmp_path: Path
) -> None:
    page = opened(tabs, file)
    qtbot.keyClicks(page.editor, "mine ")
    tabs.shut_down()
    file.write_text("theirs")
    back = made(qtbot, tmp_path)
    back.restore()
    assert (back.pages[0].text, back.pages[0].modified) == ("mine print(1)\n", True)
    assert "changed on disk" in back.pages[0].notice.message
    back.shut_down()


def test_a_full_disk_is_told_once(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "buffers").write_text("a file where the folder should be")
    tabs = made(qtbot, tmp_path)
    told: list[str] = []
    tabs.failed.connect(told.append)
    tabs.new_untitled("x")
    qtbot.waitUntil(lambda: bool(told))
    tabs.new_untitled("y")
    tabs.shut_down()
    QApplication.processEvents()
    assert len(told) == 1


def test_tabs_can_be_moved_and_closed_by_mouse(qtbot: QtBot, tabs: EditorTabs) -> None:
    one, two = tabs.new_untitled("1"), tabs.new_untitled("2")
    child(tabs, TabStrip).moveTab(0, 1)
    assert tabs.pages == [two, one]
    assert tabs.current() is two
    qtbot.mouseClick(child(tabs, TabStrip), Qt.MouseButton.MiddleButton, pos=child(tabs, TabStrip).tabRect(0).center())
    assert tabs.pages == [one]
    assert tabs.current() is one
