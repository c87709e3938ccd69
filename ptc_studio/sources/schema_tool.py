"""A tool whose arguments a JSON Schema describes: what servers, documents, commands and scripts bring."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ptc_studio.core import codec
from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.core.json_schema import UNIONS
from ptc_studio.core.registry import identifier
from ptc_studio.core.tools import JsonSchema, Parameter, Ticket, ToolSpec
from ptc_studio.sources.placeholders import Slot

if TYPE_CHECKING:
    # What checks values is imported when the first is checked: it takes a tenth of a start.
    from jsonschema.protocols import Validator

ECHO_LIMIT = 80
FAULT_LIMIT = 5
NEAR_LIMIT = 3
Invoke = Callable[[dict[str, Any], Ticket], Any]


@dataclass(frozen=True, eq=False)
class SchemaTool:
    """Checks arguments against the spec's schema, and has them answered by `answer`."""

    spec: ToolSpec
    answer: Invoke

    @cached_property
    def _validator(self) -> "Validator":
        from ptc_studio.core.schema_validation import validator_of

        return validator_of(self.spec.parameters)

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        # What goes out as JSON has its bytes as text.
        plain: dict[str, Any] = codec.as_texts(dict(arguments))[0]
        errors = sorted(self._validator.iter_errors(plain), key=_order)
        if errors:
            kind = UnfitArguments if _about_names(errors[0]) else UnfitValues
            raise kind(self.spec.name, "; ".join(map(_sentence, errors[:FAULT_LIMIT])))
        return plain

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return self.answer(arguments, ticket)


def schema_problem(schema: Any) -> str | None:
    """What is wrong with a schema of arguments, in one sentence; None if it can be used."""
    if not isinstance(schema, Mapping):
        return f"its schema is a {type(schema).__name__}, not an object"
    if schema.get("type", "object") != "object":
        return f"its schema is for {schema['type']!r}, not for an object of arguments"
    from ptc_studio.core.schema_validation import schema_error

    error = schema_error(schema)
    return f"its schema is broken{error}" if error else None


