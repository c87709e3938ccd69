"""The rules of Microsoft's CodeAct, each by its name."""

import pytest

from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


def text(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": each} for each in texts]


async def test_call_tool_takes_the_name_and_keyword_arguments_without_await(deployed: Deployed):
    assert await deployed.sees("ms-codeact", "print(call_tool('add', a=1, b=2))") == text("3\n")
    record = await deployed.run("ms-codeact", "call_tool('stock', {'item': 'x'})")
    assert record["error"]
    assert "accepts only the tool name as a positional argument" in record["error"]["message"]
    deployed.warned("ms-codeact", "call_tool('stock', {'item': 'x'})", 1, "no dict")
    deployed.warned("ms-codeact", "print(add(a=1, b=2))", 1, "no function there")


async def test_it_is_awaited_in_its_monty_and_local_variants(deployed: Deployed):
    code = "x = await call_tool('add', a=1, b=2)\ny = await add(a=3, b=4)\nx + y"
    assert await deployed.sees("ms-codeact", code) == text("10")
    both = "rows = await asyncio.gather(call_tool('add', a=1, b=2), call_tool('add', a=3, b=4))\nrows"
    assert await deployed.sees("ms-codeact", both) == text("[3, 7]")


async def test_a_tool_that_is_not_registered_is_a_value_error_that_names_the_others(deployed: Deployed):
    code = "try:\n    call_tool('nope', a=1)\nexcept ValueError as error:\n    print(error)"
    (seen,) = await deployed.sees("ms-codeact", code)
    assert seen["text"].startswith("Tool 'nope' is not registered. Available tools: add, fail, greet, ")
    deployed.warned("ms-codeact", "call_tool('nope', a=1)", 1, "There is no tool `nope`")


async def test_the_model_sees_the_output_or_that_there_was_none(deployed: Deployed):
    assert await deployed.sees("ms-codeact", "x = 1") == text("Code executed successfully without output.")
    assert await deployed.sees("ms-codeact", "import sys\nprint('a')\nprint('b', file=sys.stderr)\n5") == text(
        "a\n", "b\n"
    )


async def test_the_model_sees_an_error_with_its_details(deployed: Deployed):
    out, error = await deployed.sees("ms-codeact", "print('a')\ncall_tool('fail', reason='closed')")
    assert out == text("a\n")[0]
    assert (error["type"], error["message"]) == ("error", "Execution error")
    assert error["error_details"].rstrip().endswith("ValueError: closed")
    (awaited,) = await deployed.sees("ms-codeact", "print('a')\nawait call_tool('fail', reason='closed')")
    assert awaited["error_details"] == "MontyRuntimeError: ValueError: closed"


async def test_prints_are_cut_at_8192_characters_where_it_awaits(deployed: Deployed):
    (seen,) = await deployed.sees("ms-codeact", "await call_tool('add', a=1, b=2)\nprint('x' * 9_000)")
    assert seen["text"] == "x" * 8_192 + "\n\n[stdout truncated]"
