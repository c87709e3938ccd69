"""ToolRegistry's rules, each by its name."""

import pytest

from tests.targets.conftest import Deployed

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_tools_are_plain_functions_of_keyword_arguments(deployed: Deployed):
    assert await deployed.sees("toolregistry", "print(add(a=1, b=2))") == "3\n"
    positional = await deployed.sees("toolregistry", "add(1, 2)")
    assert positional.endswith("TypeError: add() takes 0 positional arguments but 2 were given")
    deployed.warned("toolregistry", "x = 1\nadd(1, 2)", 2, "positional arguments")
    deployed.warned("toolregistry", "await add(a=1, b=2)", 1, "`await` fails there")


async def test_values_are_raw(deployed: Deployed):
    assert (
        await deployed.sees("toolregistry", "print(stock(item='x')['tags'], price(item='x') + 1)")
        == "['red', 'ripe'] 3.5\n"
    )


async def test_a_failing_tool_raises(deployed: Deployed):
    code = "try:\n    fail(reason='closed')\nexcept RuntimeError as error:\n    print(error)"
    assert await deployed.sees("toolregistry", code) == "Tool fail failed: ValueError: closed\n"


async def test_only_stdout_goes_back(deployed: Deployed):
    assert await deployed.sees("toolregistry", "import json\nprint('seen')\n5") == "seen\n"
    failed = await deployed.sees("toolregistry", "print('lost')\n1 / 0")
    assert failed == (
        'Error:\nTraceback (most recent call last):\n  File "<code_execution>", line 2, in <module>\n'
        "ZeroDivisionError: division by zero"
    )
    assert await deployed.sees("toolregistry", "raise SystemExit(2)") == "Error: execution failed"


async def test_imports_and_built_ins_that_are_dangerous_are_refused_before_anything_runs(deployed: Deployed):
    record = await deployed.run("toolregistry", "print(1)\nimport os, json\nopen('x')")
    assert record["stdout"] == ""
    assert record["model_sees"] == (
        "ValueError: Error executing programmatic_tool_call: Dangerous code blocked:\n"
        "  - Import not allowed: 'os' (line 2)\n  - Blocked built-in call: open() (line 3)"
    )
    deployed.warned("toolregistry", "import os", 1, "cannot be imported")
    deployed.warned("toolregistry", "eval('1')", 1, "refused there before anything runs")


async def test_a_script_may_take_30_seconds(deployed: Deployed):
    assert await deployed.sees("toolregistry", "while True: pass", timeout=0.3) == "Error: execution timed out"
