"""How a run ended: as text below its output, and its value beside it as a tree that opens."""

import json
import re
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from ptc_studio.core.trace import RunErrorRecord, RunRecord
from ptc_studio.ui.calls.value_view import ValueView
from ptc_studio.ui.calls.values import preview, size_text
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import filled, rule

Piece = tuple[str, str]
"""A kind (`stdout`, `stderr`, `value`...) and a text."""

_SAID = {
    "ok": "Finished",
    "error": "Failed",
    "timeout": "Stopped: the time limit is up",
    "cancelled": "Cancelled",
    "crashed": "Crashed",
}
_PLACE = re.compile(r" \([^()\n]+, line \d+\)$")
MOST_LINES = 24
MOST_CHARACTERS = 2_000
"""A value that is longer is cut in the text; the tree has all of it."""
ALL_OF_IT = "all of it"
ONE_LINE = 100


def result_pieces(record: RunRecord) -> Iterator[Piece]:
    """The status, then the value, cut where it is long, and the error in full, each from a new line on."""
    status = record.get("status") or "error"
    yield ("ok" if status == "ok" else "failed"), _summary(status, record)
    value = record.get("value")
    if value is not None:
        yield "heading", "Value"
        # What opens as a tree stands beside the text: in it, it must not push away what the script wrote.
        text, is_cut = (preview(value, ONE_LINE), True) if opens(value) else beginning(value)
        yield "value", text
        if is_cut:
            yield "more", f"… {_size(value)}: {ALL_OF_IT}"
    error = record.get("error")
    if error and not _is_said(error, record.get("stderr") or ""):
        yield "heading", "Error"
        yield "error", _error(error)


def beginning(value: Any) -> tuple[str, bool]:
    """The value as JSON with line breaks, a text as it is; and whether that is only the beginning of it."""
    pieces = iter([value]) if isinstance(value, str) else _json(value)
    text = ""
    for piece in pieces:
        text += piece
        if len(text) > MOST_CHARACTERS or text.count("\n") >= MOST_LINES:
            lines = text[:MOST_CHARACTERS].split("\n")[:MOST_LINES]
            cut = "\n".join(lines)
            return cut, len(cut) < len(text) or next(pieces, None) is not None
    return text, False


def opens(value: Any) -> bool:
    """Whether there is something to open: what is short and flat is read best as it is."""
    if not isinstance(value, dict | list):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return any(isinstance(part, dict | list) and part for part in parts) or beginning(value)[1]


def _json(value: Any) -> Iterator[str]:
    return json.JSONEncoder(indent=2, ensure_ascii=False, default=str).iterencode(value)


def _size(value: Any) -> str:
    return size_text(value)[1:-1] if isinstance(value, dict | list) else f"{len(str(value)):,} characters"


def _summary(status: str, record: RunRecord) -> str:
    parts = [f"{MARKS.get(status, '✕')} {_SAID.get(status, status)}"]
    duration = record.get("duration_ms")
    if duration is not None:
        parts.append(f"{duration / 1000:.2f} s")
    if record.get("waited_ms"):
        parts.append(f"{record.get('waited_ms', 0) / 1000:.1f} s waiting for you")
    calls = len(record.get("calls") or ())
    if calls:
        parts.append(f"{calls} call{'' if calls == 1 else 's'}")
    failed = sum(call["status"] not in (None, "ok") for call in record.get("calls") or ())
    if failed:
        parts.append(f"{failed} failed")
    if record.get("return_code") and status in ("error", "crashed"):
        parts.append(f"exit status {record['return_code']}")
    return " · ".join(parts)


def message_of(error: RunErrorRecord) -> str:
    """What it says, without the place that Python puts behind it: the line is told anyway."""
    return _PLACE.sub("", str(error.get("message") or ""))


def _error(error: RunErrorRecord) -> str:
    message = message_of(error)
    said = f"{error.get('type') or 'Error'}: {message}".rstrip(": \n")
    traceback = (error.get("traceback") or "").rstrip("\n")
    if not traceback:
        return f"{said} (line {error['line']})" if error.get("line") else said
    # A traceback mostly has the message already: Python's at its end, others at their beginning.
    return traceback if (message or said) in traceback else f"{traceback}\n{said}"


def _is_said(error: RunErrorRecord, stderr: str) -> bool:
    """Whether the output ends with it, and there is no more to say: a shell tells its errors itself."""
    message, traceback = error.get("message") or "", (error.get("traceback") or "").strip()
    return bool(message) and "\n" not in traceback and stderr.rstrip().endswith(message)


class ValuePane(QWidget):
    """The value of a run, to look into.

    Signals: closed: the user wants the room for the output.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("outputValue")
        self.title = PlainLabel("Value", role="title")
        self.view = ValueView("Value")
        self.view.setMinimumWidth(1)
        self._value: Any = None
        copy = flat_button("copy", "Copy the whole value", self._copy)
        close = flat_button("close", "Close the value", self.closed.emit)
        edge = theme().pixels(2 * SPACE)
        head = filled(QHBoxLayout(), (self.title, 1), copy, close, spacing=2)
        head.setContentsMargins(edge, 0, theme().pixels(SPACE), 0)
        filled(QVBoxLayout(self), head, rule(), (self.view, 1), margins=0, spacing=0)

    @property
    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        """Shows another one."""
        self._value = value
        self.title.setText(f"Value · {_size(value)}" if isinstance(value, dict | list | str) else "Value")
        self.view.set_value(value)

    def _copy(self) -> None:
        self.view.tree.setCurrentIndex(self.view.model.index(0, 0))
        self.view.copy_current()


WIDE = 1.6
"""So many times wider than high, and both stand side by side."""


class OutputAndValue(QSplitter):
    """The text and the value: side by side, or one above the other where it is narrow."""

    def __init__(self, text: QWidget, value: ValuePane) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._value = value
        self.setChildrenCollapsible(False)
        for part in (text, value):
            self.addWidget(part)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)
        value.hide()

    def show_value(self, shown: bool) -> None:
        """Gives the value its part of the room, or the text all of it."""
        if shown and self._value.isHidden():
            self._value.show()
            whole = self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()
            self.setSizes([whole * 3 // 5, whole * 2 // 5])
        elif not shown:
            self._value.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        wide = self.width() > WIDE * self.height()
        self.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        super().resizeEvent(event)
