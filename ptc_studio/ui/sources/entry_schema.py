"""The JSON Schema that the form of a source is drawn from: the entry's own, made easier to fill in.

What each field holds comes from its kind: lists become lines of text where a line can say the same.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from ptc_studio.sources.entry_fields import PATHS, Role
from ptc_studio.sources.kinds import KINDS, Kind

LISTS: tuple[Role, ...] = ("words", "items", "functions")
"""Lists that are lines where they can be: words as in a terminal, the others with commas between."""
Roles = Mapping[str, Role]
_PLAIN = re.compile(r"[^\s'\"\\]+")
_NUMBER = re.compile(r"-?\d{1,9}")


class NoWords(ValueError):
    """The line cannot be taken apart; the message says why."""


def line_of(role: Role | None, value: Any) -> str | None:
    """The list as one line, or None if a line cannot say the same."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    if role == "words":
        fits = all(isinstance(word, str) and "\n" not in word for word in value)
        return " ".join(map(_quoted, value)) if fits else None
    texts = [str(item) for item in value if isinstance(item, str | int) and not isinstance(item, bool)]
    line = ", ".join(texts)
    return line if len(texts) == len(value) and _items(line) == list(value) else None


def list_of(role: Role | None, line: str) -> list[Any]:
    """The list that the line stands for; raises NoWords."""
    if role != "words":
        return _items(line)
    try:
        return shlex.split(line)
    except ValueError:
        raise NoWords("A quotation mark is not closed.") from None


def as_lines(values: Mapping[str, Any], roles: Roles, lined: Mapping[str, bool]) -> dict[str, Any]:
    """The values with those lists as lines that `lined` says are."""

    def as_line(name: str, value: Any) -> Any:
        if roles.get(name) == "entries" and isinstance(value, list):
            return [as_lines(item, roles, lined) if isinstance(item, Mapping) else item for item in value]
        return line_of(roles[name], value) if roles.get(name) in LISTS and lined.get(name) else value

    return {name: as_line(name, value) for name, value in values.items()}


def as_lists(values: Mapping[str, Any], roles: Roles) -> dict[str, Any]:
    """The values with all lines as lists again; raises NoWords."""

    def as_list(name: str, value: Any) -> Any:
        if roles.get(name) == "entries" and isinstance(value, list):
            return [as_lists(item, roles) if isinstance(item, Mapping) else item for item in value]
        return list_of(roles[name], value) if roles.get(name) in LISTS and isinstance(value, str) else value

    return {name: as_list(name, value) for name, value in values.items()}


def can_be_lines(values: Mapping[str, Any], roles: Roles) -> dict[str, bool]:
    """For each list whether it can be a line, also in the entries within; for a query, whether it is all texts."""
    nested = [values.get(name, ()) for name, role in roles.items() if role == "entries"]
    holders = [values, *(item for items in nested for item in items if isinstance(item, Mapping))]

    def fits(role: Role, value: Any) -> bool:
        if role == "query":
            return all(isinstance(text, str) for text in value.values())
        return line_of(role, value) is not None

    return {
        name: all(fits(role, holder[name]) for holder in holders if name in holder)
        for name, role in roles.items()
        if role in (*LISTS, "query")
    }


def _items(line: str) -> list[Any]:
    parts = [part.strip() for part in line.split(",")]
    return [int(part) if _NUMBER.fullmatch(part) else part for part in parts if part]


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else shlex.quote(word)


FIELD = "x-field"
"""The keyword that asks for a field of ours."""
FOLDERS: tuple[Role, ...] = ("folder", "code folder")


def form_schema(
    kind_id: str, fields: Sequence[str], needed: Sequence[str] = (), lined: Mapping[str, bool] | None = None
) -> dict[str, Any]:
    """A schema of these fields in this order; where `lined` says so, a list is one line of text."""
    kind = KINDS[kind_id]
    whole = deepcopy(kind.entry.model_json_schema())
    lines = can_be_lines({}, kind.roles) if lined is None else lined
    required = {*whole.get("required", ()), *needed}
    definitions = whole.get("$defs", {})
    for definition in definitions.values():
        if "properties" in definition:
            inner = definition["properties"]
            names = dict.fromkeys((*(name for name in kind.form.first if name in inner), *inner))
            definition["properties"] = _eased(kind, {name: inner[name] for name in names}, lines)
            definition.pop("description", None)
    properties = {name: whole["properties"][name] for name in fields if name in whole["properties"]}
    return {
        "type": "object",
        "properties": _eased(kind, properties, lines),
        "required": [name for name in properties if name in required],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _eased(kind: Kind, properties: Mapping[str, Any], lines: Mapping[str, bool]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, schema in properties.items():
        made[name] = field = _field(kind.roles.get(name), _without_null(schema), lined=bool(lines.get(name)))
        if example := kind.examples.get(name):
            field["examples"] = [example]
        if text := kind.form.help.get(name, field.get("description")):
            field["description"] = text.replace("`", "")
    return made


def _field(role: Role | None, schema: dict[str, Any], *, lined: bool) -> dict[str, Any]:
    if role == "checklist":
        return {**schema, FIELD: "checklist"}
    if role in LISTS and lined:
        return _one_line(role, schema)
    if role in PATHS:
        return {**schema, "format": "", FIELD: "folder" if role in FOLDERS else "file"}
    if role == "query" and lined:
        return {**schema, "additionalProperties": {"type": "string"}}
    if role == "secret":
        return {**schema, FIELD: "secret"}
    if role == "secrets":
        return {**schema, "additionalProperties": {"type": "string", FIELD: "secret"}}
    return {**schema, "format": "multiline"} if role == "prose" else schema


def _one_line(role: Role | None, schema: dict[str, Any]) -> dict[str, Any]:
    """Text in place of a list, which may not be empty where the list may not."""
    line: dict[str, Any] = {"type": "string", **{key: schema[key] for key in ("title", "description") if key in schema}}
    if usual := schema.get("default"):
        line["default"] = ", ".join(map(str, usual))
    if role == "functions":
        line[FIELD] = "functions"
    return line


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Leaving a field empty is all that null, or an empty default, means here."""
    schema = dict(schema)
    if schema.get("default", ...) in (None, "", [], {}):
        del schema["default"]
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return schema
    real = [option for option in options if option.get("type") != "null"]
    if len(real) > 1:
        return {**schema, "anyOf": real}
    del schema["anyOf"]
    return {**real[0], **schema}
