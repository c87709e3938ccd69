"""The formats of a run that is handed on: one row each."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from pprint import pformat
from typing import Any

from ptc_studio.core.codec import encode, safe_repr
from ptc_studio.core.errors import PtcError, UnserialisableValue
from ptc_studio.storage.cassettes import file_of
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
    from ptc_studio.reports.documents import html_report

    return html_report(past)


def _markdown(past: PastRun) -> str:
    from ptc_studio.reports.documents import markdown_report

    return markdown_report(past)


def _chrome(past: PastRun) -> str:
    from ptc_studio.reports.figures import chrome_trace

    return json.dumps(chrome_trace(past), ensure_ascii=False) + "\n"


def _otlp(past: PastRun) -> str:
    from ptc_studio.reports.otlp import otlp_json

    return json.dumps(otlp_json(past), ensure_ascii=False) + "\n"


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


_TEMPLATE = '''"""{title}: a run of PTC Studio of {when}, as a test.

`test_the_script_gives_the_same` replays the script with the recorded results: no tool is called.
`test_the_tools_give_the_same` runs it with the real tools, where their folder is still there (PTC_WORKSPACE and
PTC_FUNCTIONS name another); PTC_OFFLINE=1 leaves that out, for tools that must not be called again.
Needs pytest and ptc-studio.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

NAME = {name!r}
RUNTIME = {runtime!r}
TARGET = {target!r}
SCRIPT = {script!r}
EXPECTED = {expected}
WORKSPACE = os.environ.get("PTC_WORKSPACE", {workspace!r})
FUNCTIONS = os.environ.get("PTC_FUNCTIONS", {functions!r})
CASSETTE = json.loads({cassette})


def run(folder, *options):
    """The record of the script, run with these options."""
    (folder / NAME).write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "ptc_studio", "run", NAME, "--runtime", RUNTIME, "--json", "--no-history"]
    command += ["--target", TARGET] if TARGET else []
    done = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def outcome(record):
    """What counts of a run: not its times, nor the words of an error."""
    error = record["error"]
    return {{
        "status": record["status"],
        "stdout": record["stdout"],
        "value": record["value"],
        "error": error and error["type"],
    }}


def calls(record):
    """The script's calls and what they gave, in any order: concurrent ones have none."""
    own = [call for call in record["calls"] if call["parent_id"] is None]
    made = [(call["alias"] or call["tool"], call["arguments"], call["status"], call["result"]) for call in own]
    return sorted(made, key=lambda call: json.dumps(call, sort_keys=True))


def recorded():
    """The same of the recording."""
    own = [call for call in CASSETTE["calls"] if call.get("parent") is None]
    made = [(call["name"], call["arguments"], call["status"], call.get("result")) for call in own]
    return sorted(made, key=lambda call: json.dumps(call, sort_keys=True))


def test_the_script_gives_the_same(tmp_path):
    (tmp_path / "cassette.json").write_text(json.dumps(CASSETTE), encoding="utf-8")
    record = run(tmp_path, "--replay", "cassette.json")
    assert outcome(record) == EXPECTED
    assert calls(record) == recorded()


@pytest.mark.skipif(bool(os.environ.get("PTC_OFFLINE")), reason="PTC_OFFLINE is set")
def test_the_tools_give_the_same(tmp_path):
    folders = [("--workspace", WORKSPACE), ("--functions", FUNCTIONS)]
    options = [word for flag, folder in folders if folder and Path(folder).is_dir() for word in (flag, folder)]
    if not options:
        pytest.skip("the folder of the tools is not here: name it with PTC_WORKSPACE or PTC_FUNCTIONS")
    assert calls(run(tmp_path, *options)) == recorded()
'''


def pytest_file(past: PastRun) -> str:
    """The text of the file."""
    summary, record = past.summary, past.record
    if summary.kind == "call" or not past.code:
        raise ReportError("Only a run of a script in text can be made a test: this one has none.")
    error = record["error"]
    expected = {
        "status": record["status"],
        "stdout": record["stdout"],
        "value": record["value"],
        "error": error and error["type"],
    }
    cassette = json.dumps(file_of(past.cassette()), ensure_ascii=True, indent=1)
    return _TEMPLATE.format(
        title=" ".join(past.title.replace('"', "'").replace("\\", "/").split()),
        when=summary.started_text,
        name=Path(summary.script or "script.py").name.strip("<>") or "script.py",
        runtime=summary.runtime,
        target=None if summary.target in (None, "plain") else summary.target,
        script=past.code,
        expected=pformat(expected, sort_dicts=False, width=100),
        workspace=past.places.get("workspace") or "",
        functions=past.places.get("functions") or "",
        cassette=_quoted(cassette),
    )


def _quoted(text: str) -> str:
    """JSON as it is between three single quotes, so that it can be read and edited; else as Python writes it."""
    plain = "'''" not in text and not text.endswith("'")
    return f"r'''\n{text}\n'''" if plain else repr(text)


FORMATS = {
    form.id: form
    for form in (
        ReportFormat("json", "JSON", ".json", _json),
        ReportFormat("html", "Report (HTML, one file)", ".html", _html),
        ReportFormat("markdown", "Markdown", ".md", _markdown),
        ReportFormat("chrome", "Chrome trace", ".trace.json", _chrome),
        ReportFormat("otlp", "OpenTelemetry (OTLP)", ".otlp.json", _otlp),
        ReportFormat("pytest", "Test (pytest)", "_test.py", pytest_file),
        ReportFormat("bundle", "Bundle for another person", ".ptcrun", _bundle),
        ReportFormat("conversation", "Conversation with a model", ".conversation.json", _conversation),
    )
}
