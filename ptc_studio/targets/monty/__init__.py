"""Monty by itself: a host that hands a script its functions and takes its value."""

import ast
from collections.abc import Iterator
from typing import Any

from pydantic_monty import FunctionSnapshot

from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.monty.calls import TargetConvention, WantedCall
from ptc_studio.targets import python_checks
from ptc_studio.targets.pydantic_ai import monty_subset
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note

NOTES = (
    Note("External functions are sync or async as their host has it, here as the script uses them; arguments are "
         "positional or named", "S"),
    Note("The last expression or a top-level `return` is the value; inputs are variables", "S"),
    Note("Limits of time, memory and recursion are the host's to set; there are none by default", "S"),
    Note("What the model sees is the host's affair; here it is the value, or the error as Monty shows it", "?"),
)  # fmt: skip


class MontyConvention(TargetConvention):
    """Each tool is an external function."""

    def value(self, name: str) -> Any:
        if self.tool(name) is None:
            raise KeyError(name)
        return self.names.value(name)

    def wanted(self, snapshot: FunctionSnapshot, *, awaited: bool) -> WantedCall | None:
        tool = self.tool(snapshot.function_name)
        args, kwargs = self.arguments(snapshot)
        return None if tool is None else WantedCall(tool, args, kwargs, concurrent=awaited)


def check(script: CheckedScript) -> Iterator[Finding]:
    yield from monty_subset(script)
    yield from python_checks.unknown_names(script)
    yield from python_checks.unknown_environment(script)


def reply(record: RunRecord, report: Any) -> Any:
    error = record["error"]
    if error is None:
        return record["value"]
    return (report or {}).get("display") or f"{error['type']}: {error['message']}"


def sign(script: CheckedScript) -> str | None:
    """A function of the host's that is awaited with positional arguments, beside a value that only a host can give."""
    awaited = (call for call in python_checks.strangers(script, awaited=True) if call.args)
    call = next((call for call in awaited if not any(isinstance(each, ast.Dict) for each in call.args)), None)
    inputs = python_checks.top_level_inputs(script.tree) if call is not None else []
    if call is None or not inputs or python_checks.dotted(call.func) == "call_tool":
        return None
    return f"`await {python_checks.dotted(call.func)}(...)` in line {call.lineno}, and the input `{inputs[0]}`"


TARGET = DeploymentTarget(
    id="monty",
    name="Monty",
    language="python",
    runtime="monty",
    notes=NOTES,
    call=CallStyle("{name}({keywords})"),
    driver=MontyConvention,
    keeps_state=True,
    reply=reply,
    check=check,
    sign=sign,
)
