"""Tests of the output panel."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from ptc_studio.ui.output import panel as output_panel
from ptc_studio.ui.output.ending import result_pieces
from ptc_studio.ui.output.panel import OutputPanel, OutputQueue
from ptc_studio.ui.output.writer import KIND
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.labels import OUTPUT
from tests.ui.seen import seen_texts

TRACEBACK = 'Traceback (most recent call last):\n  File "a b.py", line 16, in <module>\nKeyError: 1\n'


@pytest.fixture
def panel(qtbot, dressed) -> OutputPanel:
    made = OutputPanel()
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


def text_of(panel: OutputPanel) -> str:
    panel.flush()
    return panel.view.toPlainText()


def format_at(panel: OutputPanel, text: str):
    return panel.view.document().find(text).charFormat()


def test_the_view_has_its_name(panel) -> None:
    assert panel.findChild(QPlainTextEdit, "outputView").accessibleName() == "Output"


def test_output_shows_by_itself(panel, qtbot) -> None:
    panel.append("stdout", "hello\n")
    qtbot.waitUntil(lambda: panel.view.toPlainText() == "hello\n")


def test_an_empty_panel_says_what_it_is_for(panel) -> None:
    assert OUTPUT in seen_texts(panel)
    panel.append("stdout", "x")
    panel.flush()
    assert OUTPUT not in seen_texts(panel)
    panel.start_run()
    assert OUTPUT in seen_texts(panel)


def test_the_streams_are_told_apart(panel) -> None:
    panel.append("stdout", "out")
    panel.append("stderr", "err\n")
    panel.append("stdout", "more\n")
    assert text_of(panel) == "out\nerr\nmore\n"
    assert format_at(panel, "err").property(KIND) == "stderr"
    assert format_at(panel, "err").foreground().color() != format_at(panel, "more").foreground().color()


def test_what_is_copied_is_what_was_written(panel) -> None:
    panel.append("stdout", "out")
    panel.append("stderr", "err\n")
    panel.append("stdout", "x" * 10_000 + "\nend\n")
    panel.flush()
    assert panel.view.blockCount() > 4
    panel.copy()
    assert QApplication.clipboard().text() == "outerr\n" + "x" * 10_000 + "\nend\n"


def test_colours_are_shown(panel) -> None:
    panel.append("stdout", "\x1b[1;32mgreen\x1b[0m plain\n")
    assert text_of(panel) == "green plain\n"
    assert format_at(panel, "green").foreground().color() == theme().colour("ok")
    assert format_at(panel, "green").fontWeight() > format_at(panel, "plain").fontWeight()


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (("10 %\r20 %\r30 %\n",), "30 %\n"),
        (("10 %", "\r20 %", "\r", "30 %\n"), "30 %\n"),
        (("a\r\nb\r\n",), "a\nb\n"),
        (("a\r", "\nb"), "a\nb"),
        (("first\nsecond\rthird\n",), "first\nthird\n"),
    ],
)
def test_a_carriage_return_begins_the_line_anew(panel, parts, shown) -> None:
    for part in parts:
        panel.append("stderr", part)
        panel.flush()
    assert text_of(panel) == shown


def test_what_was_hidden_stands_out(panel) -> None:
    panel.append("stdout", "key [REDACTED:api_key] end\n")
    panel.flush()
    assert format_at(panel, "[REDACTED:api_key]").background().color() == theme().colour("redacted_ground")
    assert format_at(panel, "end").background().style() == Qt.BrushStyle.NoBrush


def test_a_line_of_a_traceback_leads_to_the_file(panel, qtbot) -> None:
    panel.append("stderr", TRACEBACK)
    panel.flush()
    place = panel.view.document().find("a b.py")
    assert place.charFormat().fontUnderline()
    with qtbot.waitSignal(panel.line_activated) as told:
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=panel.view.cursorRect(place).center())
    assert told.args == ["a b.py", 16]


def test_return_follows_the_link_of_the_line(panel, qtbot) -> None:
    panel.append("stderr", TRACEBACK)
    panel.flush()
    panel.view.setTextCursor(panel.view.document().find("a b.py"))
    with qtbot.waitSignal(panel.line_activated) as told:
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert told.args == ["a b.py", 16]


def test_the_end_of_a_run_stands_below_its_output(panel) -> None:
    panel.append("stdout", "no newline")
    error = {"type": "KeyError", "message": "1", "traceback": TRACEBACK, "line": 16}
    panel.end_run(
        {"status": "error", "value": {"a": [1]}, "error": error, "duration_ms": 1840.0, "calls": [{"status": "ok"}] * 2}
    )
    lines = text_of(panel).split("\n")
    assert lines[:2] == ["no newline", "✕ Failed · 1.84 s · 2 calls"]
    assert lines[2:5] == ["Value", "{a: [1]}", "… 1 key: all of it"]
    assert lines[-1] == "KeyError: 1"
    assert text_of(panel).count("KeyError: 1") == 1


@pytest.mark.parametrize(
    ("value", "said"),
    [(list(range(20_000)), "… 20,000 items: all of it"), ("x" * 50_000, "… 50,000 characters: all of it")],
)
def test_a_long_value_is_cut_and_can_be_seen_whole(panel, qtbot, value, said) -> None:
    panel.end_run({"status": "ok", "value": value})
    lines = text_of(panel).split("\n")
    assert lines[-1] == said
    assert len(text_of(panel)) < 2_200
    panel.value_button.setChecked(False)
    assert panel.value.isHidden()
    place = panel.view.document().find("all of it")
    qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=panel.view.cursorRect(place).center())
    assert not panel.value.isHidden()
    assert panel.value.value == value


def test_a_value_with_something_in_it_is_a_tree_that_opens(panel) -> None:
    panel.end_run({"status": "ok", "value": {"people": [{"name": "Ada"}], "total": 3}})
    tree, model = panel.value.view.tree, panel.value.view.model
    assert not panel.value.isHidden()
    assert panel.value.title.text() == "Value · 2 keys"
    people = model.index(0, 0, model.index(0, 0))
    assert not tree.isExpanded(people)
    tree.expand(people)
    assert model.index(0, 0, people).data() == '0: {name: "Ada"}'
    tree.collapse(people)
    assert not tree.isExpanded(people)
    panel.start_run()
    assert panel.value.isHidden()


@pytest.mark.parametrize("value", [5, "short", [1, 2, 3], {}, None])
def test_a_value_with_nothing_to_open_is_text_alone(panel, value) -> None:
    panel.end_run({"status": "ok", "value": value})
    assert panel.value.isHidden()
    assert panel.value_button.isEnabled() == (value is not None)


def test_return_on_the_cut_opens_the_value(panel, qtbot) -> None:
    panel.end_run({"status": "ok", "value": "line\n" * 100})
    panel.flush()
    panel.view.setTextCursor(panel.view.document().find("all of it"))
    with qtbot.waitSignal(panel.view.all_wanted):
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert not panel.value.isHidden()


def test_an_error_is_told_once() -> None:
    stack = "KeyError: 'zz'\n    at work (e.js:1:45)"
    javascript = {"type": "KeyError", "message": "'zz'", "traceback": stack, "line": 1}
    pieces = list(result_pieces({"status": "error", "error": javascript}))
    assert pieces[-1] == ("error", stack)
    told = '  File "a.py", line 1\n    (\n    ^\nSyntaxError: invalid syntax'
    python = {"type": "SyntaxError", "message": "invalid syntax (a.py, line 1)", "traceback": told, "line": 1}
    assert list(result_pieces({"status": "error", "error": python}))[-1] == ("error", told)
    missing = "nosuch: command not found"
    shell = {"type": "BashError", "message": missing, "traceback": f"h.sh: line 3: {missing}\n", "line": 3}
    pieces = list(result_pieces({"status": "error", "error": shell, "stderr": f"bash: line 3: {missing}\n"}))
    assert [kind for kind, _ in pieces] == ["failed"]


def test_an_error_without_a_traceback_names_its_line() -> None:
    error = {"type": "TimeoutError", "message": "The time is up.", "traceback": "", "line": 3}
    assert ("error", "TimeoutError: The time is up. (line 3)") in list(
        result_pieces({"status": "timeout", "error": error})
    )


def test_a_new_theme_draws_everything_anew(panel) -> None:
    panel.append("stderr", "err\n")
    panel.end_run({"status": "ok", "value": 5})
    before = text_of(panel)
    theme().set_mode("light")
    assert text_of(panel) == before
    assert format_at(panel, "err").foreground().color() == theme().colour("error")


def test_the_end_is_followed_until_the_user_scrolls(panel, qtbot) -> None:
    bar = panel.view.verticalScrollBar()
    panel.append("stdout", "line\n" * 200)
    panel.flush()
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    assert not panel.follow_button.isChecked()
    panel.append("stdout", "line\n" * 200)
    panel.flush()
    assert bar.value() == 0
    panel.follow_button.click()
    assert bar.value() == bar.maximum()


def test_finding_counts_and_goes_round(panel, qtbot) -> None:
    panel.append("stdout", "one two\nONE\nthree one\n")
    panel.flush()
    panel.search.open()
    # On a busy machine it is counted in several goes.
    with qtbot.waitSignal(panel.search.counted):
        panel.search.field.setText("one")
    assert panel.search.match_count == 3
    assert panel.search.count.text() == "1 of 3"
    panel.search.go()
    assert panel.search.count.text() == "2 of 3"
    panel.search.go(back=True)
    panel.search.go(back=True)
    assert panel.search.count.text() == "3 of 3"
    panel.append("stdout", "one more\n")
    with qtbot.waitSignal(panel.search.counted):
        panel.flush()
    assert panel.search.match_count == 4
    panel.search.put_away()
    assert panel.view.extraSelections() == []


def test_wrapping_can_be_switched(panel) -> None:
    panel.wrap_button.click()
    assert panel.view.lineWrapMode() == QPlainTextEdit.LineWrapMode.WidgetWidth


def test_too_much_is_cut_at_its_beginning(panel, monkeypatch) -> None:
    monkeypatch.setattr(output_panel, "MOST_LINES", 100)
    queue = OutputQueue()
    for number in range(1000):
        queue.put("stdout", f"{number}\n")
    kind, text = queue.take(10_000) or ("", "")
    assert (kind, text.split("\n")[-2]) == ("stdout", "999")
    assert queue.dropped == 900


def test_a_flood_does_not_stop_the_window(panel, qtbot) -> None:
    """Others get their turn between two batches, and no batch is large."""
    for number in range(100_000):
        panel.append("stdout", f"line {number}\n")
    written = [0]
    pulse = QTimer(interval=0)
    pulse.timeout.connect(lambda: written.append(panel.view.blockCount()))
    pulse.start()
    qtbot.waitUntil(lambda: panel.view.document().lastBlock().previous().text() == "line 99999")
    pulse.stop()
    assert max(after - before for before, after in pairwise(written)) < 5_000


def test_the_cursor_can_stand_anywhere_while_output_arrives(panel) -> None:
    panel.append("stdout", "one\n")
    panel.flush()
    panel.view.moveCursor(QTextCursor.MoveOperation.Start)
    panel.append("stdout", "two\n")
    assert text_of(panel) == "one\ntwo\n"
