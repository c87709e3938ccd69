"""Finds the operations of a document."""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from ptc_studio.sources.openapi.documents import BrokenReference, Documents, Place
from ptc_studio.sources.openapi.parsing import UnfitDocument

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True, slots=True)
class Operation:
    """One of them, as the document has it."""

    method: str
    path: str
    place: Place
    item: Place
    """The path's own part of the document, with what its operations share."""

    @property
    def node(self) -> dict[str, Any]:
        return self.place.node

    @property
    def label(self) -> str:
        return f"{self.method.upper()} {self.path}"

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
class Fault:
    """A part of the document that cannot be used."""

    label: str
    message: str


def check_version(document: dict[str, Any]) -> None:
    """Raises UnfitDocument for what is no OpenAPI 3.0 or 3.1."""
    if "swagger" in document:
        version = str(document["swagger"])
        raise UnfitDocument(f"is Swagger {version}: convert it to OpenAPI 3, for instance with swagger2openapi")
    version = document.get("openapi")
    if version is None:
        raise UnfitDocument("is no OpenAPI document: it has no `openapi` key with its version")
    if not str(version).startswith(("3.0", "3.1")):
        raise UnfitDocument(f"is OpenAPI {version}: 3.0 and 3.1 can be read")
    if not isinstance(document.get("paths"), dict) or not document["paths"]:
        raise UnfitDocument("has no `paths`, so there is nothing to call")


def operations(documents: Documents) -> Iterator[Operation | Fault]:
    """Every operation, in the document's order, and every path that cannot be read."""
    top = Place(documents.top(), documents.root)
    for path, node in top.node["paths"].items():
        if not isinstance(path, str) or path.startswith("x-"):
            continue
        try:
            item = documents.resolved(top.at(node, "paths", path))
        except BrokenReference as error:
            yield Fault(path, str(error))
            continue
        if not isinstance(item.node, dict) or not path.startswith("/"):
            yield Fault(path, "it must begin with '/' and have operations such as `get`")
            continue
        for method in METHODS:
            if isinstance(item.node.get(method), dict):
                yield Operation(method, path, item.at(item.node[method], method), item)
            elif method in item.node:
                yield Fault(f"{method.upper()} {path}", "it must be a mapping")
