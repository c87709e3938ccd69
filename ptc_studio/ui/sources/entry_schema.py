"""The JSON Schema that the form of a source is drawn from: the entry's own, made easier to fill in."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.sources.entry_texts import ITEMS, WORDS, all_lines

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
    kept = {key: schema[key] for key in ("title", "description") if key in schema}
    usual = schema.get("default")
    line: dict[str, Any] = {"type": "string", **kept}
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
