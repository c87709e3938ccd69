"""A mock between its form and its file: what is asked for, kind by kind, and what of it is written."""

from collections.abc import Mapping
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.responders.mocks import MockAnswer
from ptc_studio.core.responders.raised_errors import error_names
from ptc_studio.storage.mock_store import MockEntry

KINDS: dict[MockAnswer, str] = {
    "value": "Value",
    "schema": "From schema",
    "expression": "Expression",
    "error": "Error",
    "tool": "Tool itself",
}
SAID: dict[MockAnswer, str] = {
    "value": "The same value each time.",
    "schema": "A value made up by the tool's output schema.",
    "expression": "What the expression makes of the arguments.",
    "error": "An error that the script can catch.",
    "tool": "The tool's own answer, but late, or not always.",
}
NAME = {
    "type": "string",
    "minLength": 1,
    "title": "Answers calls of",
    "description": "A tool or an alias, or a pattern such as shop.*. The closest name counts.",
}
VALUE = {"title": "Value", "description": "JSON that the script gets."}
EXPRESSION = {
    "type": "string",
    "minLength": 1,
    "title": "Expression",
    "description": 'Over the arguments, such as {"total": qty * 3} or "paid" if amount > 10 else "open".',
}
DELAY = {"type": "number", "minimum": 0, "maximum": 3600, "title": "Delay", "description": "Seconds before the answer."}
RATE = {
    "type": "number",
    "minimum": 0,
    "maximum": 1,
    "title": "Failure rate",
    "description": "How many of the calls fail: 0.2 is one in five. The same ones in every run.",
}
SEED = {"type": "integer", "title": "Seed", "description": "Another number makes other values, or other calls fail."}
NOTES = {"type": "string", "title": "Notes", "contentMediaType": "text/plain"}


def schema_for(kind: MockAnswer) -> dict[str, Any]:
    """What is asked for of a mock of this kind."""
    own: dict[str, Any] = {
        "value": {"value": VALUE},
        "schema": {},
        "expression": {"expression": EXPRESSION},
        "error": _error("error"),
        "tool": {},
    }[kind]
    failing = {} if kind == "error" else {"failure_rate": RATE, **_error("failure")}
    properties = {"name": NAME, **own, "delay": DELAY, **failing, "seed": SEED, "notes": NOTES}
    if kind == "error":
        del properties["seed"]
    required = ["name", *(key for key in ("value", "expression") if key in own)]
    return {"type": "object", "properties": properties, "required": required}


def form_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of the file as the form has it."""
    kind = kind_of(values)
    error = values.get("error") or {}
    word = "error" if kind == "error" else "failure"
    given = {
        key: values[key]
        for key in ("name", "value", "expression", "delay", "failure_rate", "seed", "notes")
        if key in values
    }
    if "type" in error:
        given[f"{word}_type"] = error["type"]
    if error.get("message"):
        given[f"{word}_message"] = error["message"]
    return given


def file_values(kind: MockAnswer, form: Mapping[str, Any], enabled: bool) -> dict[str, Any]:
    """What the form says as the file has it; what is left at its default is not written."""
    values: dict[str, Any] = {"name": str(form.get("name", "")).strip()}
    if kind in ("value", "expression"):
        values[kind] = form.get(kind)
    elif kind == "schema":
        values["from_schema"] = True
    word = "error" if kind == "error" else "failure"
    error = {"type": form.get(f"{word}_type"), "message": form.get(f"{word}_message")}
    error = {key: value for key, value in error.items() if value}
    if kind == "error" or (error and form.get("failure_rate")):
        values["error"] = {"type": "RuntimeError", **error}
    for key in ("delay", "failure_rate", "seed", "notes"):
        if form.get(key):
            values[key] = form[key]
    return values if enabled else {**values, "enabled": False}


def kind_of(values: Mapping[str, Any]) -> MockAnswer:
    """Which kind an entry of the file is; `value` for one that says nothing yet."""
    if "value" in values:
        return "value"
    if values.get("from_schema"):
        return "schema"
    if values.get("expression") is not None:
        return "expression"
    if values.get("error") is not None and not values.get("failure_rate"):
        return "error"
    return "tool" if values.get("delay") or values.get("failure_rate") else "value"


def _error(word: str) -> dict[str, Any]:
    what = "Error" if word == "error" else "Failure is"
    return {
        f"{word}_type": {
            "type": "string",
            "title": what,
            "enum": error_names(),
            "default": "RuntimeError",
            "description": "The type that the script catches.",
        },
        f"{word}_message": {"type": "string", "title": "Message"},
    }


LONGEST = 120


def summary_of(entry: MockEntry) -> str:
    """What it answers, in a line."""
    mock = entry.mock()
    match mock.answer:
        case "value":
            text = codec.encode(mock.value).decode()
        case "schema":
            text = "from the output schema"
        case "expression":
            text = f"= {mock.expression}"
        case "error":
            text = f"raises {mock.error}{f': {mock.message}' if mock.message else ''}"
        case "tool":
            text = "the tool itself"
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    late = f"after {mock.delay:g} s" if mock.delay else ""
    fails = f"{mock.failure_rate:.0%} fail" if mock.failure_rate else ""
    return " · ".join(filter(None, (text, late, fails)))


def tooltip_of(entry: MockEntry) -> str:
    """The same with whatever its user wrote beside it."""
    return "\n".join(filter(None, (entry.name, summary_of(entry), entry.notes)))