def signature_of(schema: JsonSchema) -> tuple[Parameter, ...]:
    """The parameters in the schema's order, required ones first, as positional arguments fill them."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return ()
    required = set(schema.get("required", ()))
    found = [
        Parameter(str(name), name in required, _default(part), _annotation(part)) for name, part in properties.items()
    ]
    return tuple(sorted(found, key=lambda parameter: not parameter.required))


def twin_of(name: str) -> tuple[str, ...]:
    """The identifier-safe twin of the name, if it needs one."""
    safe = identifier(name)
    return () if safe == name else (safe,)


def _default(part: Any) -> Any:
    return part.get("default") if isinstance(part, Mapping) else None


_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}


def _annotation(part: Any) -> str:
    kind = part.get("type") if isinstance(part, Mapping) else None
    kinds = kind if isinstance(kind, list) else [kind]
    return " | ".join("None" if name == "null" else _TYPES.get(str(name), "") for name in kinds if name).strip(" |")


def _about_names(error: Any) -> bool:
    return not error.absolute_path and error.validator in ("required", "additionalProperties", "unevaluatedProperties")


def _order(error: Any) -> tuple[bool, list[str]]:
    return (not _about_names(error), [str(step) for step in error.absolute_path])


def _sentence(error: Any) -> str:
    if error.validator == "required" and not error.absolute_path:
        missing = [name for name in error.validator_value if name not in error.instance]
        return ", ".join(f"missing {name!r}" for name in missing)
    if error.validator == "additionalProperties" and not error.absolute_path:
        from ptc_studio.core.schema_validation import additional_names

        known = list(error.schema.get("properties", ()))
        extra = additional_names(error.instance, error.schema)
        takes = f"takes {', '.join(known)}" if known else "takes no arguments"
        return ", ".join(f"unexpected {name!r} ({takes})" for name in extra)
    if error.validator in UNIONS and error.context:
        return _alternatives(error)
    location = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in error.absolute_path).lstrip(".")
    message = error.message if len(error.message) <= 2 * ECHO_LIMIT else error.message[: 2 * ECHO_LIMIT] + "…"
    return f"{location!r}: {message}" if location else message


def _alternatives(error: Any) -> str:
    """What is wrong with the value as the alternative that it comes closest to; as each, where several are as close."""
    branches: dict[int, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    distances = {number: _distance(error, found) for number, found in branches.items()}
    nearest = [number for number in branches if distances[number] == min(distances.values())][:NEAR_LIMIT]
    told = {number: "; ".join(map(_sentence, branches[number][:FAULT_LIMIT])) for number in nearest}
    if len(branches) == len(nearest):
        return " or ".join(dict.fromkeys(told.values()))
    parts = error.validator_value
    return " or ".join(f"{text} (as {_part_name(parts[number], number, len(parts))})" for number, text in told.items())


def _distance(error: Any, found: Iterable[Any]) -> tuple[bool, bool, int]:
    """How far a value is from an alternative: of another type, marked as something else, with so many errors."""
    depth = len(error.absolute_path)
    here = [inner for inner in found if inner.validator == "type" and len(inner.absolute_path) == depth]
    marked = [inner for inner in found if inner.validator in ("const", "enum")]
    return bool(here), bool(marked), len(list(found))


def _part_name(part: Any, number: int, count: int) -> str:
    """What an alternative is called, by its title or by where it stands."""
    named = part if isinstance(part, Mapping) else {}
    name = named.get("title") or str(named.get("$ref", "")).rpartition("/")[2]
    return repr(name) if isinstance(name, str) and name else f"alternative {number + 1} of {count}"


ANY: Mapping[str, Any] = {}
TEXT: Mapping[str, Any] = {"type": ["string", "number", "boolean"]}
FLAG: Mapping[str, Any] = {"type": "boolean"}


class UnfitParameters(Exception):
    """The parameters that were given do not go with the templates; the message says why."""


def derived_schema(slots: Iterable[tuple[Slot, Mapping[str, Any]]]) -> dict[str, Any]:
    """A parameter for every slot; the same name twice is one parameter, optional only if it is so everywhere."""
    found = list(slots)
    properties: dict[str, Any] = {}
    for slot, schema in found:
        before = properties.get(slot.name)
        if before is None or before == ANY:
            properties[slot.name] = dict(schema)
    required = [name for name in properties if any(s.name == name and not s.optional and not s.flag for s, _ in found)]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def given_schema(given: Mapping[str, Any], slots: Iterable[Slot]) -> dict[str, Any]:
    """The user's schema, closed; raises UnfitParameters where it and the slots do not agree.

    Either a whole JSON Schema with `properties`, or just the properties by name.
    """
    whole = isinstance(given.get("properties"), Mapping)
    schema: dict[str, Any] = dict(given) if whole else {"properties": dict(given)}
    schema.setdefault("type", "object")
    schema.setdefault("additionalProperties", False)
    known, used = schema["properties"], {slot.name: slot for slot in slots}
    if missing := [name for name in used if name not in known]:
        raise UnfitParameters(f"{{{missing[0]}}} is used, but `parameters` has no {missing[0]!r}: add it")
    if unused := [name for name in known if name not in used]:
        raise UnfitParameters(f"the parameter {unused[0]!r} is used nowhere: write {{{unused[0]}}}, or take it away")
    if "required" not in schema:
        schema["required"] = [name for name, slot in used.items() if not _may_lack(slot, known[name])]
    if error := schema_problem(schema):
        raise UnfitParameters(error)
    return schema


def with_defaults(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, and the schema's defaults for those that are absent."""
    defaults = {
        name: part["default"]
        for name, part in schema["properties"].items()
        if isinstance(part, Mapping) and "default" in part
    }
    return {**defaults, **arguments}


def _may_lack(slot: Slot, schema: Any) -> bool:
    return slot.optional or bool(slot.flag) or (isinstance(schema, Mapping) and "default" in schema)


def declared_schema(given: Mapping[str, Any]) -> dict[str, Any]:
    """A whole JSON Schema with `properties`, or just the properties by name; raises UnfitParameters.

    Where it does not say what is required, everything is that has no default.
    """
    properties = given.get("properties")
    names = properties if isinstance(properties, Mapping) else given
    return given_schema(given, [Slot(str(name)) for name in names])
