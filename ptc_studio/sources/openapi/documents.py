"""Gets documents, from files or from the web, each once; and follows references within and between them.

YAML is made of the events that libyaml finds, for documents are large. Scalars are those of YAML 1.2, as OpenAPI wants
them: `no` is a text and `2024-01-01` is one, too. An alias is the very object of its anchor, so that a few lines cannot
become gigabytes.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core import codec
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.messages import HttpRequest
from ptc_studio.sources.http.templates import encoded_address, is_address

_NUMBER = re.compile(r"[-+]?[0-9]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0x[0-9a-fA-F]+|0o[0-7]+")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MERGE = "<<"
DEPTH = 500
SECOND_TRY = 4_000_000
"""So long a text is read by Python, which takes a hundred times as long."""
_DIGITS = 400
"""A number of more digits is taken for a text."""


class BadYaml(Exception):
    """The text is no YAML; the message says why."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def quick_yaml(text: str) -> Any:
    """The value of the first document in the text; raises BadYaml.

    What libyaml, a reader of YAML 1.1, stumbles over gets a second try by a reader of 1.2.
    """
    try:
        return _built(_libyaml_events(text))
    except BadYaml:
        if len(text) > SECOND_TRY:
            raise
        with contextlib.suppress(BadYaml):
            return _built(_ruamel_events(text))
        raise


def _built(events: Iterable[Any]) -> Any:
    builder = _Builder()
    for event in events:
        if not builder.take(event):
            break
    return builder.value


