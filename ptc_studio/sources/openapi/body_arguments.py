"""The body of an operation as arguments: the properties of a plain object, or one argument `body`."""

from typing import TYPE_CHECKING, Any

from ptc_studio.sources.openapi.documents import BrokenReference, Place
from ptc_studio.sources.openapi.flat_objects import FlatObject, flat_object
from ptc_studio.sources.openapi.naming import safe_name
from ptc_studio.sources.openapi.plans import Argument, BodyKind, BodyPlan

if TYPE_CHECKING:
    from ptc_studio.sources.openapi.arguments import Arguments

_KINDS: tuple[BodyKind, ...] = ("json", "multipart", "form", "text", "binary")
FILE: dict[str, Any] = {
    "description": "A text; or `{path}` of a file in the workspace; or `{base64, filename}`.",
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


def add_body(gathered: "Arguments", place: Place) -> None:
    """Adds what the body takes; raises BrokenReference."""
    place = gathered.documents.resolved(place)
    content = place.node.get("content") if isinstance(place.node, dict) else None
    if not isinstance(content, dict) or not content:
        return
    media_type = min(content, key=lambda one: _KINDS.index(_kind(one)))
    kind = _kind(media_type)
    holder = place.at(content[media_type], "content", media_type)
    if not isinstance(holder.node, dict):
        raise BrokenReference(f"its body as {media_type!r} must be a mapping")
    gathered.body = BodyPlan(kind, media_type, _part_types(holder.node))
    required = place.node.get("required") is True
    schema = holder.at(holder.node.get("schema", {}), "schema")
    flat = flat_object(gathered.documents, schema) if kind in ("json", "form", "multipart") else None
    if flat is None or not _add_properties(gathered, flat, required):
        _add_whole(gathered, schema, kind, required, place.node.get("description"))


def _kind(media_type: str) -> BodyKind:
    plain = media_type.partition(";")[0].strip().lower()
    if plain in ("application/json", "*/*", "application/*") or plain.endswith("+json"):
        return "json"
    if plain == "application/x-www-form-urlencoded":
        return "form"
    if plain.startswith("multipart/"):
        return "multipart"
    if plain.startswith("text/") or plain.endswith(("xml", "yaml")):
        return "text"
    return "binary"


def _part_types(node: dict[str, Any]) -> dict[str, str]:
    encoding = node.get("encoding")
    if not isinstance(encoding, dict):
        return {}
    types = {name: part.get("contentType") for name, part in encoding.items() if isinstance(part, dict)}
    return {name: kind.partition(",")[0].strip() for name, kind in types.items() if isinstance(kind, str)}


def _add_properties(gathered: "Arguments", flat: FlatObject, required: bool) -> bool:
    """False, and nothing done, where the names do not go together with those of the other parameters."""
    shown = {name: place for name, place in flat.properties.items() if not gathered.maker.is_hidden(place)}
    names = {name: safe_name(name) for name in shown}
    if len(set(names.values())) < len(names) or set(names.values()) & set(gathered.properties):
        return False
    must = [name for name in flat.required if name in shown]
    for wire_name, place in shown.items():
        is_file = gathered.body is not None and gathered.body.kind == "multipart" and _is_file(gathered, place)
        schema = _file_schema(gathered, place) if is_file else gathered.maker.schema(place, gathered.needs)
        argument = Argument(names[wire_name], wire_name, "property", is_file=is_file)
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


def _add_whole(gathered: "Arguments", place: Place, kind: BodyKind, required: bool, description: Any) -> None:
    schema = FILE if kind == "binary" else _as_mapping(gathered.maker.schema(place, gathered.needs))
    if isinstance(description, str) and "description" not in schema:
        schema = {**schema, "description": description}
    name = "body" if "body" not in gathered.properties else "request_body"
    gathered.add(Argument(name, name, "body", is_file=kind == "binary"), schema, required)


def _as_mapping(schema: Any) -> dict[str, Any]:
    return schema if isinstance(schema, dict) else {}


def _is_file(gathered: "Arguments", place: Place) -> bool:
    place = gathered.documents.resolved(place)
    node = place.node
    if not isinstance(node, dict):
        return False
    if node.get("type") == "array":
        return _is_file(gathered, place.at(node.get("items", {}), "items"))
    packed = "contentMediaType" in node and "contentEncoding" not in node
    return node.get("format") == "binary" or packed


def _file_schema(gathered: "Arguments", place: Place) -> dict[str, Any]:
    node = gathered.documents.resolved(place).node
    described = {"description": node["description"]} if isinstance(node.get("description"), str) else {}
    if node.get("type") == "array":
        return {"type": "array", "items": FILE, **described}
    return {**FILE, **({"description": f"{described['description']} {FILE['description']}"} if described else {})}
