"""What the model gets back from a run, to the letter, and how much that is."""

import json
from collections.abc import Mapping
from math import ceil
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.ui.calls.long_text import LongText
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import EmptyState, PlainLabel

if TYPE_CHECKING:
    from ptc_studio.core.trace import RunRecord, WarningRecord

BEFORE = "Run the script under a target to see here what the model gets back, to the letter"
MEANWHILE = "The script is running: what the model gets back is known at its end"
PLAIN = "With the target plain nothing goes back to a model: choose one in the run bar, and run"
MOST_WARNINGS = 3
LETTERS_A_TOKEN = 4
"""What a token of English text or JSON has on average; no tokenizer is asked."""


class ModelSeesPanel(QWidget):
    """A line with the size, and the text below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.size_note = PlainLabel()
        self.size_note.setObjectName("modelSeesSize")
        self.size_note.setProperty("role", "muted")
        self.size_note.setContentsMargins(3 * SPACE, SPACE, 3 * SPACE, SPACE)
        self.warnings = PlainLabel(wordWrap=True)
        self.warnings.setObjectName("targetWarnings")
        self.warnings.setContentsMargins(3 * SPACE, 0, 3 * SPACE, SPACE)
        self.as_sent = QPushButton("As sent")
        self.as_sent.setCheckable(True)
        self.as_sent.setToolTip("The JSON, letter for letter, rather than each of its fields as a text")
        self.as_sent.toggled.connect(self._show)
        self._reply: Any = None
        self.text = LongText()
        self.text.view.setObjectName("modelSeesView")
        self.text.view.setAccessibleName("What the model sees")
        self.text.view.document().setDocumentMargin(2 * SPACE)
        self.text.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.empty = EmptyState(BEFORE)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 2 * SPACE, 0)
        head.setSpacing(2 * SPACE)
        head.addWidget(self.size_note, 1)
        head.addWidget(self.as_sent)
        # Its own place below takes a line from the text, of which there are few.
        head.addWidget(self.text.copy)
        self.text.foot.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self.warnings)
        column.addWidget(self.text, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def start_run(self) -> None:
        """Forgets the last run."""
        self.empty.setText(MEANWHILE)
        self._stack.setCurrentIndex(0)

    def end_run(self, record: "RunRecord") -> None:
        """Shows what goes back to the model."""
        reply = record["model_sees"]
        if reply is None:
            self.empty.setText(PLAIN if record["target"] == "plain" else BEFORE)
            self._stack.setCurrentIndex(0)
            return
        self._reply = reply
        told = [f"▲ {_at(warning)}{warning['message']}" for warning in record["warnings"]]
        more = [f"and {len(told) - MOST_WARNINGS} more: see Problems"] if len(told) > MOST_WARNINGS else []
        self.warnings.setText("\n".join([*told[:MOST_WARNINGS], *more]))
        self.warnings.setVisible(bool(told))
        self.size_note.setText(f"{record['target']} · {size_text(sent_text(reply))}")
        self.as_sent.setVisible(isinstance(reply, dict))
        self._show()
        self._stack.setCurrentIndex(1)

    def _show(self) -> None:
        as_fields = isinstance(self._reply, dict) and not self.as_sent.isChecked()
        self.text.set_text(fields_text(self._reply) if as_fields else sent_text(self._reply))


def _at(warning: "WarningRecord") -> str:
    return f"line {warning['line']}: " if warning["line"] else ""


def sent_text(reply: Any) -> str:
    """The reply as it is sent: a text as it is, a value as JSON."""
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


def fields_text(reply: Mapping[str, Any]) -> str:
    """Every field under its name, a text as it is written: what stands in the JSON, without its escapes."""
    return "\n\n".join(f"{name}:\n{_field(value)}" for name, value in reply.items())


def _field(value: Any) -> str:
    if isinstance(value, str):
        return value.removesuffix("\n") if value else "(empty)"
    return json.dumps(value, ensure_ascii=False, indent=2)


def size_text(text: str) -> str:
    """How much the model has to read, as `1,204 characters, about 301 tokens (estimate)`."""
    tokens = ceil(len(text.encode("utf-8", "replace")) / LETTERS_A_TOKEN)
    letters = "1 character" if len(text) == 1 else f"{len(text):,} characters"
    return f"{letters}, about {tokens:,} token{'' if tokens == 1 else 's'} (estimate)"
