"""Finds the operations of a document."""

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ptc_studio.sources.openapi.documents import BrokenDocumentReference, DocumentLocation, Documents, UnfitDocument
from ptc_studio.sources.openapi.swagger import is_swagger, upgraded_operation

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_METHOD = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VERSIONS = ("3.0", "3.1", "3.2")


@dataclass(frozen=True, slots=True)
class Operation:
    """One of them, as the document has it."""

    method: str
    """As it is sent."""
    path: str
    location: DocumentLocation
    item: DocumentLocation
    """The path's own part of the document, with what its operations share."""

    @property
    def node(self) -> dict[str, Any]:
        return self.location.node

    @property
    def label(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def id(self) -> str:
        """The operation's id; empty if it has none."""
        found = self.node.get("operationId")
        return found.strip() if isinstance(found, str) else ""

    @property
    def tags(self) -> tuple[str, ...]:
        found = self.node.get("tags")
        return tuple(tag for tag in found if isinstance(tag, str)) if isinstance(found, list) else ()

    def fits(self, patterns: tuple[str, ...]) -> bool:
        """Whether one of the patterns means it."""
        names = [self.id, self.label, *(f"tag:{tag}" for tag in self.tags)]
        return any(fnmatchcase(name, pattern) for pattern in patterns for name in names if name)


@dataclass(frozen=True, slots=True)
class OperationError:
    """A part of the document that cannot be used."""

    label: str
    message: str


def check_version(document: dict[str, Any]) -> None:
    """Raises UnfitDocument for what is neither Swagger 2.0 nor OpenAPI 3."""
    version = document.get("openapi")
    if version is None and "swagger" not in document:
        raise UnfitDocument("is no OpenAPI document: it has no `openapi` key with its version")
    if not is_swagger(document) and not str(version).startswith(_VERSIONS):
        named = f"OpenAPI {version}" if version is not None else f"Swagger {document['swagger']}"
        raise UnfitDocument(f"is {named}: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 can be read")
    if not isinstance(document.get("paths"), dict) or not document["paths"]:
        raise UnfitDocument("has no `paths`, so there is nothing to call")


def operations(documents: Documents) -> Iterator[Operation | OperationError]:
    """Every operation, in the document's order, and every path that cannot be read."""
    top = DocumentLocation(documents.top(), documents.root)
    for path, node in top.node["paths"].items():
        if not isinstance(path, str) or path.startswith("x-"):
            continue
        try:
            item = documents.resolved(top.at(node, "paths", path))
        except BrokenDocumentReference as error:
            yield OperationError(path, str(error))
            continue
        if not isinstance(item.node, dict) or not path.startswith("/"):
            yield OperationError(path, "it must begin with '/' and have operations such as `get`")
            continue
        for method, location in _methods(item):
            try:
                yield _operation(method, path, location, item, documents)
            except BrokenDocumentReference as error:
                yield OperationError(f"{method} {path}", str(error))


def _methods(item: DocumentLocation) -> Iterator[tuple[str, DocumentLocation]]:
    """The operations of a path by method; since 3.2 there may be some of methods that nobody else has."""
    for method in METHODS:
        if method in item.node:
            yield method.upper(), item.at(item.node[method], method)
    more = item.node.get("additionalOperations")
    for method, node in more.items() if isinstance(more, dict) else ():
        yield method, item.at(node, "additionalOperations", method)


def _operation(
    method: str, path: str, location: DocumentLocation, item: DocumentLocation, documents: Documents
) -> Operation:
    if not _METHOD.fullmatch(method):
        raise BrokenDocumentReference("its method is none that can be sent")
    found = documents.resolved(location)
    if not isinstance(found.node, dict):
        raise BrokenDocumentReference("it must be a mapping")
    top = documents.top()
    if is_swagger(top):
        upgraded = upgraded_operation(found, item, documents, top)
        # Its parameters have those of the path among them.
        return Operation(method, path, found.at(upgraded), item.at({}))
    return Operation(method, path, found, item)


def safe_name(name: str) -> str:
    """The name as an identifier that every language takes."""
    safe = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "_"
    if safe[0].isdigit():
        safe = f"_{safe}"
    return f"{safe}_" if keyword.iskeyword(safe) else safe


def names_of(operations: Sequence[Operation]) -> list[str]:
    """A name for each, no two alike; slashes and dots in an id make namespaces."""
    wanted = [_dotted(operation.id) or _by_path(operation) for operation in operations]
    spaces = set(wanted)
    names: list[str] = []
    taken: set[str] = set()
    for operation, name in zip(operations, wanted, strict=True):
        name = name.replace(".", "_") if _within_another(name, spaces) else name
        name = _by_path(operation) if name in taken else name
        base, number = name, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        names.append(name)
    return names


def _dotted(operation_id: str) -> str:
    return ".".join(safe_name(part) for part in re.split(r"[/.]+", operation_id) if part)


def _by_path(operation: Operation) -> str:
    parts = [part for part in re.split(r"\W+", operation.path) if part]
    return safe_name("_".join((operation.method.lower(), *(parts or ["root"]))))


def _within_another(name: str, names: set[str]) -> bool:
    """Whether a tool has the name of the namespace: a script cannot have both."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in names for count in range(1, len(parts)))
