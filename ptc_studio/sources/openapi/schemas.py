"""Makes JSON Schemas (2020-12) of the schemas of a document, of 2.0 and 3 alike.

What a `$ref` leads to is made once and stands under `$defs` of every schema that needs it, so that recursive ones stay
finite and large ones small. Whatever a validator would stumble over is left out.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ptc_studio.core.schema_patterns import is_broken
from ptc_studio.core.schema_validation import is_number, is_size, is_text
from ptc_studio.sources.http.answers import is_json
from ptc_studio.sources.openapi.documents import BrokenDocumentReference, DocumentLocation, Documents
from ptc_studio.sources.openapi.operations import Operation

TYPES = frozenset(("string", "number", "integer", "boolean", "object", "array", "null"))
ONE_SCHEMA = frozenset(
    ("additionalProperties", "not", "contains", "propertyNames", "if", "then", "else", "unevaluatedProperties")
)
SCHEMA_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
SCHEMA_MAPS = frozenset(("properties", "patternProperties", "dependentSchemas"))


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _is_pattern(value: Any) -> bool:
    # What is no pattern in any dialect that is known here is left to the server to check.
    return isinstance(value, str) and not is_broken(value)


PLAIN: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("title", "description", "format", "contentEncoding", "contentMediaType"), is_text),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), is_size),
    **dict.fromkeys(("uniqueItems", "deprecated"), lambda value: isinstance(value, bool)),
    **dict.fromkeys(("const", "default"), lambda _value: True),
    "enum": _is_list,
    "examples": _is_list,
    "required": _is_names,
    "multipleOf": lambda value: is_number(value) and value > 0,
    "pattern": _is_pattern,
}


def types_of(value: Any) -> list[str]:
    """The known types among those that are named."""
    named = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(name for name in named if isinstance(name, str) and name in TYPES))


Direction = Literal["request", "response"]
DEPTH = 60
NODES = 20_000
"""Of one schema, and a hundred times as many of all together: a few lines with aliases can stand for billions."""
_HIDDEN = {"request": "readOnly", "response": "writeOnly"}


@dataclass(slots=True)
class _Work:
    """One schema in the making."""

    needs: set[str]
    left: int = NODES


@dataclass(frozen=True, slots=True)
class _Definition:
    """A schema that others refer to, and the names of those that it refers to."""

    schema: dict[str, Any]
    needs: frozenset[str]


class SchemaMaker:
    """Makes schemas for requests, or for responses: what is read-only is no part of the former."""

    def __init__(self, documents: Documents, direction: Direction) -> None:
        self._documents = documents
        self._hidden = _HIDDEN[direction]
        self._names: dict[tuple[str, str], str] = {}
        self._places: dict[str, DocumentLocation] = {}
        self._made: dict[str, _Definition] = {}
        self._left = 100 * NODES

    def schema(self, location: DocumentLocation, needs: set[str]) -> dict[str, Any]:
        """The schema at the place, itself if it is a reference; `needs` gets the names that it refers to."""
        found = self._documents.resolved(location)
        if found is location:
            return _mapping(self._schema(location, _Work(needs), 0))
        definition = self._definition(self._name(found))
        needs |= definition.needs
        beside = {key: value for key, value in location.node.items() if key in ("description", "title", "default")}
        return {**definition.schema, **beside}

    def definitions(self, needs: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What stands under `$defs` for these names, and for those that they need in turn."""
        found: dict[str, dict[str, Any]] = {}
        waiting = sorted(needs)
        while waiting:
            name = waiting.pop()
            if name not in found:
                definition = self._definition(name)
                found[name] = definition.schema
                waiting += sorted(definition.needs)
        return dict(sorted(found.items()))

    def is_hidden(self, location: DocumentLocation) -> bool:
        """Whether a property is no part of what goes in this direction."""
        # Authors write it beside a reference as well, where by the letter of 3.0 it does not count.
        nodes = (location.node, self._documents.resolved(location).node)
        return any(isinstance(node, dict) and node.get(self._hidden) is True for node in nodes)

    def _definition(self, name: str) -> _Definition:
        if name not in self._made:
            needs: set[str] = set()
            schema = _mapping(self._schema(self._places[name], _Work(needs), 0))
            self._made[name] = _Definition(schema, frozenset(needs))
        return self._made[name]

    def _name(self, location: DocumentLocation) -> str:
        key = (location.document, location.pointer)
        if key not in self._names:
            base = location.pointer.rpartition("/")[2].replace("~1", "_").replace("~0", "_").replace("%", "_") or "Root"
            name, number = base, 2
            while name in self._places:
                name, number = f"{base}_{number}", number + 1
            self._names[key] = name
            self._places[name] = location
        return self._names[key]

    def _schema(self, location: DocumentLocation, work: _Work, depth: int) -> Any:
        node = location.node
        if isinstance(node, bool):
            return node
        if not isinstance(node, dict):
            return {}
        work.left -= 1
        self._left -= 1
        if depth > DEPTH or work.left < 0 or self._left < 0:
            raise BrokenDocumentReference(f"the schema at {location.pointer[:80]!r} is nested too deeply or too large")
        if isinstance(node.get("$ref"), str):
            return self._reference(location, work.needs)
        made: dict[str, Any] = {}
        for key, value in node.items():
            if key in PLAIN:
                if PLAIN[key](value):
                    made[key] = value
            else:
                self._nested(key, value, made, location, work, depth + 1)
        _mend(node, made)
        return made

    def _reference(self, location: DocumentLocation, needs: set[str]) -> dict[str, Any]:
        name = self._name(self._documents.resolved(location))
        needs.add(name)
        return {"$ref": f"#/$defs/{name.replace('~', '~0').replace('/', '~1')}"} | {
            key: value for key, value in location.node.items() if key in ("description", "default")
        }

    def _nested(
        self, key: str, value: Any, made: dict[str, Any], location: DocumentLocation, work: _Work, depth: int
    ) -> None:
        def inner(node: Any) -> Any:
            return self._schema(DocumentLocation(node, location.document, location.pointer), work, depth)

        if key == "properties" and isinstance(value, dict):
            shown = {name: part for name, part in value.items() if not self.is_hidden(location.at(part))}
            made[key] = {name: inner(part) for name, part in shown.items()}
        elif key in SCHEMA_MAPS and isinstance(value, dict):
            made[key] = {name: inner(part) for name, part in value.items()}
        elif key in SCHEMA_LISTS and isinstance(value, list) and value:
            made[key] = [inner(part) for part in value]
        elif key == "items":
            made["prefixItems" if isinstance(value, list) else key] = (
                [inner(part) for part in value] if isinstance(value, list) else inner(value)
            )
        elif key in ONE_SCHEMA and isinstance(value, dict | bool):
            made[key] = inner(value)
        elif key == "type" and (types := types_of(value)):
            made[key] = types[0] if len(types) == 1 else types
        elif key == "example" and "examples" not in made:
            made["examples"] = [value]


