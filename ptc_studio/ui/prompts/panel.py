"""The panel of what waits: one call by itself, or the list of all."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.ui.prompts.deciding import Deciding
from ptc_studio.ui.prompts.guard import Guard
from ptc_studio.ui.prompts.prompt_list import PromptList
from ptc_studio.ui.prompts.prompt_view import PromptView
from ptc_studio.ui.prompts.stopped_body import StoppedBody
from ptc_studio.ui.prompts.waiting import Prompt
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.rule import rule

NEXT_MS = 30
"""So long it is waited before the next is shown: of a run that is stopped, all go one after the other."""


class PromptPanel(QWidget):
    """Takes the inspector's place while a call is to be decided about.

    Signals: shown(prompt): that one is in front now. emptied: nothing waits any longer.
    """

    shown = Signal(object)
    emptied = Signal()

    def __init__(self, deciding: Deciding, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("promptPanel")
        self.setAccessibleName("Calls that wait for you")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._deciding = deciding
        self.guard = Guard()
        self.view: PromptView | None = None
        self.list = PromptList(deciding, self.guard)
        self.list.opened.connect(self.show_prompt)
        self.back = QPushButton()
        self.back.setProperty("flat", True)
        self.back.setAutoDefault(False)
        self.back.setToolTip("Shows all calls that wait")
        self.back.clicked.connect(self.show_list)
        self.title = PlainLabel()
        self.title.setProperty("role", "title")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._lay_out()
        self._next = QTimer(self, singleShot=True, interval=NEXT_MS)
        self._next.timeout.connect(self._show_next)
        deciding.waiting.came.connect(self._on_came)
        deciding.waiting.went.connect(self._on_went)

    @property
    def prompt(self) -> Prompt | None:
        """The one that is in front by itself."""
        return self.view.prompt if self.view is not None else None

    @property
    def has_keyboard(self) -> bool:
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def show_prompt(self, prompt: Prompt) -> None:
        """Shows one by itself."""
        if self.prompt is not prompt:
            self._forget_view()
            self.view = PromptView(prompt, self._deciding, self.guard)
            self._pages.addWidget(self.view)
            self._pages.setCurrentWidget(self.view)
        self._show_head()
        self.shown.emit(prompt)

    def show_list(self) -> None:
        """Shows all that waits."""
        self._forget_view()
        self._pages.setCurrentWidget(self.list)
        self._show_head()

    def focus_first(self, *, reason: bool = False) -> None:
        """The user wants to go there, perhaps to say why not."""
        if self.view is None:
            (self.list.reason if reason else self.list.tree).setFocus()
        elif reason:
            self.view.body.focus_reason()
        else:
            self.view.body.focus_first()

    def proceed(self, *, step: bool = False) -> None:
        """Lets the call that is stopped go on, as it is shown."""
        if self.view is not None and isinstance(self.view.body, StoppedBody):
            self.view.body.proceed(step=step)

    def _forget_view(self) -> None:
        if self.view is not None:
            self._pages.setCurrentWidget(self.list)
            self._pages.removeWidget(self.view)
            self.view.deleteLater()
            self.view = None

    def _show_head(self) -> None:
        count = len(self._deciding.waiting.all)
        self.back.setText(f"‹ All {count} that wait")
        self.back.setVisible(self.view is not None and count > 1)
        self.title.setText(f"{count:,} call{'' if count == 1 else 's'} wait{'s' if count == 1 else ''} for you")
        self.title.setVisible(self.view is None)
        self._head.setVisible(self.view is None or count > 1)
        if self.view is not None:
            self.view.body.refresh()

    def _on_came(self, _prompt: Prompt) -> None:
        self._show_head()

    def _on_went(self, prompt: Prompt) -> None:
        if self.prompt is prompt:
            # What was meant for this one must not answer the next, which comes by itself.
            self.guard.hold()
        if self.prompt is prompt or not self._deciding.waiting.all:
            self._next.start()
        self._show_head()

    def _show_next(self) -> None:
        """The next that asks the same, else the one that has waited longest; the keyboard stays here if it was here."""
        waiting = self._deciding.waiting
        if not waiting.all:
            self.emptied.emit()
            self._forget_view()
        elif self.prompt is not None and self.prompt not in waiting.all:
            focused = self.has_keyboard
            alike = waiting.like(self.prompt)
            self.show_prompt(alike[0] if alike else waiting.all[0])
            self.guard.hold()
            if focused:
                self.focus_first()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, SPACE)
        row.addWidget(self.back)
        row.addWidget(self.title)
        row.addStretch(1)
        self._head = QWidget()
        head = QVBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(0)
        head.addLayout(row)
        head.addWidget(rule())
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self._pages, 1)
