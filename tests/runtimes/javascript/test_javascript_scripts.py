"""What scripts in JavaScript and TypeScript can rely on beyond the behaviours that all languages share."""

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.runtimes.javascript.conftest import FILENAMES, Run
from tests.support import Engine

EVERYWHERE = pytest.mark.parametrize("runtime_id", FILENAMES)
WITH_FILES = pytest.mark.parametrize("runtime_id", ["node", "typescript"])


def told(record: dict[str, Any]) -> tuple[str, str, int | None]:
    """The type, message and line of the error."""
    return record["error"]["type"], record["error"]["message"], record["error"]["line"]


@EVERYWHERE
async def test_integers_of_any_size_arrive_exactly(run: Run, runtime_id: str):
    code = (
        "const sent = [2n ** 70n, 9007199254740993n, -9223372036854775808n, 7, 0.5];\n"
        "const got = await tools.echo({ value: sent });\n"
        "console.log(got.map((number, i) => number === sent[i] && typeof number).join());\n"
        "console.log(await tools.echo({ value: 'NaN \\\\\" 12345678901234567890' }));"
    )
    record = await run(code, runtime_id)
    assert record["stdout"] == 'bigint,bigint,bigint,number,number\nNaN \\" 12345678901234567890\n'


@EVERYWHERE
@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("{ value: { a: [1, () => 1] } }", "value.a[1] is a function, which has no JSON form"),
        ("{ value: Symbol.iterator }", "value is a symbol, which has no JSON form"),
        ("[Symbol.iterator]", "argument 1[0] is a symbol, which has no JSON form"),
        ("{ value: tools.add(1) }", 'value is a promise: write "await" before it'),
        ("{ value: loop }", "value.self contains itself, which has no JSON form"),
    ],
)
async def test_an_argument_without_a_json_form_is_named(run: Run, runtime_id: str, argument: str, message: str):
    record = await run(
        f"const loop: any = {{}};\nloop.self = loop;\nawait tools.echo({argument});".replace(
            ": any", ": any" if runtime_id == "typescript" else ""
        ),
        runtime_id,
    )
    assert told(record) == ("TypeError", f"Invalid parameters for tool 'echo': {message}", 3)


@EVERYWHERE
async def test_undefined_is_left_out_and_maps_sets_and_dates_have_a_form(run: Run, runtime_id: str):
    code = (
        "console.log(await tools.add({ a: 1, b: undefined }), await tools.add(1, undefined));\n"
        "const value = [new Map([['a', 1]]), new Set([2]), new Date(0), { gone: undefined }, [undefined]];\n"
        "console.log(JSON.stringify(await tools.echo({ value })));"
    )
    record = await run(code, runtime_id)
    assert record["stdout"] == '3 3\n[{"a":1},[2],"1970-01-01T00:00:00.000Z",{},[null]]\n'


@EVERYWHERE
async def test_a_tools_failure_is_an_error_that_tells_all(run: Run, runtime_id: str):
    code = (
        "try { await tools.fail({ kind: 'key' }); } catch (error) {\n"
        "  console.log(error instanceof ToolError, error instanceof Error, String(error), error.tool);\n"
        "  console.log(error.stack.split('\\n')[1].trim(), error.remoteTraceback.includes('KeyError'));\n"
        "}"
    )
    record = await run(code, runtime_id)
    place = rf"at {FILENAMES[runtime_id]}:1:"
    assert record["stdout"].startswith(f"true true KeyError: 'sku' fail\n{place}")
    assert record["stdout"].endswith(" true\n")


@EVERYWHERE
@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("call_tool(7)", ("TypeError", "a tool's name must be a text, not a number", 1)),
        (
            "call_tool('add', [1])",
            ("TypeError", "Invalid parameters for tool 'add': they must be an object, not an array", 1),
        ),
        (
            "callTool('add', {}, 5)",
            ("TypeError", "the options of a call must be an object such as {timeout: 5}, not a number", 1),
        ),
        (
            "callTool('add', {}, { timeout: '1' })",
            ("TypeError", "the timeout of a call must be a number, not a string", 1),
        ),
        ("callTool('add', {}, { timeout: 0 })", ("RangeError", "the timeout of a call must be above 0", 1)),
    ],
)
async def test_a_wrong_request_is_told_at_once(run: Run, runtime_id: str, call: str, error: Any):
    record = await run(f"await {call};", runtime_id)
    assert (told(record), record["calls"]) == (error, [])


