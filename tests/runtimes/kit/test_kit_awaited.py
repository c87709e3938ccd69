"""Where a script awaits what a tool gives, the tool can be awaited; everywhere else it gives its value."""

from typing import Any

import pytest
from ptc_kit import script, tools

NAMES = (("add",), ("calc.mul", "mul"), ("price",), ("price.history",))


class Caller:
    """Says which way it was called, and from which line."""

    def call(self, name: str, args: Any, kwargs: Any, line: int | None, timeout: float | None = None) -> Any:
        return name

    async def call_async(
        self, name: str, args: Any, kwargs: Any, line: int | None, timeout: float | None = None
    ) -> Any:
        return f"{name}@{line}"


def value(source: str) -> Any:
    described = [{"names": list(names), "doc": "", "params": []} for names in NAMES]
    ending = script.execute(source, "script.py", tools.tool_namespace(described, Caller(), "script.py"))
    assert ending.error is None
    return ending.value


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("add(1)", "add"),
        ("await add(1)", "add@1"),
        ("[await add(1), add(1), await mul(2), calc.mul(2)]", ["add@1", "add", "calc.mul@1", "calc.mul"]),
        ("[await price(1), await price.history(2), price(3)]", ["price@1", "price.history@1", "price"]),
        ("[call_tool('add'), await call_tool('add', {})]", ["add", "add@1"]),
        ("import asyncio\nawait asyncio.gather(add(1), price(2))", ["add@2", "price@2"]),
        ("import asyncio\nawait asyncio.gather(*(add(i) for i in range(2)))", ["add@2", "add@2"]),
        ("import asyncio\nawait asyncio.gather(*map(add, range(2)))", ["add@2", "add@2"]),
        ("import asyncio\nt = [add(1)]\nt.append(mul(2))\nt += [mul(3)]\nawait asyncio.gather(*t)", ["add@2", "calc.mul@3", "calc.mul@4"]),
        ("import asyncio\nt = {k: add(k) for k in 'ab'}\nt['c'] = mul(1)\nawait asyncio.gather(*t.values())", ["add@2", "add@2", "calc.mul@3"]),
        ("t = {'a': add(1)}\nout = {}\nfor k, c in t.items():\n    out[k] = await c\nout", {"a": "add@1"}),
        ("import asyncio\nt = asyncio.create_task(add(1))\nu = add(2)\n[await t, u]", ["add@2", "add"]),
        ("import asyncio\nasync def main():\n    async with asyncio.TaskGroup() as group:\n        t = group.create_task(add(1))\n    return t.result(), add(2)\nasyncio.run(main())", ("add@4", "add")),
        ("import asyncio\nasyncio.run(add(1))", "add@2"),
        ("import asyncio\nawait asyncio.wait_for(add(1), 5)", "add@2"),
        ("def ask(x): return add(x)\nawait ask(1)", "add@1"),
        ("ask = lambda x: add(x)\nawait ask(1)", "add@1"),
        ("async def ask(x): return add(x)\nawait ask(1)", "add"),
        ("import asyncio\nawait asyncio.to_thread(add, 1)", "add"),
        ("def f():\n    t = add(1)\n    return t\nasync def g():\n    t = add(2)\n    return await t\n(f(), await g())", ("add", "add@5")),
        ("tool = add if 1 else mul\n[await tool(1), tool(2)]", ["add@2", "add"]),
    ],
)  # fmt: skip
def test_a_tool_can_be_awaited_where_the_script_awaits_it(source: str, expected: Any):
    assert value(source) == expected


def test_a_script_without_a_tool_that_is_awaited_has_no_name_of_ours():
    namespace: dict[str, Any] = {}
    script.execute("import asyncio\nawait asyncio.sleep(0)\nreturn 1", "script.py", namespace)
    assert not [name for name in namespace if name.startswith("__ptc")]
