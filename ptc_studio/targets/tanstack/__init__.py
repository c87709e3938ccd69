"""TanStack AI's code mode."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import LANGUAGE
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import (
    DISPOSED,
    body_of_a_function,
    mapped_names,
    message_of,
    printed_lines,
    ran_out_of_memory,
)
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

PREFIX = "external_"
NOTES = (
    Note("The text is the body of an async function: `return` gives the result; types are taken out", "S"),
    Note("`external_x({...})` is async; a name must be an identifier there, so here other characters are `_`", "S"),
    Note("console goes to the logs; `ERROR: `, `WARN: ` and `INFO: ` stand before; no setTimeout, fetch, modules", "S"),
    Note("30 s; 128 MB, then the package itself fails with `Isolate is already disposed`", "S"),
    Note("The model sees {success, result, logs} or {success: false, error: {message, name}, logs}; its documents have "
         "stack and line there, too, which the package does not pass on", "S"),
    Note("The text of a time-out depends on the isolate that is used", "?"),
)  # fmt: skip


def name_there(name: str) -> str:
    return PREFIX + re.sub(r"[^a-zA-Z0-9_$]", "_", name)


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    return mapped_names(tools, name_there)


def reply(record: RunRecord, report: Any) -> Any:
    logs = report["logs"] if report else printed_lines(record)
    if report and record["status"] == "ok":
        return {"success": True, **({"result": report["result"]} if "result" in report else {}), "logs": logs}
    if ran_out_of_memory(record):
        return DISPOSED
    error = (report or {}).get("error") or {"message": message_of(record), "name": "Error"}
    if record["status"] == "timeout":
        error = {"message": "Script execution timed out.", "name": "Error"}
    return {"success": False, "error": error, "logs": logs}


def check(script: CheckedScript) -> Iterator[Finding]:
    calls = js.tool_calls(script, lambda root, name: not root and name.startswith(PREFIX))
    yield from js.no_imports(script, "S")
    yield from js.missing_globals(script, js.NODE_GLOBALS, "S")
    yield from js.one_object(calls, "S")
    yield from js.unknown_tools(script, calls, lambda name: name_there(name.removeprefix(PREFIX)))
    yield from js.unawaited(calls, "what it gives is lost", "S", fails=False)
    known = {name.removeprefix(PREFIX) for name in script.names}
    for call in js.tool_calls(script, lambda root, name: name in known and root in ("", "tools")):
        yield Finding(call.line, f"The tool `{call.name}` is called `{PREFIX}{call.name}` there", "S")
    if not js.mentions(script, r"\breturn\b"):
        yield Finding(None, "Nothing is returned: the model sees no result", "S", fails=False)


def sign(script: CheckedScript) -> str | None:
    return "`external_`" if js.mentions(script, r"(?<![.\w])external_\w+\(") else None


TARGET = DeploymentTarget(
    id="tanstack",
    name="TanStack AI code mode",
    language="typescript",
    runtime="typescript",
    notes=NOTES,
    call=CallStyle("await {name}({object})"),
    limits=TargetLimits(seconds=30, memory_mb=128),
    globals=LANGUAGE | {"global", "console"},
    frame="frame.mjs",
    names=names,
    compile=body_of_a_function,
    reply=reply,
    check=check,
    sign=sign,
)
