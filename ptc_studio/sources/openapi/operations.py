"""Finds the operations of a document, OpenAPI's or Swagger's.

Swagger 2.0 is read as OpenAPI 3.0. Its schemas stay where they are, for a reference leads to any place of a document.
What an operation refers to is put into it, because a parameter of 2.0 may turn out to be a body, or a part of one.
"""

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urljoin, urlsplit

from ptc_studio.sources.openapi.documents import BrokenDocumentReference, DocumentLocation, Documents, UnfitDocument

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_FLOWS = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}
_STYLES: Mapping[str, tuple[str, bool]] = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("tabDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
_NO_SCHEMA = frozenset(("name", "in", "description", "required", "collectionFormat", "allowEmptyValue"))
_BODY_PLACES = ("body", "formData")


def is_swagger(document: Mapping[str, Any]) -> bool:
    """Whether the document says that it is Swagger 2.0."""
    return str(document.get("swagger")) in ("2.0", "2") and "openapi" not in document


def upgraded_top(document: dict[str, Any], address: str) -> dict[str, Any]:
    """A document of Swagger with `servers` and security schemes as in 3.0; all else is as it was."""
    if not is_swagger(document):
        return document
    schemes = document.get("securityDefinitions")
    named = schemes.items() if isinstance(schemes, dict) else ()
    upgraded = {name: _scheme(node) if isinstance(node, dict) else node for name, node in named}
    return {
        **document,
        "servers": list(_servers(document, urlsplit(address).scheme)),
        "components": {"securitySchemes": upgraded},
    }


def _servers(document: Mapping[str, Any], own_scheme: str) -> Iterator[dict[str, Any]]:
    """One for each scheme, the safe one first; only a path where the document does not name its host."""
    host, path = document.get("host"), document.get("basePath")
    path = path if isinstance(path, str) else "/"
    if not isinstance(host, str) or not host:
        yield {"url": path}
        return
    given = document.get("schemes")
    schemes = [scheme for scheme in given if scheme in ("http", "https")] if isinstance(given, list) else []
    usual = own_scheme if own_scheme in ("http", "https") else "https"
    for scheme in sorted(schemes or [usual], reverse=True):
        yield {"url": f"{scheme}://{host}{path if path.startswith('/') else f'/{path}'}"}


def _scheme(node: dict[str, Any]) -> dict[str, Any]:
    if node.get("type") == "basic":
        return {**node, "type": "http", "scheme": "basic"}
    flow = _FLOWS.get(str(node.get("flow")))
    if node.get("type") != "oauth2" or flow is None:
        return node
    parts = {key: node[key] for key in ("authorizationUrl", "tokenUrl", "scopes") if key in node}
    return {"type": "oauth2", "flows": {flow: {"scopes": {}, **parts}}}


def upgraded_operation(
    location: DocumentLocation, item: DocumentLocation, documents: Documents, top: Mapping[str, Any]
) -> dict[str, Any]:
    """The operation as 3.0 writes it; raises BrokenDocumentReference."""
    node: dict[str, Any] = location.node
    found = _parameters(location, item, documents)
    plain = [_parameter(one) for one in found if one.get("in") not in _BODY_PLACES]
    body = _body([one for one in found if one.get("in") in _BODY_PLACES], _types(node, top, "consumes"))
    responses = node.get("responses")
    named = responses.items() if isinstance(responses, dict) else ()
    types = _types(node, top, "produces") or ["application/json"]
    return {
        **{key: value for key, value in node.items() if key != "requestBody"},
        "parameters": plain,
        **({"requestBody": body} if body else {}),
        "responses": {
            str(status): _response(documents, location.at(one, "responses", str(status)), types)
            for status, one in named
        },
    }


def _parameters(location: DocumentLocation, item: DocumentLocation, documents: Documents) -> list[dict[str, Any]]:
    """The path's and the operation's, references followed; the latter replace those of the same name and place."""
    found: dict[tuple[Any, Any], dict[str, Any]] = {}
    for owner in (item, location):
        for part in owner.node.get("parameters") or ():
            one = documents.resolved(owner.at(part, "parameters"))
            if not isinstance(one.node, dict):
                raise BrokenDocumentReference("one of its `parameters` is no mapping")
            # There is one body, whatever it is called.
            name = "" if one.node.get("in") == "body" else one.node.get("name")
            found[one.node.get("in"), name] = _seen_from(one, location.document)
    return list(found.values())


def _parameter(node: dict[str, Any]) -> dict[str, Any]:
    """A parameter whose type stands beside its name."""
    if "schema" in node or "content" in node:
        return node
    made = {key: node[key] for key in ("name", "in", "description", "required", "deprecated") if key in node}
    made["schema"] = _schema(node)
    if node.get("type") == "array":
        made["style"], made["explode"] = _style(node, str(node.get("in")))
    return made


def _schema(node: Mapping[str, Any]) -> dict[str, Any]:
    schema = {key: value for key, value in node.items() if key not in _NO_SCHEMA and not key.startswith("x-")}
    return {"type": "string", "format": "binary"} if schema.get("type") == "file" else schema


def _style(node: Mapping[str, Any], where: str) -> tuple[str, bool]:
    style, explode = _STYLES.get(str(node.get("collectionFormat", "csv")), _STYLES["csv"])
    return ("simple", False) if style == "form" and where in ("path", "header") else (style, explode)


def _types(node: Mapping[str, Any], top: Mapping[str, Any], key: str) -> list[str]:
    """The content types that the operation names, else those of the document."""
    found = node[key] if isinstance(node.get(key), list) else top.get(key)
    return [kind for kind in found if isinstance(kind, str)] if isinstance(found, list) else []


def _body(parts: list[dict[str, Any]], types: list[str]) -> dict[str, Any] | None:
    whole = next((part for part in parts if part.get("in") == "body"), None)
    if whole is not None:
        content = {kind: {"schema": whole.get("schema", {})} for kind in types or ["application/json"]}
        told = {key: whole[key] for key in ("description", "required") if key in whole}
        return {**told, "content": content}
    return _form(parts, types) if parts else None


def _form(parts: list[dict[str, Any]], types: list[str]) -> dict[str, Any]:
    named = [part for part in parts if isinstance(part.get("name"), str)]
    properties = {
        part["name"]: {**_schema(part), **({"description": part["description"]} if "description" in part else {})}
        for part in named
    }
    required = [part["name"] for part in named if part.get("required") is True]
    lists = [part for part in named if part.get("type") == "array"]
    encoding = {part["name"]: dict(zip(("style", "explode"), _style(part, "form"), strict=True)) for part in lists}
    has_file = any(part.get("type") == "file" for part in named)
    offered = [kind for kind in types if kind.partition(";")[0].strip().lower() in (FORM, MULTIPART)]
    media_types = [MULTIPART] if has_file else offered or [FORM]
    schema = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    media = {"schema": schema, **({"encoding": encoding} if encoding else {})}
    return {"required": bool(required), "content": dict.fromkeys(media_types, media)}


def _response(documents: Documents, location: DocumentLocation, types: list[str]) -> Any:
    """What cannot be followed stays: only whoever wants to know the answer's type stumbles over it."""
    try:
        found = documents.resolved(location)
    except BrokenDocumentReference:
        return location.node
    node = _seen_from(found, location.document)
    schema = node.get("schema") if isinstance(node, dict) else None
    if not isinstance(schema, dict) or schema.get("type") == "file":
        return node
    return {**node, "content": {kind: {"schema": schema} for kind in types}}


def _seen_from(location: DocumentLocation, document: str) -> Any:
    """The node, with references that are right in that document, too."""
    return location.node if location.document == document else _with_base(location.node, location.document)


def _with_base(node: Any, document: str) -> Any:
    if isinstance(node, list):
        return [_with_base(part, document) for part in node]
    if not isinstance(node, dict):
        return node
    made = {key: _with_base(part, document) for key, part in node.items()}
    if isinstance(node.get("$ref"), str):
        reference = node["$ref"]
        made["$ref"] = f"{document}{reference}" if reference.startswith("#") else urljoin(document, reference)
    return made


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
