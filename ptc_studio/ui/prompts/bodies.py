"""A call that is stopped, before its tool or after it: what is to come of it."""

from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.core.permissions import Question, Reply, Scope
from ptc_studio.core.responders.raised_errors import error_names
from ptc_studio.ui.forms import ABSENT, SchemaForm
from ptc_studio.ui.prompts.controls import AnswerButtons, ClickGuard, lay_out_with_footer
from ptc_studio.ui.prompts.decisions import PromptDecision
from ptc_studio.ui.prompts.value_page import ValuePage
from ptc_studio.ui.prompts.waiting import Prompt
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import plain_tip
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


class StoppedBody(QWidget):
    """Shows one call at a breakpoint, or one whose result is looked at before the script gets it."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self._deciding = deciding
        self.page = _page(prompt.question)
        self.answer_page = _AnswerPage(prompt.question) if prompt.question.kind == "breakpoint" else None
        self.fail_page = FailPage()
        self.tabs = QTabBar()
        self.pages = QStackedWidget()
        # The answers come first: where there is little room, the pages give way, not the buttons below them.
        self.pages.setMinimumHeight(1)
        self.buttons = AnswerButtons(guard)
        self._add_buttons()
        self._lay_out()
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._on_tab_changed(0)

    @property
    def corner(self) -> QWidget | None:
        """All that it has stands in its own head."""
        return None

    def refresh(self) -> None:
        """What else waits changes nothing here."""

    def focus_first(self) -> None:
        """The keyboard is wanted here."""
        self.go_on.setFocus()

    def focus_reason(self) -> None:
        self.focus_first()

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


class PermissionBody(QWidget):
    """Shows one question."""

    def __init__(
        self, prompt: Prompt, deciding: PromptDecision, guard: ClickGuard, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self._deciding = deciding
        self.page = ValuePage(prompt.question.schema, prompt.question.arguments)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason for the script, if you deny it")
        self.reason.setAccessibleName("Reason for the script")
        self.reason.returnPressed.connect(guard.guarded(self._deny))
        self.buttons = AnswerButtons(guard)
        self._add_buttons()
        lay_out_with_footer(self, self.page, self.reason, self.buttons)
        self.page.changed.connect(self._show_edited)
        self.refresh()

    @property
    def corner(self) -> QWidget:
        """What belongs into the head."""
        return self.page.corner

    def refresh(self) -> None:
        """Others that ask the same came or went."""
        count = len(self._deciding.waiting.like(self._prompt))
        self.allow_all.setVisible(count > 1)
        self.allow_all.setText(f"Allow all {count} like this")

    def focus_first(self) -> None:
        """The keyboard is wanted here."""
        self.allow.setFocus()

    def focus_reason(self) -> None:
        """It is to be denied."""
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
