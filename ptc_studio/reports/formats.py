"""The formats of a run that is handed on: one row each."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ptc_studio.core.codec import encode, safe_repr
from ptc_studio.core.errors import PtcError, UnserialisableValue
from ptc_studio.storage.history import PastRun


class ReportError(PtcError):
    """A report that cannot be made of this run, or not be handed on; the message says why."""


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """One row of the table."""

    id: str
    title: str
    ending: str
    make: Callable[[PastRun], str | bytes]


def report(past: PastRun, form: str) -> bytes:
    """The run in that format; it must have been opened with its calls. Raises ReportError."""
    made = FORMATS[form].make(past)
    # Half a character, as a tool of somebody else's may give it, cannot be written.
    return made if isinstance(made, bytes) else made.encode("utf-8", "backslashreplace")


def as_json(value: Any) -> str:
    """The value as JSON for people to read."""
    try:
        return json.dumps(json.loads(encode(value)), indent=2, ensure_ascii=False)
    except (UnserialisableValue, ValueError):
        return json.dumps(value, indent=2, ensure_ascii=False, default=safe_repr)


def _json(past: PastRun) -> str:
    summary = past.summary
    about = {
        "name": summary.name,
        "script": summary.script,
        "code": past.code,
        "started": summary.started_text,
        "grant": past.grant,
        "limits": past.limits,
        "inputs": past.inputs,
        "definitions": [{key: value for key, value in each.items() if key != "recorded"} for each in past.definitions],
    }
    return as_json({**past.record, **about}) + "\n"


def _html(past: PastRun) -> str:
    from ptc_studio.reports.html import html_report

    return html_report(past)


def _markdown(past: PastRun) -> str:
    from ptc_studio.reports.markdown import markdown_report

    return markdown_report(past)


def _chrome(past: PastRun) -> str:
    from ptc_studio.reports.traces import chrome_trace

    return json.dumps(chrome_trace(past), ensure_ascii=False) + "\n"


def _otlp(past: PastRun) -> str:
    from ptc_studio.reports.otlp import otlp_json

    return json.dumps(otlp_json(past), ensure_ascii=False) + "\n"


def _pytest(past: PastRun) -> str:
    from ptc_studio.reports.pytest_file import pytest_file

    return pytest_file(past)


def _bundle(past: PastRun) -> bytes:
    from ptc_studio.reports.bundle import bundle

    return bundle(past)


def _conversation(past: PastRun) -> str:
    from ptc_studio.transcripts.conversation import conversation, vendor_of

    if past.summary.kind == "call":
        raise ReportError("A call by hand has no script, and hence no conversation: choose a run of a script.")
    record, target = past.record, past.summary.target
    vendor = vendor_of(record, target)
    tools = [_definition(each, vendor) for each in past.definitions]
    return as_json(conversation(record, past.code, target, tools)) + "\n"


def _definition(tool: Any, vendor: str) -> dict[str, Any]:
    name, description, schema = tool["name"], tool["description"], tool["parameters"]
    if vendor == "anthropic":
        return {"name": name, "description": description, "input_schema": schema}
    return {"type": "function", "name": name, "description": description, "parameters": schema}


FORMATS = {
    form.id: form
    for form in (
        ReportFormat("json", "JSON", ".json", _json),
        ReportFormat("html", "Report (HTML, one file)", ".html", _html),
        ReportFormat("markdown", "Markdown", ".md", _markdown),
        ReportFormat("chrome", "Chrome trace", ".trace.json", _chrome),
        ReportFormat("otlp", "OpenTelemetry (OTLP)", ".otlp.json", _otlp),
        ReportFormat("pytest", "Test (pytest)", "_test.py", _pytest),
        ReportFormat("bundle", "Bundle for another person", ".ptcrun", _bundle),
        ReportFormat("conversation", "Conversation with a model", ".conversation.json", _conversation),
    )
}
