"""What a newcomer meets in the window with mouse and keys: hover, F12, tabs, zoom, lists of what was hidden, dialogs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QListWidget, QToolTip, QWidget

from ptc_studio.ui.breakpoints_and_mocks.dialogs import MockDialog
from ptc_studio.ui.breakpoints_and_mocks.mocks import MockEdits
from ptc_studio.ui.sources.actions import open_add_source, open_secrets
from ptc_studio.ui.sources.definitions_dialog import DefinitionsDialog
from ptc_studio.ui.sources.form_help import FunctionChooser
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.notice_bar import MARKS, NoticeBar
from ptc_studio.ui.widgets.picker import Picker
from tests.ui.seen import child, seen_texts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
SCRIPT = "people = team_members('engineering')\nprint(people)\n"


@pytest.fixture(autouse=True)
def _usual_looks() -> Any:
    yield
    theme().set_zoom(1.0)
    theme().set_mode("dark")


async def typed(studio: Any, text: str) -> Any:
    """A page with that text, read through."""
    studio.type(text)
    page = studio.window.editors.current()
    page.finder.catch_up()
    await studio.until(lambda: page.finder.uses)
    return page


async def test_hovering_over_a_tool_shows_its_documentation(studio: Any):
    page = await typed(studio, SCRIPT)
    editor = page.editor
    editor.go_to(1, 14)
    place = editor.cursorRect().center()
    event = QHelpEvent(QEvent.Type.ToolTip, place, editor.viewport().mapToGlobal(place))
    QApplication.sendEvent(editor.viewport(), event)
    assert "team_members(team" in QToolTip.text().replace("<br>", "\n")
    assert "F12 shows where it comes from" in QToolTip.text()
    QToolTip.hideText()


async def test_f12_goes_to_the_code_of_the_tool(studio: Any):
    page = await typed(studio, SCRIPT)
    page.editor.go_to(1, 14)
    page.editor.setFocus()
    studio.window.commands["definitionAction"].trigger()
    shown = studio.window.editors.current()
    assert shown.path.name == "people.py"
    line = shown.editor.cursor_place[0]
    assert "def team_members" in shown.editor.toPlainText().split("\n")[line - 1]
    studio.window.commands["definitionAction"].trigger()
    assert "There is no tool name at the cursor." in studio.window.context.messages.message


async def test_keys_go_from_tab_to_tab(studio: Any):
    for text in ("1", "2", "3"):
        studio.type(text)
    window, pages = studio.window, studio.window.editors.pages
    at = {page: number for number, page in enumerate(pages)}
    last = at[window.editors.current()]
    keys = {
        Qt.Key.Key_PageUp: -1,
        Qt.Key.Key_PageDown: 1,
        Qt.Key.Key_Tab: 1,
    }
    for key, step in keys.items():
        before = at[window.editors.current()]
        QTest.keyClick(window.editors.current().editor, key, Qt.KeyboardModifier.ControlModifier)
        assert at[window.editors.current()] == (before + step) % len(pages)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window.editors.current().editor, Qt.Key.Key_Backtab, both)
    assert at[window.editors.current()] == last


async def test_a_failed_run_is_seen_whatever_is_in_front_and_an_unknown_name_is_no_question(studio: Any):
    page = await typed(studio, "get_budget('Ada')\nprint(bugdet)\n")
    studio.window.panels.select_tab("timeline")
    await studio.until(lambda: any("bugdet" in each.message for each in page.finder.known))
    record = await studio.press_run()
    assert record["error"]["type"] == "NameError"
    assert not studio.window.findChildren(QDialog)
    assert studio.window.panels.tab_text("output") == "Output ✕"
    assert studio.window.status_line.note.startswith("✕ line 2: NameError: name 'bugdet'")
    studio.window.panels.output.flush()
    text = studio.window.panels.output.view.toPlainText()
    assert text.count("NameError") == 1
    assert "ptc_studio" not in text
    assert "ptc_kit" not in text


async def test_run_in_a_file_that_is_no_script_runs_the_last_script_and_says_so(studio: Any):
    studio.type("print('the script')\n")
    assert (await studio.press_run())["stdout"] == "the script\n"
    await studio.until(lambda: any(each.group == "tools" for each in studio.window.panels.files.files))
    for name in ("tools/calc.py", "studio.yaml"):
        page = studio.window.editors.open_file(studio.workspace / name)
        assert (await studio.press_run())["stdout"] == "the script\n"
        assert studio.window.editors.current() is page
        assert "is no script" in " ".join(seen_texts(studio.window.context.messages))


async def test_the_count_of_what_was_hidden_opens_the_list(studio: Any):
    await studio.run("get_budget('Ada')\n")
    studio.window.commands["redactedAction"].trigger()
    assert "Nothing was redacted in the last run." in studio.window.context.messages.message
    (studio.workspace / "tools" / "keys.py").write_text(
        'def key(of: str) -> dict:\n    "A key."\n    return {"user": of, "password": "hunter2-and-more"}\n'
    )
    loaded = studio.signal(studio.window.workbench.tools_loaded)
    studio.window.workbench.load()
    await loaded
    record = await studio.run("key('a')\nkey('b')\n")
    assert [len(call["redactions"]) for call in record["calls"]] == [1, 1]
    await studio.until(studio.window.run_bar.redacted.isVisible)
    assert studio.window.run_bar.redacted.text() == "2 redacted"
    QTest.mouseClick(studio.window.run_bar.redacted, Qt.MouseButton.LeftButton)
    picker = child(studio.window, Picker)
    rows = child(picker, QListWidget)
    assert [rows.item(row).text() for row in range(rows.count())] == ["password in result.password"] * 2
    selected = studio.signal(studio.window.panels.calls.call_selected)
    rows.itemClicked.emit(rows.item(1))
    assert (await selected)["id"] == record["calls"][1]["id"]


async def test_zoom_marks_nothing_as_changed_and_leaves_no_view_blank(studio: Any, tmp_path: Path):
    path = studio.workspace / "mine.py"
    path.write_text("print('one')\nteam_members('engineering')\n")
    page = studio.window.editors.open_file(path)
    record = await studio.press_run()
    assert record["status"] == "ok"
    panels = studio.window.panels
    views: dict[str, Callable[[], QWidget]] = {
        "output": lambda: panels.output.view.viewport(),
        "timeline": lambda: panels.timeline,
        "history": lambda: panels.history,
    }
    assert not page.modified
    for zoom in (1.1, 1.0):
        while round(theme().zoom, 1) != zoom:
            name = "zoomInAction" if theme().zoom < zoom else "zoomOutAction"
            studio.window.commands[name].trigger()
        for name, view in views.items():
            panels.select_tab(name)
            await studio.until(lambda view=view: colours_in(view()) > 2)
        assert colours_in(page.editor.viewport()) > 4
        assert colours_in(panels.calls.tree.viewport()) > 4
        assert not page.modified, zoom
        assert not studio.window.isWindowModified()
        assert page.editor.toPlainText() == path.read_text()


def colours_in(widget: QWidget) -> int:
    """How many colours are seen: a view that stays blank has one."""
    image = widget.grab().toImage()
    return len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)})


async def test_following_shows_the_newest_call_whole_also_when_the_tree_gets_smaller(studio: Any):
    await studio.run("for n in range(60):\n    add(n, n)\n")
    tree = studio.window.panels.calls.tree
    follower = studio.window.panels.calls.follower
    assert follower.on
    for height in (620, 705, 810):
        studio.window.resize(1280, height)
        await studio.until(lambda: newest_is_whole(studio), 5)
    assert tree.isVisible()


def newest_is_whole(studio: Any) -> bool:
    calls = studio.window.panels.calls
    rect = calls.tree.visualRect(calls.model.index_of(calls.model.all_calls[-1]))
    return rect.isValid() and rect.top() >= 0 and rect.bottom() < calls.tree.viewport().height()


async def test_dialogs_have_the_margins_of_the_forms_and_say_where_they_save(studio: Any):
    window, edge = studio.window, theme().pixels(4 * SPACE)
    secrets = open_secrets(window.context)
    assert secrets is not None
    chooser = FunctionChooser(window, [], lambda _chosen: None)
    chooser.open()
    definitions = DefinitionsDialog(window.context)
    definitions.open()
    for dialog, inside in ((secrets, secrets.add), (chooser, chooser.filter), (definitions, definitions.preview)):
        dialog.resize(dialog.size())
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        await studio.until(lambda dialog=dialog, inside=inside: inside.mapTo(dialog, QPoint(0, 0)).x() >= edge, 5)
        dialog.reject()
    source = open_add_source(window.context)
    assert source is not None
    source.show_form("http")
    assert source.note.text() == f"Will be saved to {studio.workspace / 'studio.yaml'}"
    source.reject()
    mock = MockDialog(window.context, MockEdits(window.context), {"name": "price", "value": 1})
    assert mock.note.text() == f"Will be saved to {studio.workspace / 'mocks.yaml'}"
    mock.reject()


async def test_bars_come_below_the_text_and_messages_lie_over_it(studio: Any):
    window, messages = studio.window, studio.window.context.messages
    path = studio.workspace / "mine.py"
    path.write_text("print(1)\n")
    page = window.editors.open_file(path)
    page.editor.insertPlainText("x = 1\n")
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    place = page.editor.mapTo(window, QPoint(0, 0))
    await studio.notice(lambda: (studio.workspace / "studio.yaml").write_text("sources: 3\n"))
    broken = child(window, QFrame, "faultBar")
    await studio.until(broken.isVisible)
    path.write_text("print(22)\n")
    page.look_at_file()
    assert page.notice.isVisible()
    messages.show_message("Something to know.")
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    await studio.until(lambda: messages.geometry().bottom() < top(page.notice, messages), 5)
    assert top(page.notice, messages) < top(broken, messages)
    assert page.editor.mapTo(window, QPoint(0, 0)) == place, "what is read stays where it is"
    low = messages.geometry().bottom()
    page.notice.buttons[1].click()
    messages.show_message("Another.", "warning")
    assert messages.geometry().bottom() > low, "nothing is asked there any more"
    assert (messages.message, len(window.findChildren(NoticeBar))) == ("Another.", 1)


def top(bar: QWidget, beside: QWidget) -> int:
    parent = beside.parentWidget()
    assert parent is not None
    return bar.mapTo(parent, QPoint(0, 0)).y()


async def test_each_kind_of_message_has_its_mark_and_goes_with_its_cause(studio: Any):
    messages, cause = studio.window.context.messages, studio.window.workbench
    for kind, (mark, _colour) in MARKS.items():
        messages.show_message(kind, kind, until=cause.tools_loaded)
        assert mark in seen_texts(messages)
    assert len({mark for mark, _colour in MARKS.values()}) == 4
    loaded = studio.signal(cause.tools_loaded)
    cause.load()
    await loaded
    assert not messages.isVisible()


async def test_a_search_without_a_match_says_so(studio: Any):
    studio.window.commands["paletteAction"].trigger()
    picker = child(studio.window, Picker)
    QTest.keyClicks(picker.focusWidget() or picker, "zzzz")
    assert "No match: try fewer letters" in seen_texts(picker)
    picker.close()


async def test_ctrl_3_scrolls_to_the_call_that_it_selects(studio: Any):
    await studio.run("".join(f"add({n}, 1)\n" for n in range(80)))
    tree = studio.window.panels.calls.tree
    last = tree.model().index(tree.model().rowCount() - 1, 0)
    tree.setCurrentIndex(last)
    tree.scrollToTop()
    studio.window.editors.current().editor.setFocus()
    assert not tree.viewport().rect().contains(tree.visualRect(last).center())
    QTest.keyClick(studio.window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    await studio.until(tree.hasFocus)
    assert tree.viewport().rect().contains(tree.visualRect(last).center())
