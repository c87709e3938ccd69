"""Monty by itself: a host that hands a script its functions and takes its value."""

from collections.abc import Iterator
from typing import Any

from pydantic_monty import FunctionSnapshot

from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.monty.calls import WantedCall
from ptc_studio.runtimes.monty.convention import TargetConvention
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
)
