"""Gets documents, from files or from the web, each once; and follows references within and between them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core import codec
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.messages import HttpRequest
from ptc_studio.sources.http.templates import encoded_address, is_address
from ptc_studio.sources.openapi.quick_yaml import BadYaml, quick_yaml


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
