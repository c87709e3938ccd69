"""What a function that declares `_context` is told of the call, and what it may do in turn."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ptc_studio.core.tools import Ticket
from ptc_studio.sources.functions.attachments import AttachmentStore

Directories = Callable[[str], tuple[Path, Path]]
"""From a run's id to its (python_workspace_root, graph_directory)."""


class ToolContext(dict[str, Any]):
    """A dictionary whose keys are attributes too.

    Keys: `python_workspace_root`, `graph_directory`, `attachment_store`, `run_id`, `call_id`, `call_tool`.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"The tool context has no {name!r}; it has {', '.join(self)}") from None


def working_directories(_run_id: str) -> tuple[Path, Path]:
    """Where nobody says otherwise: the working directory."""
    return Path.cwd(), Path.cwd()


def context_of(ticket: Ticket, directories: Directories, *, is_async: bool) -> ToolContext:
    """The context of one call."""
    workspace, graph = directories(ticket.run_id)
    return ToolContext(
        python_workspace_root=workspace,
        graph_directory=graph,
        attachment_store=AttachmentStore(workspace / "attachments" / ticket.run_id),
        run_id=ticket.run_id,
        call_id=ticket.call_id,
        call_tool=_caller(ticket.call_async if is_async else ticket.call),
    )


def _caller(call: Callable[[str, Mapping[str, Any]], Any]) -> Callable[..., Any]:
    def call_tool(name: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Any:
        """Calls another tool: gives its value, in an async function an awaitable of it."""
        return call(name, {**(arguments or {}), **more})

    return call_tool
