"""The JSON Schema that the form of a source is drawn from: the entry's own, made easier to fill in."""

import re
import shlex
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from ptc_studio.sources.kinds import KINDS

WORDS = ("argv", "args")
"""Written as in a terminal."""
ITEMS = ("tools", "http_hosts", "include", "exclude", "expect", "ok", "dashes", "aliases")
"""Written with commas between them."""
NESTED = ("requests", "commands")
_PLAIN = re.compile(r"[^\s'\"\\]+")
_NUMBER = re.compile(r"-?\d{1,9}")


class NoWords(ValueError):
    """The line cannot be taken apart; the message says why."""


def line_of(field: str, value: Any) -> str | None:
    """The list as one line, or None if a line cannot say the same."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    if field in WORDS:
        fits = all(isinstance(word, str) and "\n" not in word for word in value)
        return " ".join(map(_quoted, value)) if fits else None
    texts = [str(item) for item in value if isinstance(item, str | int) and not isinstance(item, bool)]
    line = ", ".join(texts)
    return line if len(texts) == len(value) and _items(line) == list(value) else None


def list_of(field: str, line: str) -> list[Any]:
    """The list that the line stands for; raises NoWords."""
    if field not in WORDS:
        return _items(line)
    try:
        return shlex.split(line)
    except ValueError:
        raise NoWords("A quotation mark is not closed.") from None


def as_lines(values: Mapping[str, Any], lined: Mapping[str, bool]) -> dict[str, Any]:
    """The values with those lists as lines that `lined` says are."""
    return {key: _as_line(key, value, lined) for key, value in values.items()}


def _as_line(key: str, value: Any, lined: Mapping[str, bool]) -> Any:
    if key in NESTED and isinstance(value, list):
        return [as_lines(item, lined) if isinstance(item, Mapping) else item for item in value]
    return line_of(key, value) if key in (*WORDS, *ITEMS) and lined.get(key) else value


def as_lists(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with all lines as lists again; raises NoWords."""
    return {key: _as_list(key, value) for key, value in values.items()}


def _as_list(key: str, value: Any) -> Any:
    if key in NESTED and isinstance(value, list):
        return [as_lists(item) if isinstance(item, Mapping) else item for item in value]
    return list_of(key, value) if key in (*WORDS, *ITEMS) and isinstance(value, str) else value


def all_lines() -> dict[str, bool]:
    """What holds where there are no values yet."""
    return can_be_lines({})


def can_be_lines(values: Mapping[str, Any]) -> dict[str, bool]:
    """For each field whether its lists, also those in `requests` and `commands`, can be written as lines.

    For `query`, whether all its values are texts.
    """
    holders = [values, *(item for key in NESTED for item in values.get(key, ()) if isinstance(item, Mapping))]
    found = {
        field: all(line_of(field, holder[field]) is not None for holder in holders if field in holder)
        for field in (*WORDS, *ITEMS)
    }
    texts = (value for holder in holders for value in holder.get("query", {}).values())
    return {**found, "query": all(isinstance(text, str) for text in texts)}


def _items(line: str) -> list[Any]:
    parts = [part.strip() for part in line.split(",")]
    return [int(part) if _NUMBER.fullmatch(part) else part for part in parts if part]


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else shlex.quote(word)


FIELD = "x-field"
"""The keyword that asks for a field of ours."""
_FOLDERS = {("functions", "path"), ("mcp", "cwd"), ("command", "cwd")}
_FILES = {("script", "path"), ("wasm", "path"), ("openapi", "document"), ("toolregistry", "module")}
_WITH_SECRETS = ("env", "headers", "auth")
_LONG = ("description", "stdin")
_FIRST = ("name", "description", "method", "url", "argv")
"""What an item of `requests` or `commands` begins with."""
_EXAMPLES = {
    ("functions", "path"): "tools",
    ("functions", "tools"): "shop:price, math:All",
    ("mcp", "name"): "github",
    ("mcp", "command"): "npx",
    ("mcp", "args"): "-y @modelcontextprotocol/server-everything stdio",
    ("mcp", "url"): "https://example.com/mcp",
    ("openapi", "name"): "petstore",
    ("openapi", "document"): "https://example.com/openapi.json",
    ("openapi", "include"): "tag:pets, GET /orders",
    ("http", "name"): "get_user",
    ("http", "url"): "https://api.example.com/users/{id}",
    ("http", "extract"): "$.items[*].name",
    ("command", "name"): "git_log",
    ("command", "argv"): "git log --oneline -n {count}",
    ("script", "name"): "report.monthly",
    ("script", "path"): "scripts/report.py",
    ("wasm", "name"): "resize",
    ("wasm", "path"): "tools/resize.wasm",
    ("toolregistry", "name"): "agents",
    ("toolregistry", "module"): "agents/tools.py",
    ("builtin", "http_hosts"): "api.example.org, localhost:8000",
}
_HELP = {
    ("mcp", "args"): "Written as in a terminal.",
    ("command", "argv"): "Written as in a terminal, but no shell sees it. `{name}` is a parameter, `{name?}` one that "
    "may be left out, `{all:--all}` is `--all` if it is true.",
    ("functions", "tools"): "Which of them, with commas between; all of them if empty.",
}


def form_schema(
    kind: str, fields: Sequence[str], needed: Sequence[str] = (), lined: Mapping[str, bool] | None = None
) -> dict[str, Any]:
    """A schema of these fields in this order; where `lined` says so, a list is one line of text."""
    whole = deepcopy(KINDS[kind].entry.model_json_schema())
    lines = all_lines() if lined is None else lined
    required = {*whole.get("required", ()), *needed}
    definitions = whole.get("$defs", {})
    for definition in definitions.values():
        if "properties" in definition:
            definition["properties"] = _names_first(definition["properties"])
            definition.pop("description", None)
            _ease(kind, definition["properties"], lines)
    properties = {name: whole["properties"][name] for name in fields if name in whole["properties"]}
    _ease(kind, properties, lines)
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name in required],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _ease(kind: str, properties: dict[str, Any], lines: Mapping[str, bool]) -> None:
    for name, schema in properties.items():
        properties[name] = eased = _eased(kind, name, _without_null(schema), lines)
        if example := _EXAMPLES.get((kind, name)):
            eased["examples"] = [example]
        if text := _HELP.get((kind, name), eased.get("description")):
            eased["description"] = text.replace("`", "")


def _names_first(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: properties[name] for name in (*_FIRST, *properties) if name in properties}


def _eased(kind: str, name: str, schema: dict[str, Any], lines: Mapping[str, bool]) -> dict[str, Any]:
    if (kind, name) == ("builtin", "tools"):
        return {**schema, FIELD: "checklist"}
    if name in (*WORDS, *ITEMS) and lines.get(name):
        return _one_line(kind, name, schema)
    if (kind, name) in _FOLDERS | _FILES:
        return {**schema, "format": "", FIELD: "folder" if (kind, name) in _FOLDERS else "file"}
    if name == "query" and lines.get(name):
        return {**schema, "additionalProperties": {"type": "string"}}
    if name in _WITH_SECRETS:
        return {**schema, "additionalProperties": {"type": "string", FIELD: "secret"}}
    return {**schema, "format": "multiline"} if name in _LONG else schema


def _one_line(kind: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Text in place of a list, which may not be empty where the list may not."""
    saved = {key: schema[key] for key in ("title", "description") if key in schema}
    usual = schema.get("default")
    line: dict[str, Any] = {"type": "string", **saved}
    if usual:
        line["default"] = ", ".join(map(str, usual))
    if (kind, name) == ("functions", "tools"):
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
