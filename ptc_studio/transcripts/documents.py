"""Reads a conversation in any of the forms in which one is kept, and gives its blocks or items one by one.

A document is a request, a response, a message, an item, an event of a stream, or a list of such. They come as one JSON
text, one a line, or as a dump of server-sent events with other documents between them.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import PtcError
from ptc_studio.core.responders.cassette import Cassette
from ptc_studio.core.scripts import Script
from ptc_studio.storage.cassettes import read_cassette

Block = Mapping[str, Any]
DEEPEST = 12
"""Lists and wrappers within one another; no conversation needs so many."""


class TranscriptError(PtcError):
    """What is no conversation, holds no program, or is cut off; the message says where."""


@dataclass(slots=True)
class Blocks:
    """What the documents hold, in their order."""

    found: list[Block] = field(default_factory=list[Block])
    definitions: list[Block] = field(default_factory=list[Block])
    """The tools that requests name, each as its vendor has it."""
    containers: dict[str, str] = field(default_factory=dict[str, str])
    """For the ids of blocks the container in which their programs ran, where the response tells."""
    messages: int = 0
    """How many documents looked like a conversation's at all."""


def read_blocks(text: str, name: str) -> Blocks:
    """All blocks and items of the text; `name` is its file's. Raises TranscriptError."""
    reader = _Reader()
    try:
        for document in _documents(text, name):
            reader.take(document)
    except RecursionError:
        raise TranscriptError(f"{name} is no conversation: it is nested too deeply.") from None
    reader.finish(name)
    if not reader.blocks.messages:
        raise TranscriptError(
            f"{name} is no conversation: it has neither messages nor items of Anthropic's, OpenAI's or TanStack's."
        )
    return reader.blocks


def _documents(text: str, name: str) -> Iterator[Any]:
    """The JSON texts one after the other: the whole, one a line, or the data of server-sent events."""
    decoder = json.JSONDecoder()
    at, end, data = 0, len(text), list[str]()
    while at < end:
        stop = text.find("\n", at)
        stop = end if stop < 0 else stop
        line = text[at:stop].strip()
        if line.startswith(("{", "[")):
            start = text.index(line[0], at)
            document, at = _decoded(decoder, text, start, name)
            yield document
            continue
        if not line and data:
            yield from _event(data, text, at, name)
            data = []
        elif line.startswith("data:"):
            data.append(line[5:].strip())
        elif line and not line.startswith((":", "event:", "id:", "retry:")) and line != ",":
            what = f"{name}:{_line(text, at)}: this is neither JSON nor a server-sent event"
            raise TranscriptError(f"{what}: {_short(line)}. Give the conversation as JSON, JSON lines or an SSE dump.")
        at = stop + 1
    last = text.rstrip().rpartition("\n")[2].lstrip()
    if not data and last.startswith("event:"):
        raise TranscriptError(f"{name} is cut off: the event in line {_line(text, end)} has no data.")
    yield from _event(data, text, end, name)


def _decoded(decoder: json.JSONDecoder, text: str, start: int, name: str) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            raise TranscriptError(f"{name} is cut off: its JSON ends in line {_line(text, len(text))}.") from None
        reason = f"{error.msg[:1].lower()}{error.msg[1:]} (column {error.colno})"
        raise TranscriptError(f"{name}:{error.lineno}: this is not JSON: {reason}.") from None
    except ValueError as error:
        raise TranscriptError(f"{name}:{_line(text, start)}: this is not JSON: {error}.") from None


def _event(data: list[str], text: str, at: int, name: str) -> Iterator[Any]:
    """The JSON of an event; several `data` are one, but some dumps leave out the empty lines between events."""
    if not data or data == ["[DONE]"]:
        return
    try:
        yield json.loads("\n".join(data))
    except ValueError:
        for line in data:
            if line != "[DONE]":
                yield _of_line(line, text, at, name)


def _of_line(line: str, text: str, at: int, name: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        cut = "" if text[at:].strip() else "is cut off: "
        where = f"{name} {cut}line" if cut else f"{name}: line"
        raise TranscriptError(f"{where} {_line(text, at)} has an event that is not whole: {_short(line)}.") from None


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, min(at, len(text.rstrip()))) + 1


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")


