"""Reads Swagger 2.0 as OpenAPI 3.0: the top of a document, and each operation when it is found.

Schemas stay where they are, for a reference leads to any place of a document. What an operation refers to is put into
it, because a parameter of 2.0 may turn out to be a body, or a part of one.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from ptc_studio.sources.openapi.documents import BrokenDocumentReference, DocumentLocation, Documents

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
