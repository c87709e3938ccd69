"""Writing code: indents, brackets, comments, places, signals."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.code_editor import CodeEditor, EditorOptions
from ptc_studio.ui.language.problems import Problem
from ptc_studio.ui.theme import theme

CONTROL = Qt.KeyboardModifier.ControlModifier


def typed(qtbot: QtBot, editor: CodeEditor, text: str) -> str:
    for letter in text:
        if letter == "\n":
            qtbot.keyClick(editor, Qt.Key.Key_Return)
        elif letter == "\b":
            qtbot.keyClick(editor, Qt.Key.Key_Backspace)
        elif letter == "\t":
            qtbot.keyClick(editor, Qt.Key.Key_Tab)
        else:
            qtbot.keyClicks(editor, letter)
    return editor.text


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("f(", "f()"),
        ("f(x)", "f(x)"),
        ("f(\b", "f"),
        ("x['a']", "x['a']"),
        ("it's", "it's"),
        ('"""', '""""""'),
        ("if x:\ny", "if x:\n    y"),
        ("def f():\nreturn 1\nz", "def f():\n    return 1\nz"),
        ("f(\nx", "f(\n    x\n)"),
        ("\tx", "    x"),
        ("    \b", ""),
        ("a\tb", "a   b"),
    ],
)
def test_keys_write_what_is_meant(qtbot: QtBot, editor: CodeEditor, keys: str, text: str) -> None:
    assert typed(qtbot, editor, keys) == text


