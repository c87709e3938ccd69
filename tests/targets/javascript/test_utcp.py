"""UTCP's code mode: synchronous tools in the body of a function, interfaces, and a reply with the stack."""

import pytest

from tests.targets.javascript.conftest import Deployed, told

FAILURES = {
    "throw new Error('bad')": "Error: bad\n    at <isolated-vm>:5:21\n    at <isolated-vm>:6:15\n    at <isolated-vm>:11:11",
    "\n\nfunction f() { throw new Error('no'); }\nreturn f()": (
        "Error: no\n    at f (<isolated-vm>:7:22)\n    at <isolated-vm>:8:8\n    at <isolated-vm>:9:15\n    at <isolated-vm>:14:11"
    ),
    "await null; throw new Error('x')": "Error: x\n    at <isolated-vm>:5:33\n    at async <isolated-vm>:4:30",
    "return nope.x()": (
        "ReferenceError: nope is not defined\n    at <isolated-vm>:5:15\n    at <isolated-vm>:6:15\n    at <isolated-vm>:11:11"
    ),
    "retur 1": "Unexpected number [<isolated-vm>:5:21]",
    "import x from 'y'; return 1": "Cannot use import statement outside a module [<isolated-vm>:5:15]",
    "const x: number = 1; return x": "Missing initializer in const declaration [<isolated-vm>:5:21]",
    "throw 'text'": "text",
    "throw {a:1}": "[object Object]",
    "return 10n": (
        "TypeError: Do not know how to serialize a BigInt\n    at JSON.stringify (<anonymous>)\n    at <isolated-vm>:7:56"
    ),
}
"""What the package @utcp/code-mode 1.2.12 says of each."""


async def test_tools_give_their_value_there_and_then_and_can_be_awaited(deployed: Deployed):
    code = "const p = shop.get_price({ sku: 'a' });\nreturn [p.price + add({ a: 1 }), await add({ a: 1 }), server.get_sum()];"
    record = await deployed(code, "utcp")
    assert record["model_sees"] == {"result": [8, 3, 1], "logs": []}
    assert [call["line"] for call in record["calls"]] == [1, 2, 2, 2]


async def test_console_prints_objects_as_indented_json(deployed: Deployed):
    code = "console.log({ a: [1] }, 'x', null, undefined);\nconsole.error('e'); console.warn('w'); console.info('i');"
    record = await deployed(code, "utcp")
    logs = ['{\n  "a": [\n    1\n  ]\n} x null undefined', "[ERROR] e", "[WARN] w", "[INFO] i"]
    assert record["model_sees"] == {"result": None, "logs": logs}


@pytest.mark.parametrize(("code", "text"), FAILURES.items())
async def test_a_failure_is_a_log_with_the_stack_as_it_is_there(deployed: Deployed, code: str, text: str):
    record = await deployed(code, "utcp")
    assert record["model_sees"] == {"result": None, "logs": [f"[ERROR] Code execution failed: {text}"]}


async def test_a_failed_tool_throws_an_error_where_it_was_called(deployed: Deployed):
    code = "try { fail() } catch (e) { return [e instanceof Error, e.name, String(e)] }"
    assert (await deployed(code, "utcp"))["model_sees"]["result"] == [True, "Error", "Error: 'sku'"]
    record = await deployed("\nfail({});", "utcp")
    assert told(record) == ("Error", "'sku'", 2)
    assert "Error: 'sku'\n    at global.fail (<isolated-vm>:" in record["model_sees"]["logs"][0]


async def test_the_engine_has_nothing_but_the_language(deployed: Deployed):
    code = (
        "return [typeof setTimeout, typeof fetch, typeof process, typeof require, typeof URL, global === globalThis];"
    )
    assert (await deployed(code, "utcp"))["model_sees"]["result"] == ["undefined"] * 5 + [True]


async def test_interfaces_can_be_asked_for(deployed: Deployed):
    record = await deployed("return [__getToolInterface('get_price'), __getToolInterface('x'), __interfaces];", "utcp")
    own, none, all_ = record["model_sees"]["result"]
    assert (none, own in all_) == (None, True)
    assert own == (
        "\n\nnamespace shop {\n  interface get_priceInput {\n    sku: string;\n  }\n\n"
        "  interface get_priceOutput {\n    [key: string]: any;\n  }\n}\n\n"
        "/**\n * The price of a thing.\n * Tags: \n * Access as: shop.get_price(args)\n */"
    )
    assert (await deployed("return __getToolInterface('shop.get_price');", "utcp"))["value"] == own
    assert "namespace server {\n  interface get_sumInput {\n    [key: string]: any;\n  }" in all_


async def test_what_takes_too_long_is_told_as_there(deployed: Deployed):
    record = await deployed("console.log('on');\nwhile (true);", "utcp", seconds=0.5)
    assert record["model_sees"]["logs"] == [
        "on",
        "[ERROR] Code execution failed: Script execution timeout after 30000ms",
    ]
