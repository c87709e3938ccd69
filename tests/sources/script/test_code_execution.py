"""`std.code_execution`: code that comes with a call, in any runtime, with the grant of the script that gives it."""

from typing import Any

import pytest

from ptc_studio.core.registry import Grant
from ptc_studio.core.session import Session
from ptc_studio.sources.builtin.entry import BuiltinEntry
from ptc_studio.sources.builtin.source import BuiltinSource


@pytest.fixture
def coding(bench: Any) -> Any:
    entry = BuiltinEntry(tools=("code_execution", "echo"), permissions={"std.code_execution": "allow"})
    source = BuiltinSource(entry, folder=bench.folder, run_script=bench.run_script)
    tools = source.refresh().tools
    assert tools[0].spec.permission == "ask"
    from ptc_studio.sources.registry_sync import SourceRules

    for tool in tools:
        bench.engine.registry.register(SourceRules(permissions=entry.permissions, source="std").applied(tool))
    bench.engine.add(lambda a, b: a + b, name="add")
    return bench


@pytest.mark.parametrize(
    ("runtime", "code"), [("python-inprocess", "print(add(1, 2))"), ("bash", "add 1 2"), ("monty", "print(add(1, 2))")]
)
async def test_code_in_any_runtime_calls_tools_and_gives_what_it_printed(coding: Any, runtime: str, code: str):
    record = await coding.run(f"std.code_execution({code!r}, runtime={runtime!r})")
    assert record["value"] == {"stdout": "3\n", "value": None}
    assert [(call["tool"], call["depth"]) for call in record["calls"]] == [("std.code_execution", 1), ("add", 2)]


async def test_its_value_and_its_failure_arrive(coding: Any):
    record = await coding.run("std.code_execution('6 * 7', runtime='python-inprocess')['value']")
    assert record["value"] == 42
    failed = await coding.run("std.code_execution('1/0', runtime='python-inprocess')")
    assert failed["error"]["type"] == "ZeroDivisionError"


async def test_what_the_script_was_not_granted_its_code_is_not_either(coding: Any):
    session = Session(coding.engine.executor, grant=Grant(("std.code_execution", "add")))
    code = "call_tool('std.echo', {'value': 1})"
    record = await coding.run(f"std.code_execution({code!r}, runtime='python-inprocess')", session=session)
    assert record["error"]["type"] == "PermissionError"
    assert [call["status"] for call in record["calls"]] == ["error", "denied"]
