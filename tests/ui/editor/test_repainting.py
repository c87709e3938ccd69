"""What a key has painted: its own line, unless more has changed."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ptc_studio.ui.editor.code_editor import CodeEditor

TEXT = "".join(f"value_{number} = compute({number})  # and more of it\n" for number in range(200))


class Paints(QObject):
    """Notes how high the painted areas are."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self.heights: list[int] = []
        editor.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.heights.append(event.rect().height())  # type: ignore[attr-defined]
        return False


def settled(qtbot: QtBot, editor: CodeEditor, text: str = TEXT) -> Paints:
    editor.set_text(text)
    qtbot.waitUntil(lambda: editor.highlighter.is_settled)
    editor.go_to(3)
    paints = Paints(editor)
    QApplication.processEvents()
    # Until nothing is left to be painted.
    while paints.heights:
        paints.heights.clear()
        QApplication.processEvents()
    return paints


def test_a_letter_has_its_line_painted_and_no_other(qtbot: QtBot, editor: CodeEditor) -> None:
    paints = settled(qtbot, editor)
    QTest.keyClick(editor, Qt.Key.Key_A)
    QApplication.processEvents()
    line = editor.fontMetrics().height()
    assert paints.heights
    assert max(paints.heights) < 3 * line


def test_what_a_quote_turns_into_a_string_is_painted_too(qtbot: QtBot, editor: CodeEditor) -> None:
    paints = settled(qtbot, editor)
    editor.insertPlainText('"""')
    # What there is no time for at the key itself follows in the next pauses.
    qtbot.waitUntil(lambda: max(paints.heights, default=0) > 5 * editor.fontMetrics().height())


def test_a_new_line_has_all_below_it_painted(qtbot: QtBot, editor: CodeEditor) -> None:
    paints = settled(qtbot, editor)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert max(paints.heights) > 5 * editor.fontMetrics().height()


def test_a_line_that_becomes_the_widest_can_be_scrolled_to_its_end(qtbot: QtBot, editor: CodeEditor) -> None:
    settled(qtbot, editor, "short\nlines\nonly\n")
    before = editor.horizontalScrollBar().maximum()
    for _ in range(30):
        editor.insertPlainText("long words ")
    QApplication.processEvents()
    assert editor.horizontalScrollBar().maximum() > before
