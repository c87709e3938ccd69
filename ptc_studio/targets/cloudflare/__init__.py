"""Cloudflare's code mode."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ptc_studio.core.scripts import Script, Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.cloudflare.normalising import edits
from ptc_studio.targets.javascript_conventions import RESERVED, mapped_names, message_of, printed_lines
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

PROVIDER = "codemode"
PCTX = r"^\s*(?:export\s+)?(?:async\s+)?function\s+run\s*\("
NOTES = (
    Note("The text is made an async arrow function and called: a code fence goes, a single arrow function stays, "
         "`export default X` is X, a single function is called, a last expression is returned, else it is a body", "S"),
    Note("`codemode.x(args)`, `codemode.group.x(args)` for tools in groups, and a global for each provider: here for "
         "each namespace of tools", "S"),
    Note("Names: `-`, `.` and white space become `_`, other characters go, a leading digit gets `_` before it, a "
         "reserved word `_` behind it; two tools of one name are an error", "S"),
    Note("A semicolon behind a single arrow function is a syntax error there, though published examples end with one; "
         "here such a script runs, with a warning", "S"),
    Note("A provider may take positional arguments; here arguments that are not one object are passed on as such", "S"),
    Note("Errors are `Error(message)`; `Tool \"x\" not found`; what is thrown that has no message is lost", "S"),
    Note("console.log, .warn and .error go to the logs; there is no fetch", "S"),
    Note("60 s, then `Execution timed out`", "S"),
    Note("The model sees {result, logs?}, or `Code execution failed: ...`; where asked it is cut at 24,000 characters, "
         "which is not done here", "S"),
)  # fmt: skip


def name_there(name: str) -> str:
    clean = re.sub(r"[^a-zA-Z0-9_$]", "", re.sub(r"[-.\s]", "_", name)) or "_"
    clean = f"_{clean}" if clean[0].isdigit() else clean
    return f"{clean}_" if clean in RESERVED else clean


def names(tools: Sequence[Visible]) -> Mapping[str, str]:
    """Every tool as `codemode.x`, and those of a namespace as its members, too."""
    found = {f"{PROVIDER}.{name}": own for name, own in mapped_names(tools, name_there, PROVIDER).items()}
    for visible in tools:
        for name in visible.names:
            space, dot, rest = name.partition(".")
            if dot:
                found.setdefault(f"{name_there(space)}.{name_there(rest)}", visible.names[0])
    return found


def reply(record: RunRecord, report: Any) -> Any:
    logs = report["logs"] if report else printed_lines(record)
    if report and report.get("finished"):
        result = {"result": report["result"]} if "result" in report else {}
        return {**result, "logs": logs} if logs else result
    message = "Execution timed out" if record["status"] == "timeout" else message_of(record)
    told = "\n\nConsole output:\n" + "\n".join(logs) if logs else ""
    return f"Code execution failed: {message}{told}"


def check(script: CheckedScript) -> Iterator[Finding]:
    spaces = {name.partition(".")[0] for name in script.names} | {PROVIDER}
    calls = js.tool_calls(script, lambda root, _name: root.removeprefix(f"{PROVIDER}.") in spaces)
    yield from js.types(script, "S")
    yield from js.no_imports(script, "S")
    yield from js.missing_globals(script, ("fetch", "require", "module", "__dirname"), "S")
    yield from js.one_object(calls, "S", unless="unless its provider takes positional arguments")
    yield from js.unawaited(calls, "what it gives is lost, and it may be cut off at the end", "S", fails=False)
    for call in calls:
        if script.names and f"{call.root}.{call.name}".removeprefix(f"{PROVIDER}.") in script.names:
            continue
        if script.names and f"{call.root}.{call.name}" not in script.names:
            there = name_there(call.name)
            known = f"{call.root}.{there}" in script.names
            text = f"The tool `{call.name}` is called `{there}` there" if known else f'Tool "{call.name}" not found'
            yield Finding(call.line, text, "S")
    yield from _semicolon(script)
    yield from _several_functions(script)


def _semicolon(script: CheckedScript) -> Iterator[Finding]:
    syntax = js.read(script)
    only = syntax.statements()[:1]
    if js.is_lone_arrow(script) and syntax.text(only[0]).endswith(";"):
        line = only[0].end_point[0] + 1
        yield Finding(line, "The semicolon behind the arrow function is a syntax error there; here it is left out", "S")


def _several_functions(script: CheckedScript) -> Iterator[Finding]:
    """Only a function that stands alone is called."""
    if len(js.read(script).statements()) > 1:
        yield from js.everywhere(script, functions_are_called=False)


def sign(script: CheckedScript) -> str | None:
    if js.mentions(script, r"(?<![.\w])codemode[.\[]"):
        return "`codemode.`"
    if script.code.lstrip().startswith("```"):
        return "a code fence around it"
    if js.is_lone_arrow(script):
        return "a lone arrow function"
    elsewhere = js.returns_at_top(script) or js.mentions(script, PCTX) or js.undeclared(script, ("fs",))
    spaces = [] if elsewhere else js.foreign_spaces(script)
    return f"a global `{spaces[0]}` whose members are called" if spaces else None


def compile_script(script: Script, _tools: Sequence[Visible]) -> Mapping[str, Any]:
    return {"edits": edits(script.code)}


TARGET = DeploymentTarget(
    id="cloudflare",
    name="Cloudflare code mode",
    language="javascript",
    runtime="node",
    notes=NOTES,
    call=CallStyle("await {name}({object})"),
    limits=TargetLimits(seconds=60),
    frame="frame.mjs",
    calls_functions=True,
    names=names,
    compile=compile_script,
    reply=reply,
    check=check,
    sign=sign,
)
