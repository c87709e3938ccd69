"""The rules of FastMCP's code mode, each by its name."""

import pytest

from ptc_studio.targets import find_target
from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_only_call_tool_is_there_and_it_is_awaited(deployed: Deployed):
    assert await deployed.sees("fastmcp", "return await call_tool('add', {'a': 1, 'b': 2})") == {"result": 3}
    assert await deployed.sees("fastmcp", "return await call_tool(tool_name='add', params={'a': 1, 'b': 2})") == {
        "result": 3
    }
    direct = await deployed.sees("fastmcp", "return add(a=1, b=2)")
    assert direct == "Error calling tool 'execute': NameError: name 'add' is not defined"
    deployed.warned("fastmcp", "return await add(a=1, b=2)", 1, "no function there")
    deployed.warned("fastmcp", "return await call_tool('add', a=1, b=2)", 1, "no keyword arguments")
    deployed.warned("fastmcp", "return call_tool('add', {'a': 1, 'b': 2})", 1, "is not awaited", fails=False)


async def test_a_top_level_return_is_the_output_and_prints_are_not_seen(deployed: Deployed):
    code = "await call_tool('add', {'a': 1, 'b': 2})\nprint('unseen')\nreturn {'sum': 3}"
    assert await deployed.sees("fastmcp", code) == {"sum": 3}
    deployed.warned("fastmcp", "print(await call_tool('stock', {'item': 'x'}))", 1, "not seen there", fails=False)


async def test_a_result_that_is_no_object_arrives_wrapped(deployed: Deployed):
    code = "return [await call_tool('stock', {'item': 'x'}), await call_tool('greet', {'name': 'x'}), await call_tool('tags', {'item': 'x'})]"
    row, text, items = await deployed.sees("fastmcp", code)
    assert (row["count"], text, items) == (7, {"result": "hello x"}, {"result": ["red", "ripe"]})


async def test_its_documented_example_that_adds_two_results_fails(deployed: Deployed):
    code = "a = await call_tool('add', {'a': 1, 'b': 2})\nb = await call_tool('add', {'a': 3, 'b': 4})\nreturn a + b"
    seen = await deployed.sees("fastmcp", code)
    assert seen == "Error calling tool 'execute': TypeError: unsupported operand type(s) for +: 'dict' and 'dict'"
    deployed.warned("fastmcp", code, 3, "take it out first", fails=False)


async def test_there_are_fifty_calls(deployed: Deployed):
    record = await deployed.run("fastmcp", "for _ in range(60):\n    await call_tool('add', {'a': 1, 'b': 2})")
    assert len(record["calls"]) == 50
    assert record["model_sees"] == (
        "Error calling tool 'execute': Exception: Tool call limit exceeded: at most 50 call_tool() invocations are "
        "allowed per execute()."
    )


async def test_an_unknown_tool_and_a_failing_one_are_exceptions(deployed: Deployed):
    assert (
        await deployed.sees("fastmcp", "await call_tool('nope', {})")
        == "Error calling tool 'execute': Exception: Unknown tool: nope"
    )
    code = "try:\n    await call_tool('fail', {'reason': 'closed'})\nexcept Exception as error:\n    return str(error)"
    assert await deployed.sees("fastmcp", code) == "call_tool('fail') failed: Error calling tool 'fail': closed"
    missing = await deployed.sees("fastmcp", "await call_tool('add', {'a': 1})")
    assert missing.endswith("\nValid parameters for add (* = required): a*, b*")
    deployed.warned("fastmcp", "await call_tool('nope', {})", 1, "There is no tool `nope`")


async def test_computing_has_30_seconds_and_100_megabytes(deployed: Deployed):
    driver = find_target("fastmcp").driver
    assert (driver.seconds, driver.memory) == (30, 100_000_000)
    seen = await deployed.sees("fastmcp", "return [0] * 50_000_000")
    assert seen.startswith("Error calling tool 'execute': MemoryError: memory limit exceeded")
