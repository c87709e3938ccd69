"""The first lines of the inspector: which call it is, and how it went."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ptc_studio.core.trace import Record
from ptc_studio.ui.models.call_text import argument_parts, milliseconds
from ptc_studio.ui.models.value_text import plain, preview_parts
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE

ROOM = 240


class CallSummary(QWidget):
    """Call and status."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.call, self.status = QLabel(), QLabel()
        grid = QGridLayout(self)
        grid.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        grid.setHorizontalSpacing(3 * SPACE)
        grid.setVerticalSpacing(2 * SPACE)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate((("Call", self.call), ("Status", self.status))):
            title = QLabel(name)
            title.setProperty("role", "muted")
            title.setMinimumWidth(theme().pixels(64))
            value.setWordWrap(True)
            value.setTextFormat(Qt.TextFormat.RichText)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)

    def set_record(self, record: Record, progress: str = "") -> None:
        self.call.setText(_call_html(record))
        self.set_status(record, progress)

    def set_status(self, record: Record, progress: str = "") -> None:
        """How it went, or how far it is."""
        # Colour alone tells nothing: the mark stands before the word.
        colour = theme().status_colour(record["status"] or "running").name()
        self.status.setText(f"<span style='color: {colour}'>{escape(status_text(record, progress))}</span>")


def status_text(record: Record, progress: str = "") -> str:
    """`✓ ok · 612 ms · depth 1 · line 8`, or `◐ running · 3 of 10 · depth 1 · line 8`."""
    status = record["status"] or "running"
    words = [f"{MARKS.get(status, '✕')} {status.replace('_', ' ')}"]
    if progress and record["status"] is None:
        words.append(progress)
    if record["duration_ms"] is not None:
        words.append(f"{milliseconds(record['duration_ms'])} ms")
    words.append(f"depth {record['depth']}")
    if record["line"] is not None:
        words.append(f"line {record['line']}")
    if record["answered_by"] not in (None, "tool"):
        words.append(f"answered by {record['answered_by']}")
    if record["truncated"]:
        words.append("too long: cut off")
    return " · ".join(words)


def _call_html(record: Record) -> str:
    colours, font = theme().colours, theme().code_font()
    name = escape(record["alias"] or record["tool"])
    pieces = [f"<span style='color: {colours.tool}'>{name}</span>"]
    for colour, text in argument_parts(record["arguments"], ROOM):
        ink = f"color: {colours.redacted}; background: {colours.redacted_ground}" if colour == "redacted" else ""
        pieces.append(f"<span style='{ink}'>{escape(text)}</span>")
    if record["alias"]:
        pieces.append(f"<span style='color: {colours.muted}'> → {escape(record['tool'])}</span>")
    return f"<span style=\"font-family: '{font.family()}'; font-size: {font.pixelSize()}px\">{''.join(pieces)}</span>"


def one_line(record: Record) -> str:
    """The call in one line, for screen readers."""
    name = record["alias"] or record["tool"]
    return f"{name}{plain(argument_parts(record['arguments'], ROOM))} {plain(preview_parts(record['result']))}"
