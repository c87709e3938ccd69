"""IronClaw's `ptc_script`."""

import ast
from collections.abc import Iterator
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import python_checks
from ptc_studio.targets.target import (
    CallStyle,
    CheckedScript,
    DeploymentTarget,
    Finding,
    Note,
    TargetLimits,
    own_names,
    stderr_of,
)

MOST_BYTES = 65_536
GIVEN = ("json", "sys", "os", "call_tool", "shell", "read_file", "write_file", "http_get", "ptc_output")
_TEXT = ("call_tool", "shell", "read_file", "write_file", "http_get")
_NEEDED = {"shell": "shell", "read_file": "read_file", "write_file": "write_file", "http_get": "http"}
NOTES = (
    Note("The text runs inside `try:`, with json, sys, os imported; empty, or with `from __future__`, it fails", "S"),
    Note("`call_tool(name, params=None, timeout_secs=60)` gives text, within 300 s at most; so do shell, read_file, "
         "write_file and http_get, which call the tools shell, read_file, write_file and http", "S"),
    Note("All of them can be imported from `ironclaw_tools`; `ptc_output(key, value)` keeps a named output", "S"),
    Note("A failing tool raises RuntimeError: Tool 'x' failed: ...", "S"),
    Note("What is not caught is `SCRIPT_ERROR: Type: message` on stderr, and exit status 1", "S"),
    Note("The model sees stdout, the outputs below __PTC_OUTPUTS__, then stderr below --- stderr ---, cut at 65,536 "
         "bytes; of a script that fails it sees the exit status and stderr alone", "S"),
    Note("120 s, or what the request says, 300 s at most: a longer limit is cut here, too", "S"),
)  # fmt: skip


def check(script: CheckedScript) -> Iterator[Finding]:
    if not script.tree.body:
        yield Finding(1, "An empty script is an error there: it stands inside `try:`", "S")
    for node in script.tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            yield Finding(node.lineno, "`from __future__` fails there: the text stands inside `try:`", "S")
    yield from _indented_texts(script)
    yield from python_checks.awaits(script, "the text is no coroutine; tools are called without it")
    yield from python_checks.returns(script, "the text is no function; print, or call ptc_output")
    yield from python_checks.direct_calls(_without(script), 'call_tool("{}", {{...}})')
    yield from python_checks.unknown_tools(script)
    calls = [*python_checks.call_tool_calls(script), *_wrapped(script)]
    yield from python_checks.text_used_as_object(script, calls, "S")
    for name in _NEEDED:
        for node in python_checks.calls_by(script, name):
            if script.names and not {_NEEDED[name], name} & set(script.names):
                yield Finding(node.lineno, f"`{name}` needs a tool called `{_NEEDED[name]}`, and there is none", "S")
    yield from python_checks.unknown_names(script, GIVEN)
    yield from python_checks.unknown_environment(script)


def _without(script: CheckedScript) -> CheckedScript:
    """The script beside tools that have no name of the SDK's own."""
    names = {name: tool for name, tool in script.names.items() if name not in GIVEN}
    return CheckedScript(script.code, script.filename, script.tools, names)


def _wrapped(script: CheckedScript) -> Iterator[python_checks.ToolCall]:
    for name in _TEXT[1:]:
        yield from (python_checks.ToolCall(node, name, awaited=False) for node in python_checks.calls_by(script, name))


def _indented_texts(script: CheckedScript) -> Iterator[Finding]:
    for node in ast.walk(script.tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and (node.end_lineno or 0) > node.lineno:
            segment = ast.get_source_segment(script.code, node) or ""
            if '"""' in segment or "'''" in segment:
                text = "The lines of this text are indented by four spaces there: the script stands inside `try:`"
                yield Finding(node.lineno, text, "S", fails=False)


def reply(record: RunRecord, report: Any) -> str:
    if record["status"] == "timeout":
        return "Tool execution timed out: ptc_script"
    stderr = record["stderr"] if (report or {}).get("told") else stderr_of(record)
    if record["return_code"] or record["status"] != "ok":
        code = record["return_code"]
        return f"Script exited with code {code}:\n{cut(stderr)}" if stderr else f"Script exited with code {code}"
    return cut(f"{record['stdout']}\n\n--- stderr ---\n{stderr}" if stderr else record["stdout"])


def cut(text: str) -> str:
    """The text as far as it goes to the model."""
    data = text.encode()
    if len(data) <= MOST_BYTES:
        return text
    kept = data[:MOST_BYTES].decode(errors="ignore")
    return f"{kept}\n\n[Output truncated at {len(kept.encode())} bytes]"


def sign(script: CheckedScript) -> str | None:
    for node in python_checks.walked(script):
        if isinstance(node, ast.ImportFrom) and node.module == "ironclaw_tools":
            return f"`from ironclaw_tools import` in line {node.lineno}"
        if isinstance(node, ast.Import) and any(alias.name == "ironclaw_tools" for alias in node.names):
            return f"`import ironclaw_tools` in line {node.lineno}"
    call = next(python_checks.calls_by(script, "ptc_output"), None)
    return f"`ptc_output(` in line {call.lineno}" if call else _sign_of_sdk(script)


def _sign_of_sdk(script: CheckedScript) -> str | None:
    """The functions of the SDK without an import, in a script that awaits nothing and takes what they give for text."""
    if any(isinstance(node, ast.Await | ast.AsyncFunctionDef) for node in python_checks.walked(script)):
        return None
    calls = [call for call in python_checks.strangers(script) if python_checks.dotted(call.func) in _TEXT]
    by_name = [call for call in calls if python_checks.dotted(call.func) == "call_tool"]
    if not calls or any(each.arg not in ("params", "timeout_secs") for call in by_name for each in call.keywords):
        return None
    given = python_checks.uses(script, "json", "sys", "os")
    if given:
        name = next(iter(given))
        return f"`{name}` without an import in line {given[name]}, beside `{python_checks.dotted(calls[0].func)}(`"
    for call in calls:
        if any(each.arg == "timeout_secs" for each in call.keywords):
            return f"`timeout_secs` in line {call.lineno}"
    names = list(dict.fromkeys(str(python_checks.dotted(call.func)) for call in calls))
    if len(names) > 1:
        return f"`{names[0]}(` and `{names[1]}(`, which are its own"
    parsed = _parsed(script)
    return f"`json.loads` of what `call_tool` gave in line {parsed}" if parsed else None


def _parsed(script: CheckedScript) -> int | None:
    """The line in which the text that `call_tool` gave is parsed."""
    held = {
        target.id
        for node in python_checks.walked(script)
        if isinstance(node, ast.Assign) and _is_call_tool(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in python_checks.calls_named(script.tree, r"json\.loads"):
        given = node.args[0] if node.args else None
        if given is not None and (_is_call_tool(given) or (isinstance(given, ast.Name) and given.id in held)):
            return node.lineno
    return None


def _is_call_tool(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and python_checks.dotted(node.func) == "call_tool"


TARGET = DeploymentTarget(
    id="ironclaw",
    name="IronClaw ptc_script",
    language="python",
    runtime="python",
    notes=NOTES,
    call=CallStyle('call_tool("{name}", {dict})', gives="str"),
    limits=TargetLimits(seconds=120, most_seconds=300, output=MOST_BYTES),
    frame="frame.py",
    names=own_names,
    reply=reply,
    check=check,
    sign=sign,
)