@EVERYWHERE
@pytest.mark.parametrize(
    "code",
    [
        "async function check() {\n  throw new RangeError('no');\n}\ncheck();",
        "setTimeout(() => {\n  throw new RangeError('no');\n}, 1);",
        "class RangeError extends Error {}\nthrow new RangeError('no');",
    ],
    ids=["a rejection that nobody handles", "in a timer", "of a class of its own"],
)
async def test_an_error_has_its_line_wherever_it_is_thrown(run: Run, runtime_id: str, code: str):
    record = await run(code, runtime_id)
    assert (told(record), record["return_code"], record["stderr"]) == (("RangeError", "no", 2), 1, "")
    assert f"{FILENAMES[runtime_id]}:2" in record["error"]["traceback"]
    assert "kit" not in record["error"]["traceback"]


@EVERYWHERE
@pytest.mark.parametrize(("thrown", "message"), [("'text'", "text"), ("{ a: 1 }", '{"a":1}'), ("null", "null")])
async def test_what_is_no_error_can_be_thrown_too(run: Run, runtime_id: str, thrown: str, message: str):
    record = await run(f"throw {thrown};", runtime_id)
    assert (record["status"], record["error"]["message"]) == ("error", message)


@EVERYWHERE
async def test_leaving_with_a_status_has_its_line_and_runs_the_exit_listeners(run: Run, runtime_id: str):
    record = await run("process.on('exit', (code) => console.log('bye', code));\nprocess.exit(3);", runtime_id)
    assert (record["stdout"], record["return_code"]) == ("bye 3\n", 3)
    assert told(record) == ("SystemExit", "process.exit(3)", 2)


@EVERYWHERE
async def test_what_goes_on_after_the_last_line_is_waited_for(run: Run, runtime_id: str):
    code = (
        "const first = tools.add(2).then(console.log);\n"
        "setTimeout(async () => { await first; console.log(await tools.add(1)); }, 20);\n"
        "export default tools.add(3);"
    )
    record = await run(code, runtime_id)
    assert (record["stdout"], record["value"], record["status"]) == ("4\n3\n", 5, "ok")


async def test_awaiting_what_never_comes_is_told(run: Run):
    record = await run("console.log('on');\nawait new Promise(() => {});")
    assert (record["stdout"], record["return_code"]) == ("on\n", 13)
    assert record["error"]["message"] == "the script awaits something that never comes"


@EVERYWHERE
async def test_calls_that_begin_at_different_moments_are_in_flight_together(run: Run, runtime_id: str):
    code = (
        "const chain = async (i) => {\n"
        "  for (let turn = 0; turn < i; turn++) await null;\n"
        "  await tools.add(i);\n"
        "  return tools.meet();\n"
        "};\n"
        "for (let i = 0; i < 3; i++) await tools.add(i);\n"
        "console.log((await Promise.all([1, 2, 3, 4, 5].map(chain))).join());"
    )
    record = await run(code.replace("(i) =>", "(i: number) =>") if runtime_id == "typescript" else code, runtime_id)
    assert record["stdout"] == "true,true,true,true,true\n"


@EVERYWHERE
async def test_a_timer_may_call_while_another_call_is_under_way(run: Run, runtime_id: str, shop: Engine):
    gate = threading.Event()
    shop.add(lambda: gate.wait(20), name="wait")
    shop.add(gate.set, name="open")
    code = (
        "import { setTimeout as delay } from 'node:timers/promises';\n"
        "const order = [];\n"
        "const slow = tools.wait().then(() => order.push('slow'));\n"
        "await delay(10);\n"
        "await tools.add(1);\n"
        "order.push('quick');\n"
        "await tools.open();\n"
        "await slow;\n"
        "console.log(order.join());"
    )
    record = await run(code, runtime_id)
    assert record["stdout"] == "quick,slow\n"


@EVERYWHERE
async def test_a_long_script_arrives_whole(run: Run, runtime_id: str):
    record = await run(f"// {'é' * 200_000}\nconsole.log('{'x' * 200_000}'.length);", runtime_id)
    assert record["stdout"] == "200000\n"


@WITH_FILES
async def test_a_script_imports_its_neighbours_though_it_is_no_file(run: Run, runtime_id: str, tmp_path: Path):
    (tmp_path / "prices.mjs").write_text("export const price = 5;\nexport const ask = () => tools.add(1);\n")
    (tmp_path / "data.json").write_text('{"stock": 7}')
    code = (
        "import { price, ask } from './prices.mjs';\n"
        "import data from './data.json' with { type: 'json' };\n"
        "const again = await import('./prices.mjs');\n"
        "console.log(price, await ask(), data.stock, again.price);"
    )
    record = await run(code, runtime_id, directory=tmp_path)
    assert (record["error"], record["stdout"]) == (None, "5 3 7 5\n")


