"""May a call happen, and with what: the arguments, and the answers to that."""

from PySide6.QtWidgets import QLineEdit, QWidget

from ptc_studio.core.permissions import Scope
from ptc_studio.ui.forms import ABSENT
from ptc_studio.ui.prompts.answer_buttons import AnswerButtons
from ptc_studio.ui.prompts.deciding import Deciding
from ptc_studio.ui.prompts.footed import lay_out_footed
from ptc_studio.ui.prompts.guard import Guard
from ptc_studio.ui.prompts.value_page import ValuePage
from ptc_studio.ui.prompts.waiting import Prompt
from ptc_studio.ui.widgets.plain_text import plain_tip


class PermissionBody(QWidget):
    """Shows one question."""

    def __init__(self, prompt: Prompt, deciding: Deciding, guard: Guard, parent: QWidget | None = None) -> None:
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
        lay_out_footed(self, self.page, self.reason, self.buttons)
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
        self.allow = add("Allow once", "Lets this call happen", lambda: self._allow("once"))
        self.for_run = add("For this run", f"{name} is not asked about again in this run", lambda: self._allow("run"))
        self.always = add(
            "Always", f"Writes to the workspace file that {name} is allowed", lambda: self._allow("always")
        )
        self.deny = add("Deny", "The script gets a PermissionError with the reason", self._deny)
        self.allow_all = add("Allow all like this", "Lets each happen once, with its own arguments", self._allow_all)
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