def _libyaml_events(text: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise BadYaml(str(error.problem or error.context), mark.line + 1 if mark else 1) from None
    except yaml.YAMLError as error:
        raise BadYaml(" ".join(str(error).split()), 1) from None


def _ruamel_events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            if type(event).__name__ == "ScalarEvent":
                event.value = _whole_characters(event.value)
            yield event
    except (YAMLError, ValueError, RecursionError) as error:
        raise BadYaml(" ".join(str(error).split()), 1) from None


def _whole_characters(text: str) -> str:
    """With pairs of surrogates, as JSON writes them, put together."""
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class _Builder:
    """Puts events together. What is open lies on a stack, so that deep nesting costs no recursion."""

    def __init__(self) -> None:
        self.value: Any = None
        self._stack: list[Any] = []
        self._keys: list[Any] = []
        self._anchors: dict[str, Any] = {}
        self._open: dict[int, str] = {}

    def take(self, event: Any) -> bool:
        """One event; False after the end of the document."""
        kind = type(event).__name__
        if kind == "ScalarEvent":
            # The first says that it has neither quotes nor a tag.
            self._add(scalar(event.value) if event.implicit[0] else event.value, event)
        elif kind == "MappingStartEvent":
            self._start({}, event)
        elif kind == "SequenceStartEvent":
            self._start([], event)
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._end()
        elif kind == "AliasEvent":
            self._add(self._anchored(event), event)
        return kind != "DocumentEndEvent"

    def _start(self, container: Any, event: Any) -> None:
        if len(self._stack) >= DEPTH:
            # Also for libyaml's sake, which takes the longer for each the deeper it is.
            raise BadYaml("it is nested too deeply", event.start_mark.line + 1)
        if event.anchor:
            self._open[id(container)] = event.anchor
        self._add(container, event)
        self._stack.append(container)
        self._keys.append(_NO_KEY)

    def _end(self) -> None:
        container = self._stack.pop()
        self._keys.pop()
        self._open.pop(id(container), None)
        if isinstance(container, dict) and _MERGE in container:
            _merge(container)

    def _add(self, value: Any, event: Any) -> None:
        anchor = getattr(event, "anchor", None)
        if anchor and type(event).__name__ != "AliasEvent":
            self._anchors[anchor] = value
        if not self._stack:
            self.value = value
            return
        container = self._stack[-1]
        if isinstance(container, list):
            container.append(value)
        elif self._keys[-1] is _NO_KEY:
            self._keys[-1] = _key(value, event)
        else:
            container[self._keys[-1]] = value
            self._keys[-1] = _NO_KEY

    def _anchored(self, event: Any) -> Any:
        line = event.start_mark.line + 1
        if event.anchor not in self._anchors:
            raise BadYaml(f"there is no anchor {event.anchor!r}", line)
        if event.anchor in self._open.values():
            raise BadYaml(f"the anchor {event.anchor!r} contains itself", line)
        return self._anchors[event.anchor]


_NO_KEY = object()


@lru_cache(10_000)
def scalar(text: str) -> Any:
    """What a text without quotes stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > _DIGITS or not _NUMBER.fullmatch(text):
        return text
    if text.startswith(("0x", "0o")):
        return int(text, 0)
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def _key(value: Any, event: Any) -> str:
    """Keys are texts, as in JSON: the `200` of a response, too."""
    if isinstance(value, dict | list):
        raise BadYaml("a key must be a text", event.start_mark.line + 1)
    return getattr(event, "value", None) or str(value)


def _merge(container: dict[str, Any]) -> None:
    """`<<: *base` takes over what is not there."""
    merged = container.pop(_MERGE)
    for base in merged if isinstance(merged, list) else [merged]:
        if isinstance(base, dict):
            for key, value in base.items():
                container.setdefault(key, value)


class UnfitDocument(Exception):
    """The document cannot be used; the message completes a sentence that begins with its name."""


def parsed(data: bytes) -> dict[str, Any]:
    """The document's top mapping; raises UnfitDocument."""
    text = _decoded(data)
    start = text.lstrip()[:200].lower()
    if not start:
        raise UnfitDocument("is empty")
    if start.startswith(("<!doctype", "<html", "<?xml", "<")):
        raise UnfitDocument("is a web page or XML, not an OpenAPI document: give the address of the document itself")
    value = _json(text) if start[0] in "{[" else None
    if value is None:
        value = _yaml(text)
    if not isinstance(value, dict):
        raise UnfitDocument("is no OpenAPI document: it must be a mapping with `openapi` and `paths`")
    return value


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnfitDocument(f"is not UTF-8 text (byte {error.start})") from None


def _json(text: str) -> Any:
    """None where it is none: what begins like JSON may be YAML."""
    try:
        return codec.decode(text)
    except ValueError as error:
        fault = " ".join(str(error).split())
    try:
        return quick_yaml(text)
    except BadYaml:
        raise UnfitDocument(f"is broken JSON: {fault}") from None


def _yaml(text: str) -> Any:
    try:
        return quick_yaml(text)
    except BadYaml as error:
        raise UnfitDocument(f"is broken YAML at line {error.line}: {error}") from None


DOCUMENT_LIMIT = 64_000_000
FETCH_SECONDS = 30.0
DOCUMENTS = 200
CHAIN = 50
Fetch = Callable[[str], bytes]
Upgrade = Callable[[dict[str, Any], str], dict[str, Any]]


class BrokenDocumentReference(Exception):
    """A `$ref` that leads nowhere; the message names it."""


@dataclass(frozen=True, slots=True)
class DocumentLocation:
    """Something in a document, and which document it is: references in it are seen from there."""

    node: Any
    document: str
    pointer: str = ""

    def at(self, node: Any, *steps: str | int) -> "DocumentLocation":
        """A part of it."""
        return DocumentLocation(
            node, self.document, self.pointer + "".join(f"/{_escaped(str(step))}" for step in steps)
        )


class Documents:
    """All the documents that belong to one."""

    def __init__(self, root: str, fetch: Fetch, upgrade: Upgrade | None = None) -> None:
        """What `upgrade` makes of a document, given its address, is what is read of it."""
        self.root = root
        self._fetch = fetch
        self._upgrade = upgrade
        self._read: dict[str, Any] = {}

    def top(self) -> dict[str, Any]:
        """The document itself; raises UnfitDocument."""
        return self._document(self.root)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Those that were read so far."""
        return tuple(self._read)

    def resolved(self, location: DocumentLocation) -> DocumentLocation:
        """The place itself, or where its `$ref` leads; raises BrokenReference."""
        for _ in range(CHAIN):
            reference = location.node.get("$ref") if isinstance(location.node, dict) else None
            if not isinstance(reference, str):
                return location
            location = self.followed(reference, location.document)
        raise BrokenDocumentReference(f"{location.node['$ref']!r} leads round in a circle")

    def followed(self, reference: str, document: str) -> DocumentLocation:
        """Where a reference in that document leads; raises BrokenReference."""
        address, _, pointer = reference.partition("#")
        target = self._address(address, document, reference) if address else document
        try:
            node: Any = self._document(target)
        except UnfitDocument as error:
            raise BrokenDocumentReference(f"{reference!r} leads to a document that {error}") from None
        for step in pointer.split("/")[1:]:
            node = _step(node, unquote(step).replace("~1", "/").replace("~0", "~"), reference)
        if pointer and not pointer.startswith("/"):
            raise BrokenDocumentReference(
                f"{reference!r} names an anchor, which is not supported: write a path such as '#/a/b'"
            )
        return DocumentLocation(node, target, pointer)

    def _address(self, address: str, document: str, reference: str) -> str:
        """Only what lies beside the document is read: it may not lead to any file or server it likes."""
        target = urljoin(document, address)
        here, there = urlsplit(document), urlsplit(target)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            raise BrokenDocumentReference(f"{reference!r} leads to another server: bundle the document into one")
        return target

    def _document(self, address: str) -> Any:
        if address not in self._read:
            if len(self._read) >= DOCUMENTS:
                raise UnfitDocument(f"is one of more than {DOCUMENTS}: bundle them into one")
            document = parsed(self._fetch(address))
            self._read[address] = self._upgrade(document, address) if self._upgrade else document
        return self._read[address]


class FileFetch:
    """Reads files, inside one folder only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def __call__(self, address: str) -> bytes:
        path = path_of(address)
        if not path.resolve().is_relative_to(self._folder):
            raise UnfitDocument(f"lies outside of the folder {self._folder.name!r}: move it there")
        try:
            if path.stat().st_size > DOCUMENT_LIMIT:
                raise UnfitDocument(f"has more than {DOCUMENT_LIMIT // 1_000_000} MB")
            return read_bytes(path, DOCUMENT_LIMIT)
        except FileNotFoundError:
            raise UnfitDocument("does not exist: check its path, seen from the workspace") from None
        except OSError as error:
            raise UnfitDocument(f"cannot be read: {error.strerror}") from None


class WebFetch:
    """Fetches documents, within bounds of time and size."""

    def __init__(self, client: HttpClient, seconds: float = FETCH_SECONDS) -> None:
        self._client = client
        self._seconds = seconds
        self._fetched = False

    def __call__(self, address: str) -> bytes:
        # The first is the user's own; where others lead, the document decides, and whoever serves it.
        stays, self._fetched = self._fetched, True
        shown = address.partition("?")[0]
        address = encoded_address(address)
        if not is_address(address):
            raise UnfitDocument("has an address that is none")
        headers = (("Accept", "application/json, application/yaml, text/yaml, */*;q=0.5"), ("User-Agent", "ptc-studio"))
        request = HttpRequest("GET", address, f"GET {shown}", headers, stays=stays)
        response = self._client.send(request, limit=DOCUMENT_LIMIT, seconds=self._seconds)
        if response.status != 200:
            raise UnfitDocument(f"is not to be had: the server answered {response.status} {response.reason}")
        return response.body


def path_of(address: str) -> Path:
    """The path of a `file:` address."""
    return Path(unquote(urlsplit(address).path))


def _step(node: Any, step: str, reference: str) -> Any:
    if isinstance(node, dict) and step in node:
        return node[step]
    if isinstance(node, list) and step.isdigit() and int(step) < len(node):
        return node[int(step)]
    raise BrokenDocumentReference(f"{reference!r} leads nowhere: there is no {step!r}")


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
