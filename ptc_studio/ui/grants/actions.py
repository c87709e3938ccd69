"""What is done to grants in the window: a tool granted in one click, sets updated, saved, edited; all with undo."""

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.grants.choice import GrantState
from ptc_studio.ui.grants.offers import listed
from ptc_studio.ui.grants.patterns import GrantSetChange, fitted, granted, setting, summed_up, with_names

if TYPE_CHECKING:
    from ptc_studio.ui.grants.dialog import GrantDialog
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.workspace_edits import GrantEdits

NOT_YET = "The tools are still being read: try again in a moment."
NO_WORKSPACE = "Grant sets are kept in the studio.yaml of a workspace, and none is open."


def open_grants(window: "MainWindow") -> "GrantDialog | None":
    """Has the user edit the grant sets."""
    if not _can_keep(window):
        return None
    from ptc_studio.ui.grants.dialog import GrantDialog

    dialog = GrantDialog(window)
    dialog.open()
    return dialog


def save_ticked(window: "MainWindow") -> "GrantDialog | None":
    """Has the user name what is ticked as a set of its own; a set that is gone is offered as it was."""
    dialog, choice = open_grants(window), window.grants
    if dialog is not None and choice.is_gone and not choice.is_as_ticked:
        dialog.add(choice.patterns or (), choice.name, choose=True)
    elif dialog is not None:
        dialog.add(tuple(sorted(choice.ticked)), choose=True)
    return dialog


def update_chosen(window: "MainWindow") -> None:
    """Has the chosen set grant exactly what is ticked."""
    choice = window.grants
    if choice.name not in choice.sets or not _can_keep(window):
        return
    patterns = fitted(choice.sets[choice.name], choice.targets, choice.ticked)
    window.workbench.start(save_grants(window, [setting(choice.name, patterns)], choose=choice.name))


def grant_tools(window: "MainWindow", names: Sequence[str]) -> None:
    """Grants these to the script: by the chosen set if one holds, else by ticking them."""
    choice = window.grants
    if not window.workbench.is_open or not names:
        return
    said = ("{} is granted now" if len(names) == 1 else "{} are granted now").format(listed(names))
    if choice.name in choice.sets and not choice.is_as_ticked and window.workbench.studio.fault is None:
        patterns = with_names(choice.sets[choice.name], choice.targets, names)
        change = GrantSetChange(said, setting(choice.name, patterns).apply)
        window.workbench.start(save_grants(window, [change], told=f"{said}, by the grant set {choice.name!r}."))
        return
    before = choice.standing
    choice.tick({*choice.ticked, *names})
    window.notice.offer(f"{said}: ticked in the tool panel.", "Undo", lambda: choice.restore(before))


async def save_grants(
    window: "MainWindow",
    changes: Sequence[GrantSetChange],
    *,
    choose: str = "",
    told: str = "",
    edits: "GrantEdits | None" = None,
    failed: Callable[[str], Any] | None = None,
) -> bool:
    """Writes the changes and offers to undo them; whether that could be done. `choose`: the set that holds then."""
    from ptc_studio.ui.workspace_edits import GrantEdits

    edits, before = edits or GrantEdits(window), window.grants.standing
    try:
        done = await edits.write(changes)
    except PtcError as error:
        (failed or window.show_message)(str(error))
        return False
    _follow(window, changes, choose)

    async def bring_back() -> None:
        try:
            await edits.undo(done)
        except PtcError as error:
            window.show_message(str(error))
        else:
            window.grants.restore(before)

    window.notice.offer(told or summed_up(changes), "Undo", lambda: _start(window, bring_back()))
    return True


def _follow(window: "MainWindow", changes: Sequence[GrantSetChange], choose: str) -> None:
    """Has the choice mean what it meant: a set that was renamed, or deleted, by the user is not a set that is gone."""
    choice = window.grants
    for change in changes:
        if change.renames is not None:
            choice.follow_rename(*change.renames)
        if change.removes and change.removes == choice.name:
            ticked = choice.ticked if choice.is_as_ticked else granted(choice.patterns or (), choice.targets)
            choice.restore(GrantState(None, tuple(sorted(ticked))))
    if choose:
        choice.choose(choose)


def _start(window: "MainWindow", work: Coroutine[Any, Any, None]) -> None:
    window.workbench.start(work)


def _can_keep(window: "MainWindow") -> bool:
    """Whether there is a file to write sets into; says so if not."""
    bench = window.workbench
    if not bench.is_open:
        window.show_message(NOT_YET)
    elif not bench.studio.has_workspace:
        window.notice.offer(NO_WORKSPACE, "Open workspace…", window.commands["openWorkspaceAction"].trigger)
    elif bench.studio.fault is not None:
        window.show_message(bench.studio.fault)
    else:
        return True
    return False
