"""Writes permissions into the workspace file, in a worker's thread, with a way back."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ptc_studio.core.errors import PtcError
from ptc_studio.core.tools import Permission

if TYPE_CHECKING:
    from ptc_studio.sources.board import Seat
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor
    from ptc_studio.ui.window import MainWindow

NO_FILE = "There is no workspace file to write it to: open a workspace, or run with a folder of your own."
NOT_IN_FILE = "Its source does not stand in the workspace file."
SAID: dict[Permission | None, str] = {
    "allow": "is always allowed from now on",
    "ask": "is asked about from now on",
    "deny": "is denied from now on",
    None: "is as its surroundings say from now on",
}
Change = Callable[["WorkspaceEditor"], "Undo"]


class PermissionKeeper:
    """Of one window's workspace."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window

    def why_not(self, name: str) -> str:
        """Why the permission of that tool or alias cannot be written; empty if it can."""
        return "" if self._change_of(name, "allow") else NOT_IN_FILE if self._has_file else NO_FILE

    def why_not_source(self, seat: "Seat") -> str:
        """The same of a source."""
        return "" if self._index(seat) is not None else NOT_IN_FILE if self._has_file else NO_FILE

    def allow(self, name: str) -> None:
        """From now on nobody is asked about that tool or alias."""
        self.set(name, "allow")

    def set(self, name: str, permission: Permission | None) -> None:
        """Of a tool or an alias; None leaves it to what is around it."""
        change = self._change_of(name, permission)
        if change is not None:
            self._window.workbench.start(self._keep(change, f"{name} {SAID[permission]}."))

    def set_source(self, seat: "Seat", permission: Permission | None) -> None:
        """Of a source, for all its tools of which nothing else is said."""
        index = self._index(seat)
        if index is not None:
            said = f"The source {seat.name} {SAID[permission]}."
            self._window.workbench.start(
                self._keep(lambda editor: editor.set_source_permission(index, permission), said)
            )

    @property
    def _has_file(self) -> bool:
        studio = self._window.workbench.studio
        return studio.has_workspace and studio.fault is None

    def _change_of(self, name: str, permission: Permission | None) -> Change | None:
        studio = self._window.workbench.studio
        aliases = [entry.name for entry in studio.file.aliases]
        if name in aliases:
            return lambda editor: editor.set_alias_permission(aliases.index(name), permission)
        for seat in studio.board.seats:
            tool = next((tool for tool in seat.loaded.tools if tool.spec.name == name), None)
            index = self._index(seat) if tool is not None else None
            if tool is not None and index is not None:
                key = _key_of(seat, name)
                return lambda editor: editor.set_tool_permission(index, key, permission)
        return None

    def _index(self, seat: "Seat") -> int | None:
        from ptc_studio.ui.sources.keeping import place_in_file

        return place_in_file(self._window, seat) if self._has_file else None

    async def _keep(self, change: Change, said: str) -> None:
        window = self._window
        try:
            done = await self._rewrite(lambda: change(_editor(window)))
        except PtcError as error:
            window.tell(str(error))
            return

        async def undo() -> None:
            try:
                await self._rewrite(done.undo)
            except PtcError as error:
                window.tell(str(error))

        window.notice.offer(said, "Undo", lambda: window.workbench.start(undo()))

    async def _rewrite(self, write: "Callable[[], Undo]") -> "Undo":
        done = await self._window.workbench.studio.rewrite(write)
        self._window.workbench.load()
        return done


def _editor(window: "MainWindow") -> "WorkspaceEditor":
    from ptc_studio.storage.workspace_editor import WorkspaceEditor

    return WorkspaceEditor(window.workbench.studio.folder)


def _key_of(seat: "Seat", name: str) -> str:
    """What the source's entry calls the tool, if it speaks of it already; else the tool's own name."""
    from ptc_studio.sources.registration import names_in_source

    tool = next(tool for tool in seat.offer().tools if tool.spec.name == name)
    names = names_in_source(seat.offer().rules.applied(tool).spec, seat.name)
    return next((each for each in names if each in seat.entry.permissions), name)
