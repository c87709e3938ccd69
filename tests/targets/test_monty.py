"""The rules of Monty by itself, each by its name."""

import pytest

from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_external_functions_take_positional_or_keyword_arguments_sync_or_async(deployed: Deployed):
    code = (
        "import asyncio\n[add(1, 2), add(a=1, b=3), await add(1, b=4), *(await asyncio.gather(add(1, 5), add(1, 6)))]"
    )
    assert await deployed.sees("monty", code) == [3, 4, 5, 6, 7]


async def test_the_last_expression_or_a_top_level_return_is_the_value(deployed: Deployed):
    assert await deployed.sees("monty", "x = stock('pear')\nx['count']") == 7
    assert await deployed.sees("monty", "if True:\n    return 'early'\n'late'") == "early"
    assert await deployed.sees("monty", "x = 1") is None


async def test_inputs_are_variables(deployed: Deployed):
    assert await deployed.sees("monty", "greet(name)", inputs={"name": "ann"}) == "hello ann"
    deployed.warned("monty", "greet(name)", 1, "--input name=JSON", fails=False)


async def test_nothing_of_the_studios_own_is_there(deployed: Deployed):
    assert "NameError" in await deployed.sees("monty", "call_tool('add', {'a': 1, 'b': 2})")
    assert "NameError" in await deployed.sees("monty", "aio.add(1, 2)")


async def test_an_error_is_shown_as_monty_shows_it(deployed: Deployed):
    record = await deployed.run("monty", "x = 1\nfail('closed')")
    assert record["model_sees"].endswith("ValueError: closed")
    assert record["error"]
    assert (record["error"]["type"], record["error"]["line"]) == ("ValueError", 2)


async def test_a_session_goes_on_with_its_names(deployed: Deployed):
    await deployed.run("monty", "def twice(n):\n    return n * 2", container="c")
    assert await deployed.sees("monty", "twice(add(1, 2))", container="c") == 6