def test_tab_moves_whole_lines_in_the_steps_of_the_file(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_text("if x:\n  y\n\nz\n")
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.text == "  if x:\n    y\n\n  z\n"
    qtbot.keyClick(editor, Qt.Key.Key_Backtab)
    assert editor.text == "if x:\n  y\n\nz\n"
    editor.undo()
    editor.undo()
    assert editor.text == "if x:\n  y\n\nz\n"


def test_a_bracket_encloses_the_selection(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_text("abc")
    editor.selectAll()
    assert typed(qtbot, editor, "[") == "[abc]"
    assert editor.textCursor().selectedText() == "abc"


def test_control_k_comments_out_and_in(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_text("if x:\n    y")
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_K, CONTROL)
    assert editor.text == "# if x:\n#     y"
    editor.toggle_comment()
    assert editor.text == "if x:\n    y"


def test_zoom_follows_keys_and_wheel(qtbot: QtBot, editor: CodeEditor) -> None:
    before = editor.font().pixelSize()
    qtbot.keyClick(editor, Qt.Key.Key_Plus, CONTROL)
    assert (theme().zoom, editor.font().pixelSize() > before) == (1.1, True)
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        CONTROL,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(editor.viewport(), wheel)
    assert theme().zoom == 1.0
    qtbot.keyClick(editor, Qt.Key.Key_Minus, CONTROL)
    qtbot.keyClick(editor, Qt.Key.Key_0, CONTROL)
    assert theme().zoom == 1.0


def test_going_somewhere_tells_the_line_and_counts_characters(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_text("a\n😀😀x\n" + "b\n" * 200)
    with qtbot.waitSignal(editor.line_activated) as told:
        editor.go_to(2, 3)
    assert told.args == [2]
    assert editor.cursor_place == (2, 3)
    editor.go_to(9999, 9999)
    assert editor.cursor_place == (203, 1)


def test_only_edits_are_told_as_edits(qtbot: QtBot, editor: CodeEditor) -> None:
    with qtbot.assertNotEmitted(editor.text_edited):
        editor.set_text("import os\n" * 300)
        qtbot.waitUntil(lambda: editor.highlighter.is_settled)
        editor.set_tool_names({"x"})
        qtbot.waitUntil(lambda: editor.highlighter.is_settled)
    with qtbot.waitSignal(editor.text_edited):
        qtbot.keyClicks(editor, "x")


def test_a_marked_line_is_brought_into_view(editor: CodeEditor) -> None:
    editor.set_text("x\n" * 500)
    editor.mark_line(400)
    first, last = editor.visible_lines()
    assert first < 400 < last
    assert editor.decorations.marked == 400
    editor.mark_line(None)
    editor.mark_line(99999)


def test_a_problem_is_found_under_the_pointer_and_moves_with_the_text(qtbot: QtBot, editor: CodeEditor) -> None:
    editor.set_text("ok\n😀 get_ordr()")
    problem = Problem(2, 3, 11, "error", "no tool")
    editor.set_problems([problem, Problem(99, 1, 2, "warning", "nowhere")])
    assert editor.decorations.problem_at(8) == problem
    qtbot.keyClicks(editor, "abc")
    assert editor.decorations.problem_at(14 + 3) == problem
    assert editor.decorations.problem_at(1) is None


def test_names_of_tools_can_be_dropped_but_files_are_not_swallowed(editor: CodeEditor) -> None:
    text, file = QMimeData(), QMimeData()
    text.setText("get_order")
    file.setUrls([QUrl.fromLocalFile("/x.py")])
    assert (editor.canInsertFromMimeData(text), editor.canInsertFromMimeData(file)) == (True, False)
    editor.insertFromMimeData(text)
    assert editor.text == "get_order"


def test_a_replaced_text_can_be_undone(editor: CodeEditor) -> None:
    editor.set_text("one\ntwo")
    editor.go_to(2, 2)
    editor.replace_text("1\n2222")
    assert (editor.text, editor.cursor_place) == ("1\n2222", (2, 2))
    editor.undo()
    assert editor.text == "one\ntwo"


def test_brackets_that_belong_together_are_shown(editor: CodeEditor) -> None:
    editor.set_text("f(\n  ')', [1]\n)")
    editor.go_to(1, 3)
    places = [each.cursor.selectionStart() for each in editor.extraSelections() if each.cursor.hasSelection()]
    assert places == [1, editor.text.rindex(")")]
    editor.go_to(1, 1)
    assert [each for each in editor.extraSelections() if each.cursor.hasSelection()] == []


def test_the_line_of_the_cursor_stays_marked_while_one_types_and_moves(qtbot: QtBot, editor: CodeEditor) -> None:
    def marked() -> list[int]:
        """The lines that are seen on another ground, from what was painted and not from a new picture."""
        QApplication.processEvents()
        window, corner = editor.window(), editor.viewport().mapTo(editor.window(), QPoint(0, 0))
        picture = window.screen().grabWindow(window.winId()).toImage()
        right, found = corner.x() + editor.viewport().width() - 2, []
        for line in range(editor.blockCount()):
            box = editor.blockBoundingGeometry(editor.document().findBlockByNumber(line))
            middle = corner.y() + round(box.translated(editor.contentOffset()).center().y())
            found += [line] if picture.pixelColor(right, middle) == theme().colour("raised") else []
        return found

    qtbot.waitExposed(editor.window())
    editor.set_text("one\ntwo\nthree\nfour")
    assert marked() == [0]
    editor.go_to(2, 4)
    assert marked() == [1]
    for letter in "ab":
        QTest.keyClicks(editor, letter)
        assert marked() == [1]
    QTest.keyClick(editor, Qt.Key.Key_Left)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert marked() == [2]
    editor.undo()
    assert marked() == [1]
    QTest.keyClick(editor, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert marked() == []
    QTest.keyClick(editor, Qt.Key.Key_Right)
    assert marked() == [1]
    QTest.keyClicks(editor, "x")
    QTest.keyClick(editor, Qt.Key.Key_Down)
    assert marked() == [2]
    # A taller letter moves the lines below it, and their ground with them.
    editor.go_to(1, 1)
    QTest.keyClicks(editor, "y")
    editor.insertPlainText("\N{TIBETAN SYLLABLE OM}\N{DEVANAGARI OM}")
    editor.go_to(4, 1)
    QTest.keyClicks(editor, "z")
    assert marked() == [3]


def test_a_line_far_down_is_brought_into_view_where_lines_wrap(editor: CodeEditor) -> None:
    editor.set_text("".join(f"value = {'long ' * 60}{number}\n" for number in range(300)))
    editor.set_options(EditorOptions(wraps=True))
    editor.mark_line(250)
    box = editor.blockBoundingGeometry(editor.document().findBlockByNumber(249)).translated(editor.contentOffset())
    assert 0 <= box.top() < editor.viewport().height()
    editor.go_to(3)
    assert editor.cursorRect().top() >= 0
    QTest.keyClicks(editor, "and more " * 30)
    assert editor.viewport().rect().contains(editor.cursorRect().center())
