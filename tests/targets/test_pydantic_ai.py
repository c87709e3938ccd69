"""The rules of pydantic-ai's code mode, each by its name."""

import pytest

from ptc_studio.core.registry import Alias, Target
from ptc_studio.core.scripts import Visible
from ptc_studio.targets import find_target
from tests.support import FakeTool
from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_tools_are_async_functions_of_keyword_arguments(deployed: Deployed):
    assert await deployed.sees("pydantic-ai", "await add(a=1, b=2)") == 3
    positional = await deployed.run("pydantic-ai", "x = 1\nawait add(1, 2)")
    assert positional["calls"] == []
    assert positional["model_sees"].startswith("Type error in code:\nerror[missing-argument]")
    assert positional["error"]
    assert positional["error"]["line"] == 2
    deployed.warned("pydantic-ai", "x = 1\nawait add(1, 2)", 2, "positional arguments")
    deployed.warned("pydantic-ai", "add(a=1, b=2)", 1, "is not awaited")


async def test_positional_arguments_that_the_type_check_did_not_see_are_a_type_error(deployed: Deployed):
    await deployed.run("pydantic-ai", "x = 1", container="c")
    seen = await deployed.sees("pydantic-ai", "await add(1, 2)", container="c")
    assert seen.endswith("TypeError: add() does not accept positional arguments; use keyword arguments")


async def test_the_first_snippet_is_type_checked_and_state_persists(deployed: Deployed):
    wrong = await deployed.run("pydantic-ai", "await add(a='1', b=2)", container="d")
    assert wrong["calls"] == []
    assert 'Expected `int`, found `Literal["1"]`' in wrong["model_sees"]
    await deployed.run("pydantic-ai", "import json\ntotal = await add(a=1, b=2)", container="e")
    second = await deployed.run("pydantic-ai", "\n\n[total, json.dumps(1), 1 / 0]", container="e")
    assert second["error"]
    assert (second["error"]["line"], second["error"]["type"]) == (3, "ZeroDivisionError")
    assert await deployed.sees("pydantic-ai", "[total, json.dumps(1)]", container="e") == [3, "1"]
    deployed.studio.containers.of("e").reset()
    assert "used when not defined" in await deployed.sees("pydantic-ai", "total", container="e")


async def test_there_are_a_hundred_calls_and_then_a_runtime_error(deployed: Deployed):
    record = await deployed.run("pydantic-ai", "for _ in range(101):\n    await add(a=1, b=2)")
    assert len(record["calls"]) == 100
    assert "RuntimeError: Code mode allows 100 nested tool calls per `run_code` call" in record["model_sees"]
    assert (
        "100 nested tool calls started before execution stopped:\n- add({'a': 1, 'b': 2}) returned 3\n"
        in record["model_sees"]
    )
    assert any("100 of 100 calls" in warning["message"] for warning in record["warnings"])


async def test_computing_is_bounded_and_the_time_of_tools_does_not_count(deployed: Deployed):
    assert find_target("pydantic-ai").driver.seconds == 30
    assert deployed.studio.session(target=find_target("pydantic-ai")).run.limits.timeout == 300
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(find_target("pydantic-ai").driver, "seconds", 0.3)
        assert await deployed.sees("pydantic-ai", "await slow(seconds=0.5)") == "late"
        seen = await deployed.sees("pydantic-ai", "await add(a=1, b=2)\nwhile True:\n    pass")
    assert "time limit exceeded" in seen
    assert "1 nested tool calls started" in seen
    assert seen.endswith("make the code do less work per call.")


async def test_memory_and_prints_are_bounded(deployed: Deployed):
    seen = await deployed.sees("pydantic-ai", "x = [0] * 100_000_000")
    assert "memory limit exceeded" in seen
    printed = await deployed.sees("pydantic-ai", "for _ in range(11):\n    print('x' * 1_048_576)")
    assert "MemoryError: memory limit exceeded:" in printed


async def test_imports_are_those_of_the_list(deployed: Deployed):
    listed = "sys, typing, asyncio, math, json, re, unicodedata, datetime, os, pathlib"
    assert await deployed.sees("pydantic-ai", f"import {listed}\nmath.floor(2.5)") == 2
    assert "Cannot resolve imported module `numpy`" in await deployed.sees("pydantic-ai", "import numpy")
    deployed.warned("pydantic-ai", "import statistics", 1, "cannot be imported")
    deployed.warned("pydantic-ai", "import time", 1, "only since harness 0.62", fails=False)
    deployed.warned("pydantic-ai", "import asyncio\nawait asyncio.sleep(1)", 2, "only since harness 0.62", fails=False)


async def test_there_is_no_clock(deployed: Deployed):
    code = "import datetime\nx = datetime.datetime.now()\nstr(x)"
    assert "is not supported in this environment" in await deployed.sees("pydantic-ai", code)
    deployed.warned("pydantic-ai", code, 2, "there is no clock")


async def test_names_become_identifiers(deployed: Deployed):
    names = ("get-sum", "1st", "class", "a.b")
    tools = [FakeTool(lambda: 1, name=name) for name in names]
    visible = [Visible((tool.spec.name,), Target(tool, tool.spec)) for tool in tools]
    assert list(find_target("pydantic-ai").names(visible)) == ["get_sum", "_1st", "class_", "a_b"]


async def test_the_model_sees_the_value_or_what_was_printed_or_both(deployed: Deployed):
    for code, seen in (
        ("x = 1", {}), ("5", 5), ("None", {}), ("print('p')", {"output": "p\n"}),
        ("print('p')\n[1]", {"output": "p\n", "result": [1]}), ("await stock(item='a')", {"item": "a", "count": 7, "tags": ["red", "ripe"]}),
    ):  # fmt: skip
        assert await deployed.sees("pydantic-ai", code) == seen
    assert await deployed.sees("pydantic-ai", "print('p')\n1 / 0") == (
        "Runtime error:\n[stdout before error]\np\n[/stdout before error]\nTraceback (most recent call last):\n"
        '  File "<python-input-0>", line 2, in <module>\n    1 / 0\n    ~~~~~\nZeroDivisionError: division by zero'
    )


async def test_a_denied_call_is_a_runtime_error_and_a_failing_one_its_own(deployed: Deployed):
    caught = "try:\n    await price(item='nothing')\nexcept KeyError as error:\n    print('key', error)"
    assert await deployed.sees("pydantic-ai", caught) == {"output": "key 'nothing'\n"}
    dispose = deployed.studio.registry.register_alias(Alias("secret", "greet", permission="deny"))
    denied = "try:\n    await secret(name='x')\nexcept RuntimeError as error:\n    print(error)"
    seen = await deployed.sees("pydantic-ai", denied)
    dispose()
    assert seen["output"].startswith("Tool 'secret' call denied: ")