class _Reader:
    """Takes documents apart; what a stream gives in pieces is put together."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self._open: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, list[str]] = {}
        self._added: dict[str, Block] = {}
        self._container = ""

    def take(self, document: Any, depth: int = 0) -> None:
        """Adds what the document holds."""
        if depth > DEEPEST:
            raise RecursionError
        if isinstance(document, list):
            for item in cast("list[Any]", document):
                self.take(item, depth + 1)
        elif isinstance(document, dict):
            self._take_object(cast("dict[str, Any]", document), depth)

    def finish(self, name: str) -> None:
        """Raises TranscriptError if a stream stopped in the midst of a block."""
        if self._open or self._added:
            held = next(iter((*self._open.values(), *self._added.values())))
            what = f"the block {held.get('type', '')!r} {held.get('id') or held.get('call_id') or ''}".rstrip()
            raise TranscriptError(f"{name} is cut off: the stream ends before {what} does.")

    def _take_object(self, document: dict[str, Any], depth: int) -> None:
        kind = document.get("type")
        if isinstance(kind, str) and self._take_event(kind, document, depth):
            return
        container = document.get("container")
        named = container.get("id") if isinstance(container, dict) else container
        before, self._container = self._container, named if isinstance(named, str) else self._container
        try:
            self._take_parts(kind, document, depth)
        finally:
            self._container = before

    def _take_parts(self, kind: Any, document: dict[str, Any], depth: int) -> None:
        for key in ("request", "response", "body"):
            if isinstance(document.get(key), dict | list):
                self.take(document[key], depth + 1)
        self._define(document.get("tools"))
        parts = [
            document[key] for key in ("messages", "input", "content", "output", "parts") if _is_list(document, key)
        ]
        is_block = isinstance(kind, str) and kind not in ("message", "response") and "role" not in document
        if is_block:
            self.blocks.found.append(document)
            self.blocks.messages += 1
            if self._container and isinstance(document.get("id"), str):
                self.blocks.containers.setdefault(document["id"], self._container)
            return
        self.blocks.messages += bool(parts) or "role" in document
        for part in parts:
            self.take(part, depth + 1)

    def _define(self, tools: Any) -> None:
        for tool in cast("list[Any]", tools) if isinstance(tools, list) else []:
            if isinstance(tool, dict) and tool not in self.blocks.definitions:
                self.blocks.definitions.append(cast("Block", tool))

    def _take_event(self, kind: str, event: dict[str, Any], depth: int) -> bool:
        """Whether it is an event of a stream, which is taken in then."""
        match kind:
            case "message_start":
                # The numbers of blocks begin anew with each message.
                self.finish("The stream")
                self.take(event.get("message"), depth + 1)
            case "content_block_start":
                self._start(event)
            case "content_block_delta":
                self._add_piece(event)
            case "content_block_stop":
                self._stop(event)
            case "response.output_item.added":
                item = event.get("item")
                if isinstance(item, dict):
                    self._added[str(item.get("id") or item.get("call_id"))] = cast("Block", item)
            case "response.output_item.done":
                item = event.get("item")
                if isinstance(item, dict):
                    self._added.pop(str(item.get("id") or item.get("call_id")), None)
                    self.take(item, depth + 1)
            case _ if kind.startswith("response."):
                self.take(event.get("response"), depth + 1)
            case "message_delta" | "message_stop" | "ping" | "error":
                pass
            case _:
                return False
        self.blocks.messages += 1
        return True

    def _start(self, event: dict[str, Any]) -> None:
        block = event.get("content_block")
        if isinstance(block, dict):
            self._open[_index(event)] = dict(cast("dict[str, Any]", block))
            self._pieces[_index(event)] = []

    def _add_piece(self, event: dict[str, Any]) -> None:
        delta = event.get("delta")
        if isinstance(delta, dict) and isinstance(delta.get("partial_json"), str):
            self._pieces.setdefault(_index(event), []).append(delta["partial_json"])

    def _stop(self, event: dict[str, Any]) -> None:
        block = self._open.pop(_index(event), None)
        text = "".join(self._pieces.pop(_index(event), ()))
        if block is None:
            return
        if text:
            try:
                block["input"] = json.loads(text)
            except (ValueError, RecursionError):
                named = block.get("id", "without an id")
                raise TranscriptError(f"The stream is cut off: the input of the block {named} is not whole.") from None
        self.take(block)


def _index(event: dict[str, Any]) -> int:
    return event["index"] if isinstance(event.get("index"), int) else -1


def _is_list(document: dict[str, Any], key: str) -> bool:
    return isinstance(document.get(key), list)


ENDING = ".cassette.json"
MOST = 1_000


def cassette_of_script(script: Path) -> Path:
    """Where the calls of an imported script are: `01-x.py` has `01-x.cassette.json`."""
    return script.with_name(f"{script.stem}{ENDING}")


def earlier_programs(cassette: Cassette, folder: Path) -> list[tuple[Script, Cassette]]:
    """Those that ran before in the same container, the first one first; raises TranscriptError or CassetteError."""
    found: list[tuple[Script, Cassette]] = []
    seen: set[str] = set()
    while cassette.continues and len(found) < MOST:
        path = folder / Path(cassette.continues).name
        if path.name in seen:
            raise TranscriptError(f"{path} goes on with itself, by way of others: correct `continues` in its cassette.")
        seen.add(path.name)
        try:
            code = read_bytes(path).decode("utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise TranscriptError(
                f"{path} cannot be read: {cassette.name} goes on with its names, so keep the two together."
            ) from None
        cassette = read_cassette(cassette_of_script(path))
        found.append((Script(code, str(path), str(path.resolve().parent)), cassette))
    return found[::-1]
