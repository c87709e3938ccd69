"""The protocols, as other programs rely on them."""

import json
import math
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest

from ptc_studio.runtimes import (
    CodeResult,
    CodeRuntime,
    DirectProjection,
    ToolProjection,
    namespace_to_callables,
    validate_namespace,
)
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter


def add(a: int, b: int) -> int:
    return a + b


def test_importing_the_protocols_loads_nothing_else():
    code = "import sys, ptc_studio.runtimes; print(sorted(m for m in sys.modules if m.startswith(('ptc_studio', 'pydantic'))))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "['ptc_studio', 'ptc_studio.runtimes', 'ptc_studio.runtimes.protocol']"


def test_a_code_result_is_frozen():
    result = CodeResult(stdout="42\n", stderr="", return_code=0, error=None)
    with pytest.raises(AttributeError):
        result.stdout = ""  # type: ignore[misc]


def test_a_direct_projection_calls_sync_and_async_functions():
    async def later(a: int) -> int:
        return a

    assert DirectProjection("add", add)(a=1, b=2) == 3
    assert DirectProjection("later", later)(a=1) == 1
    projection = DirectProjection(name="add", fn=add, doc="Adds.")
    assert (projection.fn, projection.name, projection.doc) == (add, "add", "Adds.")
    assert isinstance(projection, ToolProjection)


def test_a_namespace_whose_key_and_name_differ_is_refused_naming_both():
    with pytest.raises(ValueError, match=r"'wrong'.*'add'"):
        validate_namespace({"wrong": DirectProjection("add", add)})
    with pytest.raises(ValueError, match="wrong"):
        namespace_to_callables({"wrong": DirectProjection("add", add)})
    assert namespace_to_callables({"add": DirectProjection("add", add)})["add"](a=1, b=1) == 2


async def test_every_runtime_is_a_code_runtime(runtime: Any):
    assert isinstance(runtime, CodeRuntime)
    namespace = {"add": DirectProjection("add", add)}
    result = await runtime.execute("print(add(a=1, b=2), add(1, 2), K)", namespace, timeout=10, extra_globals={"K": 7})
    assert result == CodeResult("3 3 7\n", "", 0, None)


async def test_tools_win_over_extra_globals(runtime: Any):
    result = await runtime.execute("print(add(1, 2))", {"add": DirectProjection("add", add)}, extra_globals={"add": 1})
    assert result.stdout == "3\n"


async def test_a_failed_execution_keeps_its_output_and_has_the_traceback(runtime: Any):
    result = await runtime.execute("print('a')\n1/0", {})
    assert (result.stdout, result.return_code) == ("a\n", 1)
    assert "ZeroDivisionError" in (result.error or "")


async def test_a_timeout_has_the_text_and_the_return_code_of_the_protocol(runtime: Any):
    result = await runtime.execute("print('a')\nwhile True: pass", {}, timeout=1.5)
    assert (result.stdout, result.return_code) == ("a\n", 1)
    lines = (result.error or "").splitlines()
    assert lines[-1] == "TimeoutError: execution timed out"
    assert any("line 2" in line for line in lines)
    assert "ptc_studio" not in (result.error or "")


async def test_extra_globals_are_values_modules_and_functions(runtime: Any):
    def twice(x: int) -> int:
        return 2 * x

    given = {"twice": twice, "m": math, "dumps": json.dumps, "Decimal": Decimal, "data": b"\xff", "K": 7}
    code = "print(twice(4), twice(x=5), m.sqrt(9), dumps([K]), Decimal('1.5') * 2, data)"
    result = await runtime.execute(code, {}, extra_globals=given)
    assert result == CodeResult("8 10 3.0 [7] 3.0 b'\\xff'\n")


async def test_a_script_elsewhere_is_not_given_what_cannot_be_sent():
    catalog = RuntimeCatalog(StdioRouter())
    for name, value in (("python", object()), ("monty", math)):
        result = await catalog.get(name).execute("1", {}, extra_globals={"thing": value})
        assert (result.error or "").startswith(f"ValueError: A script of '{name}' cannot be given 'thing': ")
        assert result.return_code == 1
    catalog.close()
