"""Microsoft's CodeAct (Agent Framework), in its Hyperlight, Monty and local variants."""

import json
from collections.abc import Iterator
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import python_checks
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, own_names, stderr_of

MOST_PRINTED = 8_192
NOTES = (
    Note('Tools are called as `call_tool("x", name=value)`, without await in the Hyperlight variant', "S"),
    Note("In the Monty and local variants it is awaited, and each tool is an async function of its own name, too", "S"),
    Note("Which variant is meant is told here by whether the script awaits", "S"),
    Note("The model sees what was printed and, where it awaits, the last value as JSON; or `Execution error`", "S"),
    Note("Where it awaits, prints are cut at 8,192 characters, and the code is a subset of Python (Monty)", "S"),
    Note("The time limit is the sandbox's own; what it is by default nobody has said", "?"),
)  # fmt: skip


def check(script: CheckedScript) -> Iterator[Finding]:
    awaiting = "await" in script.code
    for call in python_checks.call_tool_calls(script):
        if len(call.node.args) > 1:
            yield Finding(call.line, "`call_tool` takes the name and keyword arguments there, no dict", "S")
        elif awaiting and not call.awaited and not _gathered(script):
            yield Finding(call.line, "`call_tool` is not awaited here, though the script awaits elsewhere", fails=False)
    if not awaiting:
        yield from python_checks.direct_calls(script, 'call_tool("{}", ...)')
    else:
        yield from python_checks.positional_calls(script)
    yield from python_checks.unknown_tools(script)
    yield from python_checks.unknown_names(script, ("call_tool", *(("asyncio",) if awaiting else ())))


def _gathered(script: CheckedScript) -> bool:
    return bool(python_checks.calls_named(script.tree, r"(asyncio\.)?(gather|create_task)"))


def reply(record: RunRecord, report: Any) -> Any:
    """The contents that go back, in their order."""
    awaits = bool((report or {}).get("awaits"))
    stdout, error = record["stdout"], record["error"]
    if awaits and len(stdout) > MOST_PRINTED:
        stdout = f"{stdout[:MOST_PRINTED]}\n\n[stdout truncated]"
    if error is not None or record["status"] != "ok":
        return [*([] if awaits else _texts(stdout)), _failed(record, awaits=awaits)]
    contents = _texts(stdout)
    if awaits and record["value"] is not None:
        contents += _texts(json.dumps(record["value"], ensure_ascii=False))
    if not awaits:
        contents += _texts(record["stderr"])
    return contents or _texts("Code executed successfully without output.")


def _failed(record: RunRecord, *, awaits: bool) -> dict[str, Any]:
    error = record["error"]
    details = "Unknown sandbox error"
    if error is not None:
        told = f"{error['type']}: {error['message']}"
        details = f"MontyRuntimeError: {told}" if awaits else stderr_of(record) or told
    return {"type": "error", "message": "Execution error", "error_details": details}


def _texts(text: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}] if text else []


def sign(script: CheckedScript) -> str | None:
    for node in python_checks.calls_by(script, "call_tool"):
        if len(node.args) == 1 and any(
            each.arg not in ("params", "arguments", "timeout_secs") for each in node.keywords
        ):
            return f"`call_tool(name, key=value)` in line {node.lineno}"
    return None


TARGET = DeploymentTarget(
    id="ms-codeact",
    name="Microsoft Agent Framework CodeAct",
    language="python",
    runtime="python",
    notes=NOTES,
    call=CallStyle('call_tool("{name}", {keywords})', keyword_only=True),
    frame="frame.py",
    names=own_names,
    reply=reply,
    check=check,
    sign=sign,
)
