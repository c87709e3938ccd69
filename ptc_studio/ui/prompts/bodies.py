"""What is asked in the panel: what is to come of a call that is stopped, or what a tool wants of a person."""

from typing import Any
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.core.permissions import Question, Reply, Scope
from ptc_studio.core.responders.mocks import error_names
from ptc_studio.ui.dialogs.questions import open_outside
from ptc_studio.ui.forms import ABSENT, SchemaForm, write_json
from ptc_studio.ui.forms.controls import apply_form_style
from ptc_studio.ui.prompts.banner import AnswerButtons, ClickGuard, lay_out_with_footer
from ptc_studio.ui.prompts.decisions import Prompt, PromptDecision
from ptc_studio.ui.prompts.value_page import ValuePage
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import rule


class FailPage(QWidget):
    """Type and message; the script catches it as if the tool had raised it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = QComboBox()
        self.kind.addItems(error_names())
        self.kind.setAccessibleName("Type of the error")
        self.message = QLineEdit()
        self.message.setPlaceholderText("What the script is told")
        self.message.setAccessibleName("Message of the error")
        form = QFormLayout(self)
        form.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        form.setSpacing(2 * SPACE)
        form.addRow("Error", self.kind)
        form.addRow("Message", self.message)

    def reply(self) -> Reply:
        return Reply(error=self.kind.currentText(), message=self.message.text())


ANYTHING = True
"""The schema of a result that nobody described."""


class PromptBody(QWidget):
    """What the panel shows of one question, whatever its kind."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self._deciding = deciding
        self.buttons = AnswerButtons(guard)

    @property
    def corner(self) -> QWidget | None:
        """What belongs into the head; None where all that there is has its own place."""
        return None

    def refresh(self) -> None:
        """Others that ask the same came or went."""

    def focus_first(self) -> None:
        """The keyboard is wanted here."""
        self.buttons.setFocus()

    def focus_reason(self) -> None:
        """It is to be denied."""
        self.focus_first()


class StoppedBody(PromptBody):
    """Shows one call at a breakpoint, or one whose result is looked at before the script gets it."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(prompt, deciding, guard, parent)
        self.page = _page(prompt.question)
        self.answer_page = _AnswerPage(prompt.question) if prompt.question.kind == "breakpoint" else None
        self.fail_page = FailPage()
        self.tabs = QTabBar()
        self.pages = QStackedWidget()
        # The answers come first: where there is little room, the pages give way, not the buttons below them.
        self.pages.setMinimumHeight(1)
        self._add_buttons()
        self._lay_out()
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._on_tab_changed(0)

    def focus_first(self) -> None:
        self.go_on.setFocus()

    def proceed(self, *, step: bool = False, look: bool = False) -> None:
        """Goes on as the page in front says."""
        page = self.pages.currentWidget()
        if page is self.fail_page:
            self._deciding.go_on(self._prompt, step=step, reply=self.fail_page.reply())
        elif page is self.answer_page:
            self._answer(step)
        elif not self.page.may_be_sent:
            self.page.show_faults()
        else:
            self._send(step=step, look=look)

    def _send(self, *, step: bool, look: bool) -> None:
        edited = self.page.edited
        if self._prompt.question.kind == "result":
            self._deciding.go_on(self._prompt, step=step, reply=None if edited is ABSENT else Reply(edited))
        else:
            self._deciding.go_on(self._prompt, None if edited is ABSENT else edited, step=step, look=look)

    def _answer(self, step: bool) -> None:
        assert self.answer_page is not None
        value = self.answer_page.value()
        if value is ABSENT:
            self.answer_page.form.reveal_faults()
        else:
            self._deciding.go_on(self._prompt, step=step, reply=Reply(value))

    def _add_buttons(self) -> None:
        add = self.buttons.add
        self.go_on = add("Continue", "", self.proceed)
        self.step = add("Step", "The same, and stops at the next call (F10)", lambda: self.proceed(step=True))
        self.look = add(
            "Edit result…",
            "Calls the tool, and stops again with its result before the script gets it",
            lambda: self.proceed(look=True),
        )
        self.stop = add("Stop the run", "Cancels the whole run", lambda: self._deciding.stop(self._prompt))

    def _lay_out(self) -> None:
        looked_at = self._prompt.question.kind == "result"
        named = [("Result" if looked_at else "Arguments", self.page), ("Fail with", self.fail_page)]
        if self.answer_page is not None:
            named.insert(1, ("Answer with", self.answer_page))
        for title, page in named:
            self.tabs.addTab(title)
            self.pages.addWidget(page)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("What should happen to the call")
        foot = QVBoxLayout()
        foot.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
        foot.addWidget(self.buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(rule())
        column.addWidget(self.pages, 1)
        column.addWidget(rule())
        column.addLayout(foot)

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 3 * SPACE, 0)
        head.addWidget(self.tabs, 1)
        for page in self._with_corners():
            head.addWidget(page.corner)
        return head

    def _with_corners(self) -> "list[ValuePage | _AnswerPage]":
        return [self.page, *([self.answer_page] if self.answer_page is not None else [])]

    def _on_tab_changed(self, tab: int) -> None:
        self.pages.setCurrentIndex(tab)
        page = self.pages.currentWidget()
        for each in self._with_corners():
            each.corner.setVisible(each is page)
        self.look.setVisible(page is self.page and self._prompt.question.kind == "breakpoint")
        text, about = self._verb(page)
        self.go_on.setText(text)
        self.go_on.setToolTip(plain_tip(f"{about} (F8)"))

    def _verb(self, page: QWidget | None) -> tuple[str, str]:
        if page is self.fail_page:
            return "Fail", "Raises this error in the script instead of calling the tool"
        if page is self.answer_page:
            return "Answer", "Gives the script this value instead of the tool's"
        return "Continue", "Continues with what is shown"


class _AnswerPage(QWidget):
    """A value of one's own: in a form, where it is known what the tool gives."""

    def __init__(self, question: Question) -> None:
        super().__init__()
        schema = question.output
        self.form = SchemaForm(ANYTHING if schema is None else schema)
        if self.form.value() is ABSENT:
            self.form.set_value(None)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        column.addWidget(self.form)

    @property
    def corner(self) -> QWidget:
        """As that of a `ValuePage`."""
        return self.form.bar

    def value(self) -> object:
        """The value, also one that the tool itself would not give; `ABSENT` if there is none."""
        broken = any(fault.rule == "json" for fault in self.form.faults())
        return ABSENT if broken else self.form.value()


