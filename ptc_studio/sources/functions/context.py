"""What a function that declares `_context` is told of the call, and what it may do in turn."""

import builtins
import contextlib
import mimetypes
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ptc_studio.core.tools import Ticket

INDEX = "index.jsonl"
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file that was handed on."""

    attachment_id: str
    path: Path
    display_name: str
    mime_type: str
    kind: str
    size: int


_RECORD = TypeAdapter(Attachment)


class AttachmentStore:
    """The attachments of one run, in a folder that comes into being with the first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def register_file(
        self,
        path: str | Path,
        *,
        kind: str | None = None,
        display_name: str | None = None,
        mime_type: str | None = None,
    ) -> Attachment:
        """Hands on a file where it is; raises FileNotFoundError if there is none."""
        file = Path(path).resolve(strict=True)
        return self._register(uuid.uuid4().hex, file, display_name or file.name, mime_type, kind)

    def register_bytes(
        self, data: bytes, *, display_name: str, mime_type: str | None = None, kind: str | None = None
    ) -> Attachment:
        """Writes the data to a file of the store and hands that on."""
        attachment_id = uuid.uuid4().hex
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{attachment_id}_{_UNSAFE.sub('_', display_name)[-100:]}"
        file.write_bytes(data)
        return self._register(attachment_id, file, display_name, mime_type, kind)

    def get(self, attachment_id: str) -> Attachment | None:
        """The attachment of that id, if there is one."""
        return next((record for record in self.list() if record.attachment_id == attachment_id), None)

    def list(self) -> builtins.list[Attachment]:
        """All attachments, oldest first."""
        try:
            lines = (self.folder / INDEX).read_bytes().splitlines()
        except FileNotFoundError:
            return []
        return [_RECORD.validate_json(line) for line in lines]

    def _register(
        self, attachment_id: str, file: Path, display_name: str, mime_type: str | None, kind: str | None
    ) -> Attachment:
        mime = mime_type or mimetypes.guess_type(display_name)[0] or "application/octet-stream"
        record = Attachment(attachment_id, file, display_name, mime, kind or _kind_of(mime), file.stat().st_size)
        self.folder.mkdir(parents=True, exist_ok=True)
        # Unbuffered: one write a line, so that lines of two processes do not mix.
        with (self.folder / INDEX).open("ab", buffering=0) as index:
            index.write(_RECORD.dump_json(record) + b"\n")
        return record


def _kind_of(mime: str) -> str:
    major = mime.partition("/")[0]
    return major if major in ("image", "audio", "video", "text") else "file"


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


def context_of(
    ticket: Ticket, directories: Directories, *, is_async: bool, names: Mapping[str, Any] | None = None
) -> ToolContext:
    """The context of one call; `names` are those of the function's module."""
    workspace, graph = directories(ticket.run_id)
    folder = workspace / "attachments" / ticket.run_id
    return ToolContext(
        python_workspace_root=workspace,
        graph_directory=graph,
        attachment_store=_store(folder, names or {}),
        run_id=ticket.run_id,
        call_id=ticket.call_id,
        call_tool=_caller(ticket.call_async if is_async else ticket.call),
    )


def _store(folder: Path, names: Mapping[str, Any]) -> Any:
    """A store of the class that the module itself imports: ChatDev's tools accept no other."""
    own = names.get("AttachmentStore")
    if isinstance(own, type) and own is not AttachmentStore:
        with contextlib.suppress(Exception):
            return own(folder)
    return AttachmentStore(folder)


def _caller(call: Callable[[str, Mapping[str, Any]], Any]) -> Callable[..., Any]:
    def call_tool(name: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Any:
        """Calls another tool: gives its value, in an async function an awaitable of it."""
        return call(name, {**(arguments or {}), **more})

    return call_tool
