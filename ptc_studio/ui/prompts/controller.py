"""Has the window ask for people's answers: brings banner and panel when the first question comes."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QStackedWidget

from ptc_studio.core.permissions import AbsentAsker
from ptc_studio.core.tools import Permission
from ptc_studio.ui.prompts.decisions import STOPPED, Prompt, PromptDecision, WaitingPrompts, WindowAsker
from ptc_studio.ui.tools.rows import SourceRow, ToolRow
from ptc_studio.ui.workspace_edits import PermissionEdits

if TYPE_CHECKING:
    from ptc_studio.core.trace import CallRecord
    from ptc_studio.ui.calls.inspector import CallInspector
    from ptc_studio.ui.calls.panel import CallTreePanel
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.prompts.banner import PromptBanner
    from ptc_studio.ui.prompts.panel import PromptPanel


class Prompts(QObject):
    """What waits in one window. Nothing but what the user does himself moves the keyboard."""

    def __init__(
        self, context: "Context", calls: "CallTreePanel", inspector: "CallInspector", dock: QDockWidget
    ) -> None:
        """`dock` holds the inspector, whose place the panel takes while it is open."""
        super().__init__(context.window)
        self.setObjectName("prompts")
        self._context, self._calls, self._inspector, self._dock = context, calls, inspector, dock
        self.waiting = WaitingPrompts(self)
        self.edits = PermissionEdits(context)
        self.deciding = PromptDecision(self.waiting, self.edits)
        self.banner: PromptBanner | None = None
        self.panel: PromptPanel | None = None
        self._stack: QStackedWidget | None = None
        self._selected: str | None = None
        self._quiet = False
        self._unseen: Prompt | None = None
        """Whose call is to be selected as soon as the tree has it."""
        self.waiting.came.connect(self._on_came)
        self.waiting.went.connect(lambda _: self._show_commands())
        calls.call_selected.connect(self._on_call_selected)
        context.workbench.events_arrived.connect(lambda _: self._select_unseen())
        self._connect_commands()
        self._connect_details()
        context.workbench.attached.connect(self._on_attached)
        if context.workbench.is_open:
            self._on_attached()

    @property
    def is_open(self) -> bool:
        """Whether the panel stands where the inspector does otherwise."""
        return self._stack is not None and self._stack.currentWidget() is self.panel

    def open(self, prompt: Prompt | None, *, quiet: bool = False) -> None:
        """Shows that prompt, or the list of all; `quiet` leaves the editor's view where it is."""
        panel, self._quiet = self._made_panel(), quiet
        if prompt is None:
            panel.show_list()
        else:
            panel.show_prompt(prompt)
        self._bring_panel()

    def _on_attached(self) -> None:
        executor = self._context.workbench.studio.executor
        if isinstance(executor.asker, AbsentAsker):
            executor.asker = WindowAsker(self.waiting)

    def _on_came(self, prompt: Prompt) -> None:
        panel = self._made_panel()
        self._show_commands()
        stopped, busy = prompt.question.kind != "permission", self.is_open and panel.prompt in self.waiting.all
        idle = self._inspector.record is None and not self.is_open
        if idle or (stopped and not busy):
            # A script that stops where it was told to is looked at; another one may be anywhere.
            self.open(prompt, quiet=not stopped)
            panel.guard.hold()

    def _made_panel(self) -> "PromptPanel":
        if self.panel is not None:
            return self.panel
        # Imported late: most runs ask nobody, and forms are many modules.
        from ptc_studio.ui.prompts.banner import PromptBanner
        from ptc_studio.ui.prompts.panel import PromptPanel

        self.banner = PromptBanner(self.deciding)
        self.banner.opened.connect(self._on_opened)
        self.banner.denial_wanted.connect(self._on_denial_wanted)
        self._context.messages.add_bar(self.banner)
        self.panel = PromptPanel(self.deciding)
        self.panel.shown.connect(self._on_shown)
        self.panel.emptied.connect(self._on_emptied)
        self._stack = QStackedWidget()
        self._dock.setWidget(self._stack)
        self._stack.addWidget(self._inspector)
        self._stack.addWidget(self.panel)
        self._inspector.show()
        return self.panel

    def _bring_panel(self) -> None:
        if self._stack is not None and self.panel is not None:
            self._stack.setCurrentWidget(self.panel)

    def _on_opened(self, prompt: Prompt | None) -> None:
        """The user asked for it, so the keyboard goes there."""
        self.open(prompt)
        self._made_panel().guard.release()
        self._go_to_panel()

    def _on_denial_wanted(self, prompt: Prompt) -> None:
        alike = self.waiting.like(prompt)
        self.open(prompt if len(alike) == 1 else None)
        self._go_to_panel(reason=True)

    def _go_to_panel(self, *, reason: bool = False) -> None:
        self._dock.show()
        self._dock.raise_()
        if self.panel is not None:
            self.panel.focus_first(reason=reason)

    def _on_shown(self, prompt: Prompt) -> None:
        self._unseen = prompt
        self._select_unseen()

    def _select_unseen(self) -> None:
        """Its row may come after the question: events are gathered, questions are not."""
        prompt, calls = self._unseen, self._calls
        if prompt is None:
            return
        call = calls.model.call(prompt.question.call_id)
        if call is not None and call.started.run_id == prompt.question.run_id:
            self._unseen = None
            calls.reveal_call(call.call_id, quiet=self._quiet)

    def _on_call_selected(self, record: "CallRecord | None") -> None:
        """A call that waits is shown with its question, another one with its values."""
        former, self._selected = self._selected, record["id"] if record else None
        if record is None:
            return
        call = self._calls.model.call(record["id"])
        prompt = self.waiting.of_call(call.started.run_id, call.call_id) if call is not None else None
        if prompt is not None:
            self._made_panel().show_prompt(prompt)
            self._bring_panel()
        elif self.is_open and self._stack is not None and former != self._selected:
            self._stack.setCurrentWidget(self._inspector)

    def _on_emptied(self) -> None:
        assert self._stack is not None
        assert self.panel is not None
        if self.panel.has_keyboard:
            self._calls.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self._stack.setCurrentWidget(self._inspector)

    def _connect_commands(self) -> None:
        commands = self._context.commands
        commands["answerAction"].triggered.connect(lambda: self._on_answer())
        commands["continueAction"].triggered.connect(lambda: self._on_proceed(step=False))
        commands["stepAction"].triggered.connect(lambda: self._on_proceed(step=True))
        self._show_commands()

    def _connect_details(self) -> None:
        details = self._context.tools.details
        details.why_fixed = self._why_fixed
        details.permission_requested.connect(self._on_permission_requested)

    def _why_fixed(self, row: ToolRow | SourceRow) -> str:
        return (
            self.edits.why_not(row.name) if isinstance(row, ToolRow) else self.edits.why_not_source(row.loaded_source)
        )

    def _on_permission_requested(self, row: object, permission: Permission | None) -> None:
        if isinstance(row, ToolRow):
            self.edits.set(row.name, permission)
        elif isinstance(row, SourceRow):
            self.edits.set_source(row.loaded_source, permission)

    def _show_commands(self) -> None:
        commands, stopped = self._context.commands, self._stopped()
        commands["answerAction"].setEnabled(bool(self.waiting.all))
        for name in ("continueAction", "stepAction"):
            commands[name].setEnabled(stopped is not None)

    def _stopped(self) -> Prompt | None:
        """The call at a breakpoint that is in front, else the first."""
        front = self.panel.prompt if self.panel is not None and self.is_open else None
        waiting = [prompt for prompt in self.waiting.all if prompt.question.kind in STOPPED]
        return front if front in waiting else next(iter(waiting), None)

    def _on_answer(self) -> None:
        if self.waiting.all:
            front = self.panel.prompt if self.panel is not None and self.is_open else None
            self._on_opened(front or (self.waiting.all[0] if len(self.waiting.all) == 1 else None))

    def _on_proceed(self, *, step: bool) -> None:
        prompt = self._stopped()
        if prompt is not None and self.panel is not None:
            self.panel.show_prompt(prompt)
            self.panel.proceed(step=step)
