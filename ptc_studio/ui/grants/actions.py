"""What is done to grants in the window: a tool granted in one click, sets updated, saved, edited; all with undo."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.grants.choice import GrantChoice, GrantState
from ptc_studio.ui.grants.display import listed
from ptc_studio.ui.grants.patterns import GrantSetChange, fitted, granted, setting, summed_up, with_names

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.grants.dialog import GrantDialog
    from ptc_studio.ui.workspace_edits import WorkspaceEdits

NO_WORKSPACE = "Grant sets are kept in the studio.yaml of a workspace, and none is open."


class GrantActions:
    """Of one window, and of what is chosen in it."""

    def __init__(self, context: "Context", choice: GrantChoice) -> None:
        self.context, self.choice = context, choice

    def open_sets(self) -> "GrantDialog | None":
        """Has the user edit the grant sets."""
        if not self._can_save():
            return None
        from ptc_studio.ui.grants.dialog import GrantDialog

        dialog = GrantDialog(self)
        dialog.open()
        return dialog

    def save_ticked(self) -> "GrantDialog | None":
        """Has the user name what is ticked as a set of its own; a set that is gone is offered as it was."""
        dialog, choice = self.open_sets(), self.choice
        if dialog is not None and choice.is_gone and not choice.is_as_ticked:
            dialog.add(choice.patterns or (), choice.name, choose=True)
        elif dialog is not None:
            dialog.add(tuple(sorted(choice.ticked)), choose=True)
        return dialog

    def update_chosen(self) -> None:
        """Has the chosen set grant exactly what is ticked."""
        choice = self.choice
        if choice.name not in choice.sets or not self._can_save():
            return
        patterns = fitted(choice.sets[choice.name], choice.targets, choice.ticked)
        self.context.workbench.start(self.save([setting(choice.name, patterns)], choose=choice.name))

    def grant_tools(self, names: Sequence[str]) -> None:
        """Grants these to the script: by the chosen set if one holds, else by ticking them."""
        choice, bench = self.choice, self.context.workbench
        if not bench.is_open or not names:
            return
        text = ("{} is granted now" if len(names) == 1 else "{} are granted now").format(listed(names))
        if choice.name in choice.sets and not choice.is_as_ticked and bench.studio.fault is None:
            patterns = with_names(choice.sets[choice.name], choice.targets, names)
            change = GrantSetChange(text, setting(choice.name, patterns).apply)
            bench.start(self.save([change], message=f"{text}, by the grant set {choice.name!r}."))
            return
        before = choice.standing
        choice.tick({*choice.ticked, *names})
        self.context.messages.offer(f"{text}: ticked in the tool panel.", "Undo", lambda: choice.restore(before))

    async def save(
        self,
        changes: Sequence[GrantSetChange],
        *,
        choose: str = "",
        message: str = "",
        edits: "WorkspaceEdits | None" = None,
        failed: Callable[[str], Any] | None = None,
    ) -> bool:
        """Writes the changes and offers to undo them; whether that could be done. `choose`: the set that holds then."""
        from ptc_studio.ui.workspace_edits import WorkspaceEdits

        context, choice = self.context, self.choice
        edits, before = edits or WorkspaceEdits(context), choice.standing
        try:
            done = await edits.change_grants(changes)
        except PtcError as error:
            (failed or context.messages.show_message)(str(error))
            return False
        self._follow(changes, choose)

        async def undo() -> None:
            await edits.undo(done)
            choice.restore(before)

        context.messages.offer(message or summed_up(changes), "Undo", lambda: context.start_reported(undo()))
        return True

    def _follow(self, changes: Sequence[GrantSetChange], choose: str) -> None:
        """Has the choice mean what it meant: a set that the user renamed or deleted is not a set that is gone."""
        choice = self.choice
        for change in changes:
            if change.renames is not None:
                choice.follow_rename(*change.renames)
            if change.removes and change.removes == choice.name:
                ticked = choice.ticked if choice.is_as_ticked else granted(choice.patterns or (), choice.targets)
                choice.restore(GrantState(None, tuple(sorted(ticked))))
        if choose:
            choice.choose(choose)

    def _can_save(self) -> bool:
        """Whether there is a file to write sets into; says so if not."""
        context = self.context
        if not context.is_ready():
            return False
        studio = context.workbench.studio
        if not studio.has_workspace:
            open_workspace = context.commands["openWorkspaceAction"].trigger
            context.messages.offer(NO_WORKSPACE, "Open workspace…", open_workspace, kind="note")
        elif studio.fault is not None:
            context.messages.show_message(studio.fault, "error")
        else:
            return True
        return False
