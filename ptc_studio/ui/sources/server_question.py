"""Asks once whether the keys of a source may be sent to a server that its document names; the answer is saved."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from ptc_studio.ui.workspace_edits import WorkspaceEdits, index_in_file

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.ui.context import Context

REFUSED = "UnconfirmedServer"


def unconfirmed_servers(loaded_source: Any) -> tuple[str, ...]:
    """The servers that get none of the source's keys before the user says so."""
    return getattr(getattr(loaded_source, "source", None), "unconfirmed", ())


def confirm_servers(context: "Context", loaded_source: "LoadedSource", servers: Sequence[str]) -> None:
    """Has the source's keys sent to these servers from now on, with an offer to undo it."""
    index = index_in_file(context, loaded_source)
    if index is None:
        return
    wanted = [*dict.fromkeys((*loaded_source.entry.allow_origins, *servers))]
    change = lambda editor: editor.allow_origins(index, wanted)  # noqa: E731
    message = f"The keys of {loaded_source.name} are sent to {', '.join(servers)} from now on."
    WorkspaceEdits(context).save(lambda edits: edits.change(change), message)


class ServerQuestion(QObject):
    """Asks when a source has told of such servers, and again when a call of a run was refused because of one."""

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window)
        self._context = context
        self._asked: set[tuple[str, str]] = set()
        context.workbench.tools_loaded.connect(self._ask)
        context.workbench.run_ended.connect(self._on_run_ended)

    def _on_run_ended(self, record: dict[str, Any]) -> None:
        if any((call.get("error") or {}).get("type") == REFUSED for call in record.get("calls", ())):
            self._asked.clear()
            self._ask()

    def _ask(self) -> None:
        """About one source at a time; the others are asked about when the tools are next loaded."""
        if not self._context.workbench.is_open:
            return
        for loaded_source in self._context.workbench.studio.source_set.loaded_sources:
            servers = unconfirmed_servers(loaded_source)
            new = {(loaded_source.name, server) for server in servers} - self._asked
            if new and index_in_file(self._context, loaded_source) is not None:
                self._asked |= new
                self._offer(loaded_source, servers)
                return

    def _offer(self, loaded_source: "LoadedSource", servers: Sequence[str]) -> None:
        named = ", ".join(servers)
        text = f"The document of {loaded_source.name} names {named}: your keys and headers are not sent there unasked."
        confirm = partial(confirm_servers, self._context, loaded_source, servers)
        self._context.messages.offer(text, "Send them there", confirm, ("Not now", lambda: None), kind="warning")
