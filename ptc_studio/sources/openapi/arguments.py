"""Puts path, query, header, cookie and body of an operation into one schema of arguments."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.sources.openapi.body_arguments import add_body
from ptc_studio.sources.openapi.documents import BrokenReference, Documents, Place
from ptc_studio.sources.openapi.naming import safe_name
from ptc_studio.sources.openapi.operations import Operation
from ptc_studio.sources.openapi.plans import Argument, BodyPlan, Where
from ptc_studio.sources.openapi.schemas import SchemaMaker

_PLACES: tuple[Where, ...] = ("path", "query", "header", "cookie")
_STYLES = {"path": "simple", "query": "form", "header": "simple", "cookie": "form"}
# The document's own words on these do not count: they follow from the rest of it.
_IGNORED_HEADERS = ("accept", "content-type", "authorization")


@dataclass(slots=True)
class Arguments:
    """What is gathered."""

    maker: SchemaMaker
    documents: Documents
    found: list[Argument] = field(default_factory=list[Argument])
    properties: dict[str, Any] = field(default_factory=dict[str, Any])
    required: list[str] = field(default_factory=list[str])
    conditions: dict[str, Any] = field(default_factory=dict[str, Any])
    needs: set[str] = field(default_factory=set[str])
    body: BodyPlan | None = None

    def add(self, argument: Argument, schema: dict[str, Any], required: bool) -> None:
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
    operation: Operation, documents: Documents, maker: SchemaMaker, keys: frozenset[tuple[str, str]]
) -> Arguments:
    """Gathers them; those that are keys which the user gave are none. Raises BrokenReference."""
    gathered = Arguments(maker, documents)
    for place in _parameters(operation, documents):
        node = place.node
        if (node["in"], node["name"]) not in keys:
            _add_parameter(gathered, place)
    _add_forgotten(gathered, operation)
    if "requestBody" in operation.node:
        add_body(gathered, operation.place.at(operation.node["requestBody"], "requestBody"))
    return gathered


def _parameters(operation: Operation, documents: Documents) -> Iterator[Place]:
    """The path's, and the operation's, which replace those of the same name and place."""
    found: dict[tuple[str, str], Place] = {}
    for owner in (operation.item, operation.place):
        for node in owner.node.get("parameters") or ():
            place = documents.resolved(owner.at(node, "parameters"))
            if not isinstance(place.node, dict) or not isinstance(place.node.get("name"), str):
                raise BrokenReference("one of its `parameters` has no name")
            where, name = place.node.get("in"), place.node["name"]
            if where not in _PLACES:
                raise BrokenReference(f"its parameter {name!r} is in {where!r}, not in path, query, header or cookie")
            if where != "header" or name.lower() not in _IGNORED_HEADERS:
                found[where, name] = place
    yield from sorted(found.values(), key=lambda place: _PLACES.index(place.node["in"]))


def _add_parameter(gathered: Arguments, place: Place) -> None:
    node = place.node
    where, wire_name = node["in"], node["name"]
    content = node.get("content")
    holder, as_json = place, False
    if isinstance(content, dict) and content:
        media_type, holder_node = next(iter(content.items()))
        holder, as_json = place.at(holder_node, "content"), "json" in media_type
    inner = holder.node.get("schema") if isinstance(holder.node, dict) else None
    schema = gathered.maker.schema(holder.at(inner, "schema"), gathered.needs) if isinstance(inner, dict) else {}
    schema = {**schema, **_notes(node)}
    style = node.get("style") if isinstance(node.get("style"), str) else _STYLES[where]
    explode = node["explode"] if isinstance(node.get("explode"), bool) else style in ("form", "deepObject")
    name = safe_name(wire_name)
    name = f"{name}_{where}" if name in gathered.properties else name
    argument = Argument(name, wire_name, where, style, explode, node.get("allowReserved") is True, as_json)
    gathered.add(argument, schema, node.get("required") is True or where == "path")


def _add_forgotten(gathered: Arguments, operation: Operation) -> None:
    """Names in the path that the document says nothing of."""
    import re

    known = {argument.wire_name for argument in gathered.found if argument.where == "path"}
    for wire_name in dict.fromkeys(re.findall(r"\{([^{}]+)\}", operation.path)):
        if wire_name not in known:
            name = safe_name(wire_name)
            name = f"{name}_path" if name in gathered.properties else name
            gathered.add(Argument(name, wire_name, "path", "simple"), {"type": "string"}, required=True)


def _notes(node: dict[str, Any]) -> dict[str, Any]:
    notes: dict[str, Any] = {}
    if isinstance(node.get("description"), str):
        notes["description"] = node["description"]
    if node.get("deprecated") is True:
        notes["deprecated"] = True
    return notes
