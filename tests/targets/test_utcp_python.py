"""The rules of UTCP's code mode for Python, each by its name."""

import pytest

from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


def failed(why: str) -> object:
    return {"result": None, "logs": [f"[ERROR] Code execution failed: {why}"]}


async def test_the_text_is_the_body_of_a_function_and_return_gives_the_result(deployed: Deployed):
    assert await deployed.sees("utcp-python", "if True:\n    return add(a=1, b=2)\nreturn 0") == {
        "result": 3,
        "logs": [],
    }
    assert await deployed.sees("utcp-python", "x = 5") == {"result": None, "logs": []}
    record = await deployed.run("utcp-python", "x = 1\n\nreturn 1 / 0")
    assert record["error"]
    assert record["error"]["line"] == 3
    assert record["model_sees"] == failed("Code execution failed: division by zero")


async def test_await_is_a_syntax_error(deployed: Deployed):
    record = await deployed.run("utcp-python", "x = 1\nawait add(a=1, b=2)")
    assert (record["calls"], record["model_sees"]) == ([], failed("('Line 3: Await statements are not allowed.',)"))
    assert record["error"]
    assert (record["error"]["type"], record["error"]["line"]) == ("SyntaxError", 2)
    deployed.warned("utcp-python", "x = 1\nawait add(a=1, b=2)", 2, "`await` is a SyntaxError there")


async def test_tools_are_synchronous_and_take_keywords_or_one_dict(deployed: Deployed):
    code = "return [shop.add(a=1, b=2), shop.add({'a': 3, 'b': 4}), add(a=5, b=6)]"
    assert (await deployed.sees("utcp-python", code))["result"] == [3, 7, 11]
    assert await deployed.sees("utcp-python", "return shop.greet('ann')") == failed(
        "Code execution failed: Error calling tool 'shop.greet': 'str' object has no attribute 'keys'"
    )
    deployed.warned("utcp-python", "shop.greet('ann')", 1, "not positional arguments")


async def test_a_failing_tool_is_a_runtime_error(deployed: Deployed):
    code = "try:\n    shop.fail(reason='closed')\nexcept RuntimeError as error:\n    return str(error)"
    assert (await deployed.sees("utcp-python", code))["result"] == "Error calling tool 'shop.fail': closed"


async def test_names_with_a_leading_underscore_are_refused(deployed: Deployed):
    seen = await deployed.sees("utcp-python", "_x = 1\nreturn _x")
    word = 'Line {}: "_x" is an invalid variable name because it starts with "_"'
    assert seen == failed(str((word.format(2), word.format(3))))
    assert "invalid attribute name" in str(await deployed.sees("utcp-python", "return shop.__class__"))
    deployed.warned("utcp-python", "x = 1\n_y = x", 2, "starts with an underscore")


async def test_imports_are_those_of_the_list(deployed: Deployed):
    listed = "json, math, asyncio, datetime, time, re, typing, collections, itertools, functools, operator, uuid"
    assert (await deployed.sees("utcp-python", f"import {listed}\nreturn math.floor(2.5)"))["result"] == 2
    assert (await deployed.sees("utcp-python", "return json.dumps([math.pi > 3])"))["result"] == "[true]"
    assert await deployed.sees("utcp-python", "import os") == failed(
        "Code execution failed: Import of 'os' is not allowed in code execution context"
    )
    deployed.warned("utcp-python", "import os", 1, "cannot be imported")


async def test_interfaces_describe_the_tools(deployed: Deployed):
    seen = await deployed.sees(
        "utcp-python", "return [interfaces, get_tool_interface('shop.price'), get_tool_interface('no')]"
    )
    everything, one, none = seen["result"]
    assert one == (
        "\n# Namespace: shop\nclass priceInput(TypedDict):\n    item: str\n    qty: Optional[int]\n\n"
        "class priceOutput(TypedDict):\n    pass  # Any type allowed\n\n"
        "# The price of so many.\n# Tags: \n# Access as: shop.price(args)\n"
    )
    assert one in everything
    assert everything.startswith("# Auto-generated Python interfaces for UTCP tools\n")
    assert none is None


async def test_the_model_sees_the_result_and_one_log_and_of_a_failure_the_error_alone(deployed: Deployed):
    assert await deployed.sees("utcp-python", "print('a')\nprint('b')\nreturn 1") == {"result": 1, "logs": ["a\nb"]}
    assert await deployed.sees("utcp-python", "print('lost')\nraise ValueError('bad')") == failed(
        "Code execution failed: bad"
    )
    timeout = await deployed.sees("utcp-python", "while True: pass", timeout=0.3)
    assert timeout == failed("Code execution timed out after 30 seconds")


async def test_what_its_released_package_cannot_do_runs_here_and_is_warned_of(deployed: Deployed):
    code = "out = []\nfor n in [1, 2]:\n    out.append(n)\nout[0]\nn += 1\na, b = 1, 2\nreturn list(out)"
    assert (await deployed.sees("utcp-python", code))["result"] == [1, 2]
    for line, words in ((2, "A loop"), (4, "An index"), (5, "`x += 1`"), (6, "`a, b = ...`"), (7, "`list()`")):
        deployed.warned("utcp-python", code, line, words, fails=False)
