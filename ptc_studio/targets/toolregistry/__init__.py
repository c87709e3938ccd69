"""ToolRegistry's programmatic tool calling, which runs in codecell."""

import re
from collections.abc import Iterator
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import python_checks
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

IMPORTS = (
    "math", "cmath", "decimal", "fractions", "statistics", "random", "string", "re", "json", "csv", "datetime", "time",
    "calendar", "collections", "itertools", "functools", "operator", "copy", "pprint", "textwrap", "unicodedata",
    "enum", "dataclasses", "typing", "types", "abc", "io", "base64", "hashlib", "hmac", "struct", "array", "bisect",
    "heapq", "numbers",
)  # fmt: skip
BLOCKED = ("open", "exec", "eval", "compile", "__import__", "breakpoint", "exit", "quit")
NOTES = (
    Note("Tools are plain functions that take keyword arguments alone and give raw values", "S"),
    Note("A failing tool raises RuntimeError: Tool x failed: Type: message", "S"),
    Note("Only stdout goes back; of a script that fails, `Error:` and the traceback alone", "S"),
    Note("Most imports, and open, exec, eval and the like, are refused before anything runs", "S"),
    Note("30 s, then `Error: execution timed out`", "S"),
)  # fmt: skip


def check(script: CheckedScript) -> Iterator[Finding]:
    yield from python_checks.positional_calls(script)
    yield from python_checks.refused_imports(script, IMPORTS)
    for name in BLOCKED:
        for node in python_checks.calls_by(script, name):
            yield Finding(node.lineno, f"`{name}()` is refused there before anything runs", "S")
    yield from python_checks.awaits(script, "the text is no coroutine; tools are plain functions")
    yield from python_checks.returns(script, "the text is no function; print what is to go back")
    yield from python_checks.unknown_names(script)
    yield from python_checks.unknown_environment(script)


_FRAME = re.compile(r'^  File "[^"]*", line (\d+)', re.MULTILINE)


def reply(record: RunRecord, report: Any) -> str:
    error = record["error"]
    if record["status"] == "timeout":
        return "Error: execution timed out"
    if error is None:
        return record["stdout"]
    if (report or {}).get("refused"):
        return f"{error['type']}: Error executing programmatic_tool_call: {report['refused']}"
    if error["type"] == "SystemExit":
        return "Error: execution failed"
    return f"Error:\n{as_told(error['traceback'])}"


def as_told(traceback: str) -> str:
    """The traceback as the process there writes it: it knows neither the file nor the text of the lines."""
    head = "Traceback (most recent call last):\n"
    lines = _FRAME.sub(r'  File "<code_execution>", line \1', traceback.removeprefix(head)).splitlines()
    return head + "\n".join(line for line in lines if not line.startswith("    "))


TARGET = DeploymentTarget(
    id="toolregistry",
    name="ToolRegistry programmatic tool calling",
    language="python",
    runtime="python",
    notes=NOTES,
    call=CallStyle("{name}({keywords})", keyword_only=True),
    limits=TargetLimits(seconds=30),
    frame="frame.py",
    options=lambda _tools: {"imports": IMPORTS, "blocked": BLOCKED},
    reply=reply,
    check=check,
)
