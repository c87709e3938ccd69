"""The code mode of Vercel's AI SDK."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import LANGUAGE
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import body_of_a_function, message_of, ran_out_of_memory
from ptc_studio.targets.target import (
    CallStyle,
    CheckedScript,
    DeploymentTarget,
    Finding,
    Note,
    TargetLimits,
    identifier,
    identifier_names,
    own_names,
)

SECONDS, CALLS, IN_FLIGHT, RESULT_BYTES, CONSOLE_BYTES = 30, 256, 32, 1 << 20, 64 << 10
NOTES = (
    Note("The text is the body of an async function in QuickJS: `return` gives the result; types are taken out", "S"),
    Note("`tools.x({})` and `tools['a-b']({})` are async, with JSON in and out; `Unknown tool: x`", "S"),
    Note("A tool that fails rejects with `Host tool failed.`, whatever it said; wrong input is told", "S"),
    Note("A call that nobody awaits fails the program, also when it was answered", "S"),
    Note("console has log, info, debug and error, no warn; no setTimeout, fetch, process or modules", "S"),
    Note("30 s, 64 MiB, 256 calls, 32 at once, a result of 1 MiB, 64 KiB of console; here the 64 MiB are V8's heap, "
         "and using them up cannot be caught", "S"),
    Note("The model sees the result; of a failure its message", "S"),
)  # fmt: skip


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    """Any text is a name there; what is an identifier besides can be written behind a dot."""
    return {**identifier_names(tools), **own_names(tools)}


def options(tools: Sequence[Visible]) -> Mapping[str, Any]:
    limits = {"calls": CALLS, "inFlight": IN_FLIGHT, "result": RESULT_BYTES, "console": CONSOLE_BYTES}
    # Their own names, in order, are how a message there names a tool.
    order = {name: number for number, name in enumerate(sorted(visible.names[0] for visible in tools))}
    return {"limits": limits, "order": order}


def reply(record: RunRecord, report: Any) -> Any:
    if report and report.get("finished"):
        return report.get("result")
    if record["status"] == "timeout":
        return f"Code mode execution timed out after {SECONDS * 1000}ms."
    if ran_out_of_memory(record):
        return "out of memory"
    return message_of(record)


def check(script: CheckedScript) -> Iterator[Finding]:
    calls = js.calls_on_tools(script)
    yield from js.no_imports(script, "S")
    yield from js.missing_globals(script, js.NODE_GLOBALS, "S")
    yield from js.one_object(calls, "S")
    yield from js.unknown_tools(script, calls, identifier)
    yield from js.unawaited(calls, "the program fails for that", "S", fails=True)
    for call in js.tool_calls(script, lambda root, name: root == "console" and name == "warn"):
        yield Finding(call.line, "There is no console.warn there", "S")
    if not js.mentions(script, r"\breturn\b"):
        yield Finding(None, "Nothing is returned: the model sees nothing", "S", fails=False)


def sign(script: CheckedScript) -> str | None:
    if not js.calls_on_tools(script) or js.mentions(script, r"(?<![.\w])(?:text|image)\("):
        return None
    return "`tools.` with a top-level `return`" if js.returns_at_top(script) else None


TARGET = DeploymentTarget(
    id="vercel",
    name="AI SDK code mode (Vercel)",
    language="typescript",
    runtime="typescript",
    notes=NOTES,
    call=CallStyle("await tools.{name}({object})", "tools"),
    limits=TargetLimits(seconds=SECONDS, calls=CALLS, memory_mb=64, output=CONSOLE_BYTES),
    globals=LANGUAGE | {"console", "tools"},
    frame="frame.mjs",
    names=names,
    options=options,
    compile=body_of_a_function,
    reply=reply,
    check=check,
    sign=sign,
)
