"""Has the window ask for people's answers: brings banner and panel when the first question comes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDockWidget, QStackedWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.core.permissions import AbsentAsker
from ptc_studio.core.tools import Permission
from ptc_studio.ui.prompts.decisions import PromptDecision
from ptc_studio.ui.prompts.waiting import Prompt, WaitingPrompts, WindowAsker
from ptc_studio.ui.tools.rows import SourceRow, ToolRow

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor
    from ptc_studio.ui.calls.inspector import CallInspector
    from ptc_studio.ui.calls.panel import CallTreePanel
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.prompts.banner import PromptBanner
    from ptc_studio.ui.prompts.panel import PromptPanel


NO_FILE = "There is no workspace file to write it to: open a workspace, or run with a folder of your own."
NOT_IN_FILE = "Its source does not stand in the workspace file."
SAID: dict[Permission | None, str] = {
    "allow": "is always allowed from now on",
    "ask": "is asked about from now on",
    "deny": "is denied from now on",
    None: "is as its surroundings say from now on",
}
Change = Callable[["WorkspaceEditor"], "Undo"]


class PermissionEdits:
    """Of one window's workspace."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    def why_not(self, name: str) -> str:
        """Why the permission of that tool or alias cannot be written; empty if it can."""
        return "" if self._change_of(name, "allow") else NOT_IN_FILE if self._has_file else NO_FILE

    def why_not_source(self, loaded_source: "LoadedSource") -> str:
        """The same of a source."""
        return "" if self._index(loaded_source) is not None else NOT_IN_FILE if self._has_file else NO_FILE

    def allow(self, name: str) -> None:
        """From now on nobody is asked about that tool or alias."""
        self.set(name, "allow")

    def set(self, name: str, permission: Permission | None) -> None:
        """Of a tool or an alias; None leaves it to what is around it."""
        change = self._change_of(name, permission)
        if change is not None:
            self._context.workbench.start(self._keep(change, f"{name} {SAID[permission]}."))

    def set_source(self, loaded_source: "LoadedSource", permission: Permission | None) -> None:
        """Of a source, for all its tools of which nothing else is said."""
        index = self._index(loaded_source)
        if index is not None:
            said = f"The source {loaded_source.name} {SAID[permission]}."
            self._context.workbench.start(
                self._keep(lambda editor: editor.set_source_permission(index, permission), said)
            )

    @property
    def _has_file(self) -> bool:
        studio = self._context.workbench.studio
        return studio.has_workspace and studio.fault is None

    def _change_of(self, name: str, permission: Permission | None) -> Change | None:
        studio = self._context.workbench.studio
        aliases = [entry.name for entry in studio.file.aliases]
        if name in aliases:
            return lambda editor: editor.set_alias_permission(aliases.index(name), permission)
        for loaded_source in studio.source_set.loaded_sources:
            tool = next((tool for tool in loaded_source.loaded.tools if tool.spec.name == name), None)
            index = self._index(loaded_source) if tool is not None else None
            if tool is not None and index is not None:
                key = _key_of(loaded_source, name)
                return lambda editor: editor.set_tool_permission(index, key, permission)
        return None

    def _index(self, loaded_source: "LoadedSource") -> int | None:
        from ptc_studio.ui.workspace_edits import place_in_file

        return place_in_file(self._context, loaded_source) if self._has_file else None

    async def _keep(self, change: Change, said: str) -> None:
        context = self._context
        try:
            done = await self._rewrite(lambda: change(_editor(context)))
        except PtcError as error:
            context.messages.show_message(str(error))
            return

        async def undo() -> None:
            try:
                await self._rewrite(done.undo)
            except PtcError as error:
                context.messages.show_message(str(error))

        context.messages.offer(said, "Undo", lambda: context.workbench.start(undo()))

    async def _rewrite(self, write: "Callable[[], Undo]") -> "Undo":
        done = await self._context.workbench.studio.rewrite(write)
        self._context.workbench.load()
        return done


def _editor(context: "Context") -> "WorkspaceEditor":
    from ptc_studio.storage.workspace_editor import WorkspaceEditor

    return WorkspaceEditor(context.workbench.studio.folder)


def _key_of(loaded_source: "LoadedSource", name: str) -> str:
    """What the source's entry calls the tool, if it speaks of it already; else the tool's own name."""
    from ptc_studio.sources.registry_sync import names_in_source

    tool = next(tool for tool in loaded_source.offer().tools if tool.spec.name == name)
    names = names_in_source(loaded_source.offer().rules.applied(tool).spec, loaded_source.name)
    return next((each for each in names if each in loaded_source.entry.permissions), name)


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
        # Below the other notices: it comes and goes with the run.
        self._context.messages.add_below(self.banner)
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

    def _on_call_selected(self, record: dict[str, Any] | None) -> None:
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
        waiting = [prompt for prompt in self.waiting.all if prompt.question.kind != "permission"]
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
