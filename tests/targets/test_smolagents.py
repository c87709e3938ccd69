"""smolagents' rules, each by its name."""

import pytest

from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


def last(value: object, logs: str = "") -> str:
    return f"Execution logs:\n{logs}Last output from code snippet:\n{value}"


def failed(segment: str, why: str) -> str:
    return f"Code execution failed at line '{segment}' due to: {why}"


async def test_tools_take_positional_or_keyword_arguments_and_are_not_awaited(deployed: Deployed):
    assert await deployed.sees("smolagents", "add(1, b=2)") == last(3)
    code = "await add(1, 2)"
    assert await deployed.sees("smolagents", code) == failed(code, "InterpreterError: Await is not supported.")
    deployed.warned("smolagents", code, 1, "`await` fails there")


async def test_final_answer_ends_the_run_and_is_its_value(deployed: Deployed):
    code = "try:\n    final_answer(add(1, 2))\nexcept Exception:\n    print('no')\nprint('never')"
    record = await deployed.run("smolagents", code)
    assert (record["value"], record["stdout"], record["model_sees"]) == (3, "", last(3))


async def test_task_inputs_are_globals(deployed: Deployed):
    assert await deployed.sees("smolagents", "name.upper()", inputs={"name": "ann"}) == last("ANN")
    deployed.warned("smolagents", "name.upper()", 1, "--input name=JSON", fails=False)
    assert deployed.check("smolagents", "name.upper()", inputs={"name": "x"}) == []


async def test_state_persists_between_steps(deployed: Deployed):
    await deployed.run("smolagents", "count = stock('pear')['count']\ndef twice(n):\n    return n * 2", container="c")
    assert await deployed.sees("smolagents", "twice(count)", container="c") == last(14)


async def test_the_functions_of_math_are_built_in(deployed: Deployed):
    names = "ceil, floor, log, exp, sin, cos, tan, asin, acos, atan, atan2, degrees, radians, sqrt, pow"
    code = f"[callable(f) for f in [{names}]]\nsqrt(16) + ceil(0.5) + pow(2, 3)"
    assert await deployed.sees("smolagents", code) == last(13.0)


@pytest.mark.parametrize("name", ["open", "repr", "eval", "input"])
async def test_other_built_ins_are_forbidden(name: str, deployed: Deployed):
    code = f"{name}('1')"
    why = f"'{name}' is not among the explicitly allowed tools or defined/imported in the preceding code"
    assert await deployed.sees("smolagents", code) == failed(
        code, f"InterpreterError: Forbidden function evaluation: {why}"
    )
    deployed.warned("smolagents", code, 1, "no function there")


async def test_imports_are_those_of_the_list(deployed: Deployed):
    listed = "collections, datetime, itertools, math, queue, random, re, stat, statistics, time, unicodedata"
    assert await deployed.sees("smolagents", f"import {listed}\nstatistics.mean([1, 2])") == last(1.5)
    for code, word in (
        ("import json", "of json"),
        ("from os import path", "from os"),
        ("import collections.abc", "of collections.abc"),
    ):
        seen = await deployed.sees("smolagents", code)
        assert seen.startswith(
            failed(code, f"InterpreterError: Import {word} is not allowed. Authorized imports are: [")
        )
        deployed.warned("smolagents", code, 1, "cannot be imported")


async def test_a_while_loop_has_a_million_iterations(deployed: Deployed):
    code = "n = 0\nwhile True:\n    n += 1"
    words = "InterpreterError: Maximum number of 1000000 iterations in While loop exceeded"
    assert await deployed.sees("smolagents", code) == failed("while True:\n    n += 1", words)


async def test_there_are_ten_million_operations(deployed: Deployed):
    code = "total = 0\nfor n in range(3_000_000):\n    total = total + n * 2"
    assert "Reached the max number of operations of 10000000." in await deployed.sees("smolagents", code)


async def test_a_step_may_take_30_seconds(deployed: Deployed):
    seen = await deployed.sees("smolagents", "print('a')\nimport time\ntime.sleep(20)", timeout=0.4)
    assert seen == "Execution logs:\na\n\nCode execution exceeded the maximum execution time of 30 seconds"


async def test_prints_are_cut_at_50000_and_the_last_output_at_20000(deployed: Deployed):
    seen = await deployed.sees("smolagents", "print('x' * 60_000)\n'y' * 30_000")
    note = "\n..._This content has been truncated to stay below {} characters_...\n"
    logs, _, output = seen.partition("Last output from code snippet:\n")
    assert logs == "Execution logs:\n" + "x" * 25_000 + note.format(50_000) + "x" * 24_999 + "\n"
    assert output == "y" * 10_000 + note.format(20_000) + "y" * 10_000


async def test_the_last_output_is_the_value_of_the_last_statement(deployed: Deployed):
    for code, value in (("x = add(1, 2)", 3), ("x = 1\nx += 4", 5), ("if True:\n    x = 7", 7), ("a, b = 1, 2", (1, 2)),
                        ("for i in range(3):\n    y = i", 2), ("import math", None), ("print('p')", None)):  # fmt: skip
        assert await deployed.sees("smolagents", code) == last(value, "p\n" if "print" in code else "")


async def test_an_error_names_the_statement_and_the_type(deployed: Deployed):
    seen = await deployed.run("smolagents", "x = 1\nfail('closed')")
    assert seen["model_sees"] == failed("fail('closed')", "ValueError: closed")
    assert seen["error"]
    assert (seen["error"]["type"], seen["error"]["line"]) == ("ValueError", 2)
    for code, why in (
        ("{'a': 1}['b']", "InterpreterError: Could not index {'a': 1} with 'b': KeyError: 'b'"),
        ("'abc'.nope()", "InterpreterError: Object abc has no attribute nope"),
        ("missing", "InterpreterError: The variable `missing` is not defined."),
        ("add = 3", "InterpreterError: Cannot assign to name 'add': doing this would erase the existing tool!"),
        ("x.__class__", "InterpreterError: Forbidden access to dunder attribute: __class__"),
        ("return 5", "ReturnException: 5"),
    ):
        assert await deployed.sees("smolagents", code) == failed(code, why)
    assert (await deployed.sees("smolagents", "x = (")).startswith("Code parsing failed on line 1 due to: SyntaxError:")


async def test_a_wrong_index_is_no_key_error_there_and_a_tools_own_is(deployed: Deployed):
    code = "try:\n    price('nothing')\nexcept KeyError:\n    print('caught')\ntry:\n    {}['a']\nexcept KeyError:\n    print('no')"
    seen = await deployed.sees("smolagents", code)
    assert seen.startswith("Execution logs:\ncaught\n\nCode execution failed")
    deployed.warned("smolagents", code, 7, "raises InterpreterError there", fails=False)
