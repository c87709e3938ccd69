"""What a function that declares `_context` is told of the call, and what it may do in turn."""

import builtins
import contextlib
import mimetypes
import re
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from types import FunctionType
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


MOST_STORES = 32
_stores: OrderedDict[tuple[Path, type], Any] = OrderedDict()
_stores_lock = Lock()


def _store(folder: Path, names: Mapping[str, Any]) -> Any:
    """A store of the class that the module itself uses, one for all calls of a run: ChatDev's tools accept no other.

    Theirs know some attachments only as long as they live, so that of a run is kept, until there are many later ones.
    """
    own = _store_class(names)
    if own is None:
        return AttachmentStore(folder)
    with _stores_lock:
        store = _stores.pop((folder, own), None)
        if store is None:
            with contextlib.suppress(Exception):
                store = own(folder)
        if store is not None:
            _stores[folder, own] = store
        while len(_stores) > MOST_STORES:
            _stores.popitem(last=False)
    return AttachmentStore(folder) if store is None else store


def _store_class(names: Mapping[str, Any]) -> type | None:
    """The class of that name in the module, or else where one of its names comes from."""
    for scope in (names, *map(_scope_of, names.values())):
        found = scope.get("AttachmentStore")
        if isinstance(found, type) and found is not AttachmentStore:
            return found
    return None


def _scope_of(value: Any) -> Mapping[str, Any]:
    """The names of the module in which a function or a class was written."""
    if isinstance(value, type):
        value = next((each for each in vars(value).values() if isinstance(each, FunctionType)), None)
    return value.__globals__ if isinstance(value, FunctionType) else {}


def _caller(call: Callable[[str, Mapping[str, Any]], Any]) -> Callable[..., Any]:
    def call_tool(name: str, arguments: Mapping[str, Any] | None = None, **more: Any) -> Any:
        """Calls another tool: gives its value, in an async function an awaitable of it."""
        return call(name, {**(arguments or {}), **more})

    return call_tool