def _mapping(schema: Any) -> dict[str, Any]:
    """`true` and `false` in the way that everybody understands."""
    if isinstance(schema, dict):
        return schema
    return {} if schema else {"not": {}}


def _mend(node: Mapping[str, Any], made: dict[str, Any]) -> None:
    """What 3.0 writes in another way than JSON Schema, and what no longer fits after something was left out."""
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if node.get(exclusive) is True and limit in made:
            made[exclusive] = made.pop(limit)
    hidden = [name for name in node.get("properties") or () if name not in made.get("properties", ())]
    if hidden and "required" in made:
        made["required"] = [name for name in made["required"] if name not in hidden]
    if made.get("items") is None and made.get("type") == "array":
        made["items"] = {}
    if node.get("nullable") is True or node.get("x-nullable") is True:
        _allow_null(made)


def _allow_null(made: dict[str, Any]) -> None:
    if "type" in made:
        made["type"] = list(dict.fromkeys((*types_of(made["type"]), "null")))
        if "enum" in made and None not in made["enum"]:
            made["enum"] = [*made["enum"], None]
        return
    parts = {key: made.pop(key) for key in tuple(made) if key in SCHEMA_LISTS or key == "enum"}
    if parts:
        made["anyOf"] = [parts, {"type": "null"}]


_NAMES = 12


def _successes(operation: Operation, documents: Documents) -> Iterator[DocumentLocation]:
    """The answers that mean success, the usual one first."""
    responses = operation.node.get("responses")
    if not isinstance(responses, dict):
        return
    fine = sorted(status for status in responses if str(status).startswith("2"))
    for status in (*fine, "default"):
        if status in responses:
            location = documents.resolved(operation.location.at(responses[status], "responses", str(status)))
            if isinstance(location.node, dict):
                yield location


def answer_place(operation: Operation, documents: Documents) -> DocumentLocation | None:
    """Where the document has the schema of the first answer that means success; None if it has none."""
    for location in _successes(operation, documents):
        content = location.node.get("content")
        for media_type, node in (content if isinstance(content, dict) else {}).items():
            holder = documents.resolved(location.at(node, "content", media_type))
            if not is_json(media_type.partition(";")[0].strip().lower()) or not isinstance(holder.node, dict):
                continue
            if "schema" in holder.node:
                return holder.at(holder.node["schema"], "schema")
    return None


def answers_headers(operation: Operation, documents: Documents) -> bool:
    """Whether the document tells of headers that come with success, such as where the next page is."""
    try:
        return any(
            isinstance(location.node.get("headers"), dict) and location.node["headers"]
            for location in _successes(operation, documents)
        )
    except BrokenDocumentReference:
        return False


def answer_schema(operation: Operation, documents: Documents, maker: SchemaMaker) -> dict[str, Any] | None:
    """The whole schema; None if there is none that can be used."""
    try:
        location = answer_place(operation, documents)
        if location is None:
            return None
        needs: set[str] = set()
        schema = maker.schema(location, needs)
        return {**schema, "$defs": maker.definitions(needs)} if needs else schema
    except BrokenDocumentReference:
        return None


def answer_note(operation: Operation, documents: Documents) -> str:
    """The answer in one line: its type, and the names of its properties."""
    try:
        location = answer_place(operation, documents)
        return "" if location is None else f"Returns {_brief(location, documents)}."
    except BrokenDocumentReference:
        return ""


def _brief(location: DocumentLocation, documents: Documents, depth: int = 0) -> str:
    location = documents.resolved(location)
    node = location.node if isinstance(location.node, dict) else {}
    kind = next(iter(types_of(node.get("type"))), "object" if "properties" in node else "")
    if kind == "array" and depth < 2:
        return f"a list: {_brief(location.at(node.get('items', {}), 'items'), documents, depth + 1)}"
    if kind == "object":
        names = list(node.get("properties") or ())
        shown = ", ".join(names[:_NAMES]) + (", …" if len(names) > _NAMES else "")
        return f"an object with {shown}" if shown else "an object"
    return f"a value of type {kind}" if kind else "JSON"