def _page(question: Question) -> ValuePage:
    if question.kind == "result":
        assert question.result is not None
        return ValuePage(ANYTHING if question.output is None else question.output, question.result, strict=False)
    return ValuePage(question.schema, question.arguments)


class PermissionBody(PromptBody):
    """Shows one question."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(prompt, deciding, guard, parent)
        self.page = ValuePage(prompt.question.schema, prompt.question.arguments)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason for the script, if you deny it")
        self.reason.setAccessibleName("Reason for the script")
        self.reason.returnPressed.connect(guard.guarded(self._deny))
        self._add_buttons()
        lay_out_with_footer(self, self.page, self.reason, self.buttons)
        self.page.changed.connect(self._show_edited)
        self.refresh()

    @property
    def corner(self) -> QWidget:
        return self.page.corner

    def refresh(self) -> None:
        count = len(self._deciding.waiting.like(self._prompt))
        self.allow_all.setVisible(count > 1)
        self.allow_all.setText(f"Allow all {count} like this")

    def focus_first(self) -> None:
        self.allow.setFocus()

    def focus_reason(self) -> None:
        self.reason.setFocus()

    def _add_buttons(self) -> None:
        add, name = self.buttons.add, self._prompt.name
        self.allow = add("Allow once", "Lets this call run", lambda: self._allow("once"))
        self.for_run = add("For this run", f"{name} is not asked about again in this run", lambda: self._allow("run"))
        self.always = add(
            "Always", f"Writes to the workspace file that {name} is allowed", lambda: self._allow("always")
        )
        self.deny = add("Deny", "The script gets a PermissionError with the reason", self._deny)
        self.allow_all = add("Allow all like this", "Lets each run once, with its own arguments", self._allow_all)
        reason = self._deciding.why_not_always(self._prompt)
        if reason:
            self.always.setEnabled(False)
            self.always.setToolTip(plain_tip(reason))

    def _show_edited(self) -> None:
        self.allow.setText("Allow edited" if self.page.is_changed else "Allow once")

    def _allow(self, scope: Scope) -> None:
        if not self.page.may_be_sent:
            self.page.show_faults()
            return
        edited = self.page.edited
        self._deciding.allow(self._prompt, scope, None if edited is ABSENT else edited)

    def _allow_all(self) -> None:
        self._deciding.allow_all(self._deciding.waiting.like(self._prompt))

    def _deny(self) -> None:
        self._deciding.deny([self._prompt], self.reason.text())


LEADS = "It leads to {host}. Open it only if you expected that."


class InputBody(PromptBody):
    """Shows one request, and gives the answer; nothing of it is modal."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(prompt, deciding, guard, parent)
        question = prompt.question
        self.form: SchemaForm | None = _form(question) if question.kind == "form" else None
        self.answer: QPlainTextEdit | None = _answer() if question.kind == "sampling" else None
        self.address = PlainLabel(question.url, wordWrap=True)
        self._add_buttons()
        lay_out_with_footer(self, self._page(question), self.buttons)
        if self.form is None:
            # A form styles itself.
            apply_form_style(self)

    @property
    def corner(self) -> QWidget | None:
        return self.form.bar if self.form is not None else None

    def focus_first(self) -> None:
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
