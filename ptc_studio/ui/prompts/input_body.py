"""What a tool wants of a person: values for a form, consent to open an address, or what a model would say."""

from typing import Any
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from ptc_studio.core.permissions import Question
from ptc_studio.ui.forms import ABSENT, SchemaForm, write_json
from ptc_studio.ui.forms.form_style import apply_form_style
from ptc_studio.ui.prompts.controls import AnswerButtons, ClickGuard, lay_out_with_footer
from ptc_studio.ui.prompts.decisions import PromptDecision
from ptc_studio.ui.prompts.waiting import Prompt
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.outside import open_outside

LEADS = "It leads to {host}. Open it only if you expected that."


class InputBody(QWidget):
    """Shows one request, and gives the answer; nothing of it is modal."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self._deciding = deciding
        question = prompt.question
        self.form: SchemaForm | None = _form(question) if question.kind == "form" else None
        self.answer: QPlainTextEdit | None = _answer() if question.kind == "sampling" else None
        self.address = PlainLabel(question.url, wordWrap=True)
        self.buttons = AnswerButtons(guard)
        self._add_buttons()
        lay_out_with_footer(self, self._page(question), self.buttons)
        if self.form is None:
            # A form styles itself.
            apply_form_style(self)

    @property
    def corner(self) -> QWidget | None:
        """What belongs into the head."""
        return self.form.bar if self.form is not None else None

    def refresh(self) -> None:
        """What else waits changes nothing here."""

    def focus_first(self) -> None:
        """The keyboard is wanted here."""
        (self.form or self.answer or self.accept).setFocus()

    def focus_reason(self) -> None:
        self.decline.setFocus()

    def _add_buttons(self) -> None:
        add, kind = self.buttons.add, self._prompt.question.kind
        text, about = {
            "form": ("Accept", "Sends these values to the server"),
            "link": ("Open", "Opens the address in the browser"),
            "sampling": ("Answer", "Sends this text as what a model said"),
        }[kind]
        self.accept = add(text, about, self._on_accepted)
        self.decline = add(
            "Decline", "The server is told that you do not want to", lambda: self._deciding.decline(self._prompt)
        )
        self.cancel = add(
            "Cancel", "The server is told that you did not choose", lambda: self._deciding.dismiss(self._prompt)
        )
        self.cancel.setVisible(kind != "sampling")

    def _on_accepted(self) -> None:
        if self.form is not None:
            value = self.form.value()
            if value is ABSENT or any(not fault.advice for fault in self.form.faults()):
                self.form.reveal_faults()
                return
            self._deciding.accept(self._prompt, value)
        elif self.answer is not None:
            self._deciding.accept(self._prompt, self.answer.toPlainText())
        else:
            open_outside(QUrl(self._prompt.question.url))
            self._deciding.accept(self._prompt, None)

    def _page(self, question: Question) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        if question.message:
            message = PlainLabel(question.message, wordWrap=True)
            message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(message)
        if self.form is not None:
            column.addWidget(self.form, 1)
        elif self.answer is not None:
            column.addWidget(PlainLabel("The server asks what a model would say to this:"))
            column.addWidget(_conversation(question), 1)
            column.addWidget(self.answer, 1)
        else:
            self._add_address(question, column)
        return page

    def _add_address(self, question: Question, column: QVBoxLayout) -> None:
        self.address.setObjectName("linkAddress")
        self.address.setAccessibleName("Address that would be opened")
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        note = PlainLabel(LEADS.format(host=urlsplit(question.url).hostname or "nowhere"), wordWrap=True)
        note.setProperty("role", "note")
        column.addWidget(self.address)
        column.addWidget(note)
        column.addStretch(1)


def _form(question: Question) -> SchemaForm:
    form = SchemaForm(question.schema)
    form.setObjectName("inputForm")
    properties = question.schema.get("properties", {})
    # What the server proposes is sent if it is left alone, so it stands in the fields.
    form.set_value({name: part["default"] for name, part in properties.items() if "default" in part})
    return form


def _answer() -> QPlainTextEdit:
    answer = QPlainTextEdit()
    answer.setObjectName("samplingAnswer")
    answer.setAccessibleName("What the model says")
    answer.setPlaceholderText("What the model says")
    answer.setTabChangesFocus(True)
    answer.setProperty("field", True)
    return answer


def _conversation(question: Question) -> QPlainTextEdit:
    said: Any = question.result.value if question.result is not None else {}
    text = QPlainTextEdit(readOnly=True)
    text.setObjectName("samplingConversation")
    text.setAccessibleName("Conversation so far")
    text.setPlainText(conversation_text(said))
    return text


def conversation_text(said: Any) -> str:
    """The conversation as people read it; what is no text is shown as JSON."""
    if not isinstance(said, dict):
        return str(said)
    lines = [f"system: {said['systemPrompt']}"] if said.get("systemPrompt") else []
    for message in said.get("messages", ()):
        content = message.get("content")
        blocks = content if isinstance(content, list) else [content]
        texts = [
            block["text"] if isinstance(block, dict) and "text" in block else write_json(block) for block in blocks
        ]
        lines.append(f"{message.get('role', '')}: " + "\n".join(texts))
    rest = {key: value for key, value in said.items() if key not in ("messages", "systemPrompt")}
    return "\n\n".join([*lines, *([write_json(rest)] if rest else [])])
