"""The first lines of the inspector: which call it is, and how it went."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from ptc_studio.core.events import CallEdited
from ptc_studio.core.trace import Record
from ptc_studio.ui.models.call_nodes import Note
from ptc_studio.ui.models.call_notes import WAITS, note_sentence, waits
from ptc_studio.ui.models.call_text import argument_parts, milliseconds
from ptc_studio.ui.models.value_text import plain, preview_parts
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.flowing_text import FlowingText
from ptc_studio.ui.widgets.plain_text import PlainLabel

ROOM = 240
TITLES = 64
"""How wide the column of the titles is at least."""


class CallSummary(QWidget):
    """Call and status."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.call, self.status = FlowingText(), FlowingText()
        grid = QGridLayout(self)
        grid.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        grid.setHorizontalSpacing(3 * SPACE)
        grid.setVerticalSpacing(2 * SPACE)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate((("Call", self.call), ("Status", self.status))):
            title = PlainLabel(name)
            title.setProperty("role", "muted")
            value.setAccessibleName(name)
            grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)
        self._grid = grid
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self._grid.setColumnMinimumWidth(0, theme().pixels(TITLES))

    def set_record(self, record: Record, progress: str = "", notes: Sequence[Note] = ()) -> None:
        self.call.setText(_call_html(record))
        self.set_status(record, progress, notes)

    def set_status(self, record: Record, progress: str = "", notes: Sequence[Note] = ()) -> None:
        """How it went, or how far it is, and what else is to be seen of it."""
        # Colour alone tells nothing: the mark stands before the word.
        colour = theme().status_colour(_mark(record, notes)).name()
        told = "".join(map(_note_html, notes))
        words = escape(status_text(record, progress, notes))
        self.status.setText(f"<span style='color: {colour}'>{_with_chip(words, record)}</span>{told}")


def status_text(record: Record, progress: str = "", notes: Sequence[Note] = ()) -> str:
    """`✓ ok · 612 ms · depth 1 · line 8`, or `◐ running · 3 of 10 · depth 1 · line 8`."""
    status = _mark(record, notes)
    words = [f"{MARKS.get(status, '✕')} {WAITS if status == 'waiting' else status.replace('_', ' ')}"]
    if progress and record["status"] is None:
        words.append(progress)
    if record["duration_ms"] is not None:
        words.append(f"{milliseconds(record['duration_ms'])} ms")
    words.append(f"depth {record['depth']}")
    if record["line"] is not None:
        words.append(f"line {record['line']}")
    if record["truncated"]:
        words.append("too long: cut off")
    if record["answered_by"] not in (None, "tool"):
        words.append(f"answered by {record['answered_by']}")
    return " · ".join(words)


def _mark(record: Record, notes: Sequence[Note]) -> str:
    return record["status"] or ("waiting" if waits(notes) else "running")


def _note_html(note: Note) -> str:
    """What one should be aware of has a mark; that somebody edited the call is a fact like others."""
    mark = "" if isinstance(note, CallEdited) else f"<span style='color: {theme().colours.warning}'>▲</span> "
    return f"<br>{mark}{escape(note_sentence(note))}"


def _with_chip(words: str, record: Record) -> str:
    """Who answered instead of the tool stands out: it is what one would take for the real thing."""
    who, colours = record["answered_by"], theme().colours
    if who in (None, "tool"):
        return words
    chip = f"<span style='color: {colours.text}; background: {colours.selection}'>&nbsp;{escape(who)}&nbsp;</span>"
    return words.removesuffix(escape(who)) + chip


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
