"""What the model gets back from a run, to the letter, and how much that is."""

import json
from math import ceil
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QPlainTextEdit, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.ui.calls.long_text import LongText
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.item_views import EmptyState
from ptc_studio.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from ptc_studio.core.trace import RunRecord

BEFORE = "Run the script under a target to see here what the model gets back, to the letter"
PLAIN = "With the target plain nothing goes back to a model: choose one in the run bar, and run"
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
        self.text = LongText()
        self.text.view.setObjectName("modelSeesView")
        self.text.view.setAccessibleName("What the model sees")
        self.text.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.empty = EmptyState(BEFORE)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.size_note)
        column.addWidget(self.text, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def start_run(self) -> None:
        """Forgets the last run."""
        self.empty.setText(BEFORE)
        self._stack.setCurrentIndex(0)

    def end_run(self, record: "RunRecord") -> None:
        """Shows what goes back to the model."""
        reply = record["model_sees"]
        if reply is None:
            self.empty.setText(PLAIN if record["target"] == "plain" else BEFORE)
            self._stack.setCurrentIndex(0)
            return
        text, sent = shown_and_sent(reply)
        self.size_note.setText(f"{record['target']} · {size_text(sent)}{'' if text is sent else ' · shown indented'}")
        self.text.set_text(text)
        self._stack.setCurrentIndex(1)


def shown_and_sent(reply: Any) -> tuple[str, str]:
    """The reply as it is shown, and as it is sent: a text is both, a value is JSON."""
    if isinstance(reply, str):
        return reply, reply
    return json.dumps(reply, ensure_ascii=False, indent=2), json.dumps(reply, ensure_ascii=False)


def size_text(text: str) -> str:
    """How much the model has to read, as `1,204 characters, about 301 tokens (estimate)`."""
    tokens = ceil(len(text.encode("utf-8", "replace")) / LETTERS_A_TOKEN)
    letters = "1 character" if len(text) == 1 else f"{len(text):,} characters"
    return f"{letters}, about {tokens:,} token{'' if tokens == 1 else 's'} (estimate)"
