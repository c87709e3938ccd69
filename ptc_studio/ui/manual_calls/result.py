"""What came of a call by hand: how it went, who answered, and its value or its error."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.trace import CallRecord
from ptc_studio.ui.calls.long_text import ErrorView
from ptc_studio.ui.calls.value_view import ValueView
from ptc_studio.ui.calls.values import duration_text, preview
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import rule

ROOM = 48
NO_ARGUMENTS = "It takes no arguments."


Describe = Callable[[CallRecord, int], tuple[str, str]]
"""The status whose colour is meant, and the line; of a record and the number of calls within it."""


def outcome(record: CallRecord, inner_calls: int = 0) -> tuple[str, str]:
    """The call's own status, and how it went."""
    return record["status"] or "running", outcome_line(record, inner_calls)


def outcome_line(record: CallRecord, inner_calls: int = 0) -> str:
    """`✓ 41 items · 612 ms · answered by a mock`."""
    status = record["status"] or "running"
    words = [f"{MARKS.get(status, '✕')} {_what_came(record)}"]
    if record["duration_ms"] is not None:
        words.append(duration_text(record["duration_ms"]))
    if inner_calls:
        words.append(f"{_count(inner_calls, 'call')} within")
    if record["redactions"]:
        words.append(f"{len(record['redactions']):,} hidden")
    if record["truncated"]:
        words.append("too long: cut off")
    return " · ".join(words)


def who_answered(record: CallRecord) -> str:
    """`answered by the tool people.team_members`."""
    by, tool = record["answered_by"], record["tool"]
    if by == "person":
        return f"answered by a person, for {tool}"
    if by in (None, "tool"):
        return f"answered by the tool {tool}" if record["status"] == "ok" else f"tool {tool}"
    return f"answered by a {by}, for {tool}"


def size_in_words(value: Any) -> str:
    """How much a result is: `41 items`, `3 keys`, `"short text"`."""
    if isinstance(value, list):
        return _count(len(value), "item")
    if isinstance(value, dict):
        return _count(len(value), "key")
    if isinstance(value, str) and len(value) > ROOM:
        return _count(len(value), "character")
    return "no result" if value is None else preview(value, ROOM)


def _what_came(record: CallRecord) -> str:
    if record["status"] == "ok":
        return size_in_words(record["result"])
    return {
        "invalid": "The arguments do not fit",
        "denied": "Denied",
        "timeout": "The time is up",
        "cancelled": "Cancelled",
        "not_found": "There is no such tool",
        "depth": "Nested too deeply",
        "error": "Failed",
        None: "Calling…",
    }.get(record["status"], str(record["status"]))


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


class CallResult(QWidget):
    """Shows one record, as the inspector does."""

    def __init__(self, describe: Describe = outcome, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._describe, self._status = describe, ""
        self._record: CallRecord | None = None
        self.said, self.by = PlainLabel(), PlainLabel()
        self.said.setObjectName("tryOutcome")
        self.by.setProperty("role", "muted")
        for label in (self.said, self.by):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.by.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # How it went is read first: who answered gets what room is left, and is whole in the tooltip.
        self.by.setMinimumWidth(1)
        self.value, self.error = ValueView("Result"), ErrorView()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.value)
        self._pages.addWidget(self.error)
        self._lay_out()
        theme().changed.connect(self._restyle)

    @property
    def record(self) -> CallRecord | None:
        return self._record

    def show_record(self, record: CallRecord, inner_calls: int = 0, where: str = "") -> None:
        """Shows how the call went; `where` is the place of the tool's code, for what goes wrong in it."""
        self._record = record
        self._status, line = self._describe(record, inner_calls)
        self.said.setText(line)
        self.said.setAccessibleName(line)
        failed = record["error"] is not None
        self.by.setText(f"{who_answered(record)}{f', {where}' if failed and where else ''}")
        self.by.setToolTip(plain_tip(self.by.text()))
        self._pages.setCurrentIndex(int(failed))
        if failed:
            self.error.set_error(record["error"], running=False)
        else:
            self.value.set_value(record["result"])
        self._restyle()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        edge = theme().pixels(3 * SPACE)
        head.setContentsMargins(edge, theme().pixels(2 * SPACE), edge, theme().pixels(2 * SPACE))
        head.setSpacing(theme().pixels(3 * SPACE))
        head.addWidget(self.said)
        head.addWidget(self.by, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(rule())
        column.addLayout(head)
        pages = QVBoxLayout()
        pages.setContentsMargins(theme().pixels(SPACE), 0, 0, 0)
        pages.addWidget(self._pages)
        column.addLayout(pages, 1)

    def _restyle(self) -> None:
        if self._record is not None:
            colour = theme().status_colour(self._status).name()
            self.said.setStyleSheet(f"color: {colour}; font-weight: 600;")
            if self._record["error"]:
                self.error.set_error(self._record["error"], running=False)