@WITH_FILES
@pytest.mark.parametrize(
    ("statement", "named"), [("{ x } from './gone.mjs'", "gone.mjs"), ("{ x } from './here.mjs'", "x")]
)
async def test_an_import_that_fails_has_its_line(run: Run, runtime_id: str, statement: str, named: str, tmp_path: Path):
    (tmp_path / "here.mjs").write_text("export const y = 1;\n")
    record = await run(f"console.log('never');\nimport {statement};\nconsole.log(x);", runtime_id, directory=tmp_path)
    assert (record["error"]["line"], record["stdout"]) == (2, "")
    assert named in record["error"]["message"]
    assert "kit" not in record["error"]["message"]


async def test_typescript_may_have_what_is_more_than_types(run: Run):
    code = (
        "enum Size {\n  Small,\n  Large = 5,\n}\n\n"
        "class Box {\n  constructor(readonly size: Size) {}\n}\n\n"
        "console.log(new Box(Size.Large).size, await tools.add({ a: 1 }));\n"
        "throw new Error('on line 11');"
    )
    record = await run(code, "typescript")
    assert (record["stdout"], record["calls"][0]["line"], record["error"]["line"]) == ("5 3\n", 10, 11)


VALUES = {
    "a last expression": ("const a = 20;\na * 2 + 2", 42),
    "with a comma, a comment and no semicolon before it": ("const a = 1\n/* c */ a, 42 // the end", 42),
    "a last call that is awaited": ("await tools.mul(6, 7);", 42),
    "a promise that nobody awaits": ("const main = async () => 40 + (await tools.add(0));\nmain()", 42),
    "after imports": ("import { sep } from 'node:path';\n({ sep, é: '€' }).é.length + sep.length + 40", 42),
    "a return": ("import { sep } from 'node:path';\nif (sep) return 41 + sep.length;\nconsole.log('never');", 42),
    "a return with nothing": ("if (1) return;\nconsole.log('never');", None),
    "a last expression beside a return": ("export const a = 1;\nif (!a) return 0;\na + 41", 42),
    "a return in a function is none of the script's": ("function f() { return 1; }\nf() + 41", 42),
    "a default export": ("export default 42;\n1;", 42),
    "an assignment": ("let a;\na = 42", 42),
    "a declaration": ("const a = 1;", None),
    "a block": ("{ a: 1 }", None),
    "what was printed": ("console.log('');", None),
    "what never comes": ("new Promise(() => {})", None),
    "a timer": ("setTimeout(() => {}, 1)", None),
}


@EVERYWHERE
async def test_a_last_expression_or_a_return_at_the_top_level_is_the_value(run: Run, runtime_id: str):
    """All at once: the runs take longer than what they show."""
    got = {name: await run(code, runtime_id) for name, (code, _) in VALUES.items()}
    assert {name: record["error"] for name, record in got.items()} == dict.fromkeys(VALUES)
    assert {name: record["value"] for name, record in got.items()} == {
        name: value for name, (_, value) in VALUES.items()
    }
    assert "never" not in "".join(record["stdout"] for record in got.values())


@EVERYWHERE
@pytest.mark.parametrize(
    ("code", "error", "place"),
    [
        ("if (0) return 1;\n\ntools.x.y;", "TypeError", "3:9"),
        ("const o = {}; o.x.y", "TypeError", "1:19"),
        ("import 'node:path'; if (1) return null.x;", "TypeError", "1:40"),
        ("await tools.add(1);\ntools.fail({ kind: 'key' })", "KeyError", "2:7"),
        ("return 1;\nconst a = ;", "SyntaxError", "2"),
    ],
    ids=["after a return", "in a last expression", "in a return", "of a tool in a last expression", "in the text"],
)
async def test_lines_and_columns_stay_the_authors(run: Run, runtime_id: str, code: str, error: str, place: str):
    record = await run(code, runtime_id)
    assert (record["error"]["type"], record["error"]["line"]) == (error, int(place.split(":")[0]))
    assert f"{FILENAMES[runtime_id]}:{place}" in record["error"]["traceback"]


@EVERYWHERE
async def test_a_rejected_last_expression_is_the_scripts_to_handle(run: Run, runtime_id: str):
    code = "process.on('unhandledRejection', (error) => console.log('seen', error.message));\nPromise.reject(new Error('no'))"
    record = await run(code, runtime_id)
    assert (record["stdout"], record["status"]) == ("seen no\n", "ok")


@WITH_FILES
async def test_a_script_may_take_the_engines_globals_away(run: Run, runtime_id: str):
    code = (
        "for (const name of ['process', 'Buffer', 'Atomics', 'setTimeout']) delete globalThis[name];\n"
        "console.log(await tools.add(1), typeof process);\n42"
    )
    record = await run(code, runtime_id)
    assert (record["error"], record["stdout"], record["value"]) == (None, "3 undefined\n", 42)
