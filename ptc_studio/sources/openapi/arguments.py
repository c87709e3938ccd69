"""Puts path, query, header, cookie and body of an operation into one schema of arguments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.sources.openapi.documents import BrokenDocumentReference, DocumentLocation, Documents
from ptc_studio.sources.openapi.operations import Operation, safe_name
from ptc_studio.sources.openapi.plans import BodyKind, BodyPlan, PartEncoding, RequestArgument, Where
from ptc_studio.sources.openapi.schemas import SchemaMaker

_DEPTH = 10
_HARD = (
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "discriminator",
    "unevaluatedProperties",
)


@dataclass(slots=True)
class FlatObject:
    """The properties of an object, and which of them must be there."""

    properties: dict[str, DocumentLocation] = field(default_factory=dict[str, DocumentLocation])
    required: list[str] = field(default_factory=list[str])
    choices: dict[str, Any] = field(default_factory=dict[str, Any])
    """`anyOf` and `oneOf` that say nothing but which properties go together."""

    def add(self, other: "FlatObject") -> None:
        """Joins the two, as `allOf` does."""
        self.properties |= other.properties
        self.required += [name for name in other.required if name not in self.required]
        self.choices |= other.choices


def flat_object(documents: Documents, location: DocumentLocation, depth: int = 0) -> FlatObject | None:
    """None for a schema that is more than a plain object. Raises BrokenReference."""
    found = documents.resolved(location)
    node = found.node
    if (
        depth > _DEPTH
        or not isinstance(node, dict)
        or node.get("nullable") is True
        or any(key in node for key in _HARD)
    ):
        return None
    if node.get("type", "object") != "object" or node.get("additionalProperties", False) is not False:
        return None
    flat = FlatObject()
    for part in node.get("allOf") or ():
        inner = flat_object(documents, found.at(part), depth + 1)
        if inner is None:
            return None
        flat.add(inner)
    properties = node.get("properties")
    if isinstance(properties, dict):
        flat.properties |= {name: found.at(part, "properties", name) for name, part in properties.items()}
    required = node.get("required")
    if isinstance(required, list):
        flat.required += [name for name in required if isinstance(name, str) and name not in flat.required]
    for key in ("anyOf", "oneOf"):
        if key in node:
            if not _only_required(node[key]):
                return None
            flat.choices[key] = [{"required": choice["required"]} for choice in node[key]]
    if flat.properties and not depth:
        # Required, but nowhere described: it may be anything.
        flat.properties |= {name: found.at({}) for name in flat.required if name not in flat.properties}
    return flat if flat.properties or depth else None


def _only_required(choices: Any) -> bool:
    return isinstance(choices, list) and all(
        isinstance(choice, dict)
        and isinstance(choice.get("required"), list)
        and set(choice) <= {"required", "title", "description"}
        for choice in choices
    )


_KINDS: tuple[BodyKind, ...] = ("json", "lines", "multipart", "form", "text", "binary")
_OBJECTS: tuple[BodyKind, ...] = ("json", "multipart", "form")
_JSON_ORDER = ("application/json", "application/merge-patch+json", "", "application/json-patch+json", "*/*")
"""Where several kinds of JSON are offered: an object is what people have, a list of changes is not."""
_LINES = ("application/jsonl", "application/x-ndjson", "application/x-jsonlines", "application/jsonlines")
FILE: dict[str, Any] = {
    "description": "A file of the workspace by its path, or as `{path}`; or `{base64, filename}`; or any other text.",
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "base64": {"type": "string"},
                "filename": {"type": "string"},
                "content_type": {"type": "string"},
            },
            "additionalProperties": False,
            "anyOf": [{"required": ["path"]}, {"required": ["base64"]}],
        },
    ],
}


def add_body(gathered: "Arguments", location: DocumentLocation) -> None:
    """Adds what the body takes; raises BrokenReference."""
    location = gathered.documents.resolved(location)
    required = isinstance(location.node, dict) and location.node.get("required") is True
    offered = _offered(gathered, location, required)
    if not offered:
        return
    plan, schema = offered[0]
    gathered.bodies = [plan]
    flat = flat_object(gathered.documents, schema) if plan.kind in _OBJECTS else None
    if flat is not None and _add_properties(gathered, flat, required):
        files = any(one.is_file for one in gathered.found)
        gathered.bodies += [other for other, part in offered[1:] if _is_alike(gathered, flat, other, part, files=files)]
    else:
        gathered.bodies += [other for other, _ in offered[1:]]
        _add_whole(gathered, offered, required, location.node.get("description"))
    _add_media_type(gathered)


def _offered(
    gathered: "Arguments", location: DocumentLocation, required: bool
) -> list[tuple[BodyPlan, DocumentLocation]]:
    """The ways to send the body, and the schema of each, the best first."""
    content = location.node.get("content") if isinstance(location.node, dict) else None
    found: list[tuple[BodyPlan, DocumentLocation]] = []
    for media_type, node in content.items() if isinstance(content, dict) else ():
        holder = gathered.documents.resolved(location.at(node, "content", media_type))
        if not isinstance(holder.node, dict):
            raise BrokenDocumentReference(f"its body as {media_type!r} must be a mapping")
        schema = holder.at(holder.node.get("schema", {}), "schema")
        if "schema" not in holder.node and "itemSchema" in holder.node:
            schema = holder.at({"type": "array", "items": holder.node["itemSchema"]}, "itemSchema")
        found.append((BodyPlan(_kind(media_type), media_type, _encodings(holder.node), required), schema))
    named = [one for one in found if "*" not in one[0].media_type]
    return sorted(named or found, key=lambda one: (_KINDS.index(one[0].kind), _json_rank(one[0].media_type)))


def _json_rank(media_type: str) -> int:
    plain = media_type.partition(";")[0].strip().lower()
    return _JSON_ORDER.index(plain if plain in _JSON_ORDER else "")


def _is_alike(
    gathered: "Arguments", flat: FlatObject, plan: BodyPlan, schema: DocumentLocation, *, files: bool
) -> bool:
    """Whether the same arguments can be sent as this, too."""
    other = flat_object(gathered.documents, schema) if plan.kind in _OBJECTS else None
    if other is None or (files and plan.kind != "multipart"):
        return False
    same = list(other.properties) == list(flat.properties) and other.required == flat.required
    has_files = plan.kind == "multipart" and any(_is_file(gathered, part) for part in other.properties.values())
    return same and has_files == files


def _add_media_type(gathered: "Arguments") -> None:
    """An argument for the choice, where there is one."""
    media_types = [plan.media_type for plan in gathered.bodies]
    if len(media_types) > 1:
        name = "content_type" if "content_type" not in gathered.properties else "body_content_type"
        schema = {"type": "string", "enum": media_types, "default": media_types[0]}
        schema["description"] = "What the body is sent as."
        gathered.add(RequestArgument(name, name, "media_type"), schema, required=False)


def _kind(media_type: str) -> BodyKind:
    plain = media_type.partition(";")[0].strip().lower()
    if plain in ("application/json", "text/json", "*/*", "application/*") or plain.endswith("+json"):
        return "json"
    if plain == "application/x-www-form-urlencoded":
        return "form"
    if plain.startswith("multipart/"):
        return "multipart"
    if plain in _LINES:
        return "lines"
    if plain.startswith("text/") or plain.endswith(("xml", "yaml")):
        return "text"
    return "binary"


def _encodings(node: dict[str, Any]) -> dict[str, PartEncoding]:
    encoding = node.get("encoding")
    parts = encoding.items() if isinstance(encoding, dict) else ()
    return {name: _encoding(part) for name, part in parts if isinstance(part, dict)}


def _encoding(node: dict[str, Any]) -> PartEncoding:
    kind = node.get("contentType")
    media_type = kind.partition(",")[0].strip() if isinstance(kind, str) else ""
    if not any(key in node for key in ("style", "explode", "allowReserved")):
        return PartEncoding(media_type)
    style = node["style"] if isinstance(node.get("style"), str) else "form"
    explode = node["explode"] if isinstance(node.get("explode"), bool) else style in ("form", "deepObject")
    return PartEncoding(media_type, style, explode, node.get("allowReserved") is True)


def _add_properties(gathered: "Arguments", flat: FlatObject, required: bool) -> bool:
    """False, and nothing done, where the names do not go together with those of the other parameters."""
    shown = {name: location for name, location in flat.properties.items() if not gathered.maker.is_hidden(location)}
    names = {name: safe_name(name) for name in shown}
    if len(set(names.values())) < len(names) or set(names.values()) & set(gathered.properties):
        return False
    must = [name for name in flat.required if name in shown]
    for wire_name, location in shown.items():
        is_file = gathered.bodies[0].kind == "multipart" and _is_file(gathered, location)
        schema = _file_schema(gathered, location) if is_file else gathered.maker.schema(location, gathered.needs)
        argument = RequestArgument(names[wire_name], wire_name, "property", is_file=is_file)
        gathered.add(argument, _as_mapping(schema), required and wire_name in must)
    if must and not required:
        # The body may be left out; but if there is one, it must be whole.
        others = {names[name]: [names[one] for one in must if one != name] for name in shown}
        gathered.conditions["dependentRequired"] = {name: needed for name, needed in others.items() if needed}
    if required:
        gathered.conditions |= _choices(flat, names)
    return True


def _choices(flat: FlatObject, names: dict[str, str]) -> dict[str, Any]:
    return {
        key: [{"required": [names.get(name, name) for name in choice["required"]]} for choice in choices]
        for key, choices in flat.choices.items()
    }


def _add_whole(
    gathered: "Arguments", offered: list[tuple[BodyPlan, DocumentLocation]], required: bool, description: Any
) -> None:
    schemas: list[dict[str, Any]] = []
    for plan, location in offered:
        schema = _whole_schema(gathered, plan, location)
        if schema not in schemas:
            schemas.append(schema)
    whole = schemas[0] if len(schemas) == 1 else {} if {} in schemas else {"anyOf": schemas}
    if isinstance(description, str) and "description" not in whole:
        whole = {**whole, "description": description}
    name = "body" if "body" not in gathered.properties else "request_body"
    is_file = offered[0][0].kind == "binary"
    gathered.add(RequestArgument(name, name, "body", is_file=is_file), whole, required)


def _whole_schema(gathered: "Arguments", plan: BodyPlan, location: DocumentLocation) -> dict[str, Any]:
    if plan.kind == "binary":
        return FILE
    if plan.kind == "text" and _as_mapping(gathered.documents.resolved(location).node).get("type") != "string":
        # Its parts are described, but nobody could write them but the script.
        return {"type": "string", "description": f"The text, as {plan.media_type}."}
    return _as_mapping(gathered.maker.schema(location, gathered.needs))


def _as_mapping(schema: Any) -> dict[str, Any]:
    return schema if isinstance(schema, dict) else {}


def _is_file(gathered: "Arguments", location: DocumentLocation) -> bool:
    location = gathered.documents.resolved(location)
    node = location.node
    if not isinstance(node, dict):
        return False
    if node.get("type") == "array":
        return _is_file(gathered, location.at(node.get("items", {}), "items"))
    packed = "contentMediaType" in node and "contentEncoding" not in node
    return node.get("format") == "binary" or packed


def _file_schema(gathered: "Arguments", location: DocumentLocation) -> dict[str, Any]:
    node = gathered.documents.resolved(location).node
    described = {"description": node["description"]} if isinstance(node.get("description"), str) else {}
    if node.get("type") == "array":
        return {"type": "array", "items": FILE, **described}
    return {**FILE, **({"description": f"{described['description']} {FILE['description']}"} if described else {})}


_PLACES: tuple[Where, ...] = ("path", "query", "querystring", "header", "cookie")
_STYLES = {"path": "simple", "query": "form", "querystring": "form", "header": "simple", "cookie": "form"}
WITH_HEADERS = "Gives `{status, headers, body}` in place of the body alone; the names of headers are in small letters."
# The document's own words on these do not count: they follow from the rest of it.
_IGNORED_HEADERS = ("accept", "content-type", "authorization")


@dataclass(slots=True)
class Arguments:
    """What is gathered."""

    maker: SchemaMaker
    documents: Documents
    found: list[RequestArgument] = field(default_factory=list[RequestArgument])
    properties: dict[str, Any] = field(default_factory=dict[str, Any])
    required: list[str] = field(default_factory=list[str])
    conditions: dict[str, Any] = field(default_factory=dict[str, Any])
    needs: set[str] = field(default_factory=set[str])
    bodies: list[BodyPlan] = field(default_factory=list[BodyPlan])

    def add(self, argument: RequestArgument, schema: dict[str, Any], required: bool) -> None:
        """One more."""
        if argument.name != argument.wire_name and argument.where not in ("body", "path"):
            note = f"Sent as `{argument.wire_name}`."
            schema = {**schema, "description": f"{schema.get('description', '')} {note}".strip()}
        self.found.append(argument)
        self.properties[argument.name] = schema
        if required:
            self.required.append(argument.name)

    @property
    def schema(self) -> dict[str, Any]:
        """The whole schema."""
        schema = {
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            **self.conditions,
            "additionalProperties": False,
        }
        if self.needs:
            schema["$defs"] = self.maker.definitions(self.needs)
        return schema


def arguments_of(
    operation: Operation,
    documents: Documents,
    maker: SchemaMaker,
    keys: frozenset[tuple[str, str]],
    *,
    with_headers: bool = False,
) -> Arguments:
    """Gathers them; those that are keys which the user gave are none. Raises BrokenReference.

    The script can ask for the headers of the answer, too, if `with_headers` says so.
    """
    gathered = Arguments(maker, documents)
    for location in _parameters(operation, documents):
        node = location.node
        if (node["in"], node["name"]) not in keys:
            _add_parameter(gathered, location)
    _add_forgotten(gathered, operation)
    if "requestBody" in operation.node:
        add_body(gathered, operation.location.at(operation.node["requestBody"], "requestBody"))
    if with_headers:
        _add_with_headers(gathered)
    return gathered


def _add_with_headers(gathered: Arguments) -> None:
    name = "with_headers" if "with_headers" not in gathered.properties else "with_response_headers"
    schema = {"type": "boolean", "default": False, "description": WITH_HEADERS}
    gathered.add(RequestArgument(name, name, "with_headers"), schema, required=False)


def _parameters(operation: Operation, documents: Documents) -> Iterator[DocumentLocation]:
    """The path's, and the operation's, which replace those of the same name and place."""
    found: dict[tuple[str, str], DocumentLocation] = {}
    for owner in (operation.item, operation.location):
        for node in owner.node.get("parameters") or ():
            location = documents.resolved(owner.at(node, "parameters"))
            if not isinstance(location.node, dict) or not isinstance(location.node.get("name"), str):
                raise BrokenDocumentReference("one of its `parameters` has no name")
            where, name = location.node.get("in"), location.node["name"]
            if where not in _PLACES:
                raise BrokenDocumentReference(
                    f"its parameter {name!r} is in {where!r}, not in path, query, header or cookie"
                )
            if where != "header" or name.lower() not in _IGNORED_HEADERS:
                found[where, name] = location
    yield from sorted(found.values(), key=lambda location: _PLACES.index(location.node["in"]))


def _add_parameter(gathered: Arguments, location: DocumentLocation) -> None:
    node = location.node
    where, wire_name = node["in"], node["name"]
    content = node.get("content")
    holder, as_json = location, False
    if isinstance(content, dict) and content:
        media_type, holder_node = next(iter(content.items()))
        holder = gathered.documents.resolved(location.at(holder_node, "content", media_type))
        as_json = "json" in media_type
    inner = holder.node.get("schema") if isinstance(holder.node, dict) else None
    schema = gathered.maker.schema(holder.at(inner, "schema"), gathered.needs) if isinstance(inner, dict) else {}
    schema = {**schema, **_notes(node)}
    style = node.get("style") if isinstance(node.get("style"), str) else _STYLES[where]
    explode = node["explode"] if isinstance(node.get("explode"), bool) else style in ("form", "deepObject")
    name = safe_name(wire_name)
    name = f"{name}_{where}" if name in gathered.properties else name
    argument = RequestArgument(name, wire_name, where, style, explode, node.get("allowReserved") is True, as_json)
    gathered.add(argument, schema, node.get("required") is True or where == "path")


def _add_forgotten(gathered: Arguments, operation: Operation) -> None:
    """Names in the path that the document says nothing of."""
    known = {argument.wire_name for argument in gathered.found if argument.where == "path"}
    for wire_name in dict.fromkeys(re.findall(r"\{([^{}]+)\}", operation.path)):
        if wire_name not in known:
            name = safe_name(wire_name)
            name = f"{name}_path" if name in gathered.properties else name
            gathered.add(RequestArgument(name, wire_name, "path", "simple"), {"type": "string"}, required=True)


def _notes(node: dict[str, Any]) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    if isinstance(node.get("description"), str):
        notes["description"] = node["description"]
    if node.get("deprecated") is True:
        notes["deprecated"] = True
    return notes
