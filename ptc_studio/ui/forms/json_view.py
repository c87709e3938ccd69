"""A whole value as JSON text, with what is wrong and on which line."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRect, QSize, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from ptc_studio.ui.forms.controls import JsonHighlighter, help_font, raw_text_of
from ptc_studio.ui.forms.row_frame import MARKS, TONES, WrappedText
from ptc_studio.ui.forms.schema.json_text import JsonMistake, line_of, read_json, write_json
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.layout import filled

MOST_SHOWN = 5


class JsonView(QWidget):
    """The other side of a form.

    Signals: edited: the text was changed; `mistake` says whether it is JSON.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mistake: JsonMistake | None = None
        self._value: Any = ABSENT
        self._setting = False
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("The value as JSON")
        self.text.setProperty("field", True)
        self.text.setProperty("code", True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._highlighter = JsonHighlighter(self.text.document())
        self.notes = Notes()
        filled(QVBoxLayout(self), (self.text, 1), self.notes, margins=0, spacing=SPACE)
        self.text.textChanged.connect(self._on_text_changed)

    def value(self) -> Any:
        """The value that the text says, or said when it was last JSON."""
        return self._value

    def set_value(self, value: Any) -> None:
        """Shows another value; says nothing."""
        self._setting = True
        self.text.setPlainText("" if value is ABSENT else write_json(value))
        self._setting = False
        self._value, self.mistake = value, None

    def set_read_only(self, read_only: bool) -> None:
        self.text.setReadOnly(read_only)

    def show_faults(self, errors: Sequence[FieldError]) -> None:
        """Says what is wrong, each with its line, and marks the lines."""
        if self.mistake is not None:
            found = [(self.mistake.line, "fault", self.mistake.message)]
        else:
            text = raw_text_of(self.text.document())
            found = [(_line(text, error), "advice" if error.advice else "fault", _told(error)) for error in errors]
        self.notes.set_notes([(mark, f"Line {line}: {said}") for line, mark, said in found[:MOST_SHOWN]])
        self._mark_lines([(line, mark) for line, mark, _ in found])

    def _mark_lines(self, lines: Sequence[tuple[int, str]]) -> None:
        marked: list[QTextEdit.ExtraSelection] = []
        for line, mark in lines:
            selection = QTextEdit.ExtraSelection()
            colour = QColor(theme().colour(TONES[mark]))
            colour.setAlphaF(0.14)
            selection.format.setBackground(colour)  # pyright: ignore[reportAttributeAccessIssue]
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # pyright: ignore[reportAttributeAccessIssue]
            selection.cursor = QTextCursor(self.text.document().findBlockByNumber(line - 1))  # pyright: ignore[reportAttributeAccessIssue]
            marked.append(selection)
        self.text.setExtraSelections(marked)

    def _on_text_changed(self) -> None:
        if self._setting:
            return
        text, self.mistake = raw_text_of(self.text.document()), None
        try:
            self._value = read_json(text) if text.strip() else ABSENT
        except JsonMistake as mistake:
            self.mistake = mistake
        self.edited.emit()


class Notes(QWidget):
    """What is wrong, one sentence a line, painted."""

    def __init__(self) -> None:
        super().__init__()
        self._notes: list[tuple[str, WrappedText]] = []
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_notes(self, notes: Sequence[tuple[str, str]]) -> None:
        """Shows these; each has a mark and a text."""
        self._notes = [(mark, WrappedText(text, 2)) for mark, text in notes]
        self.setVisible(bool(notes))
        self.setAccessibleName("\n".join(text for _, text in notes))
        self.updateGeometry()
        self.update()

    def texts(self) -> list[str]:
        return [note.text for _, note in self._notes]

    def heightForWidth(self, width: int) -> int:
        inset = theme().pixels(16)
        return sum(note.height(width - inset, help_font()) + SPACE for _, note in self._notes)

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter, top, inset = QPainter(self), 0, theme().pixels(16)
        for mark, note in self._notes:
            colour = theme().colour(TONES[mark])
            painter.setFont(help_font())
            painter.setPen(colour)
            high = note.height(self.width() - inset, help_font())
            painter.drawText(QRect(0, top, inset, painter.fontMetrics().height()), MARKS[mark])
            note.draw(painter, QPointF(inset, top), self.width() - inset, help_font(), colour)
            top += high + SPACE
        painter.end()


def _line(text: str, fault: FieldError) -> int:
    try:
        return line_of(text, fault.path)
    except (IndexError, TypeError, ValueError):
        return 1


def _told(fault: FieldError) -> str:
    return f"{fault.location}: {fault.message}" if fault.location else fault.message
