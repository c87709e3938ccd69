"""Cloudflare's code mode: what the text is made into, the providers, errors and the reply."""

import pytest

from ptc_studio.targets import find_target
from ptc_studio.targets.cloudflare_mcp import text_of
from ptc_studio.targets.javascript_conventions import RefusedTools
from tests.support import Engine
from tests.targets.javascript.conftest import Deployed, told

NORMALISED = {
    "a single arrow function": ("async () => { return 42; }", 42),
    "one with a comment around it": ("// why\nasync () => 42 // so", 42),
    "a code fence": ("```js\nasync () => 42\n```\n", 42),
    "nothing": ("  \n", None),
    "a default export of an arrow function": ("export default async () => 42;", 42),
    "a default export of a value": ("export default 40 + 2;", 42),
    "a default export of a nameless function": ("export default async function () { return 42; }", 42),
    "a default export of a function": ("export default function answer() { return 42; }", 42),
    "a single function": ("async function answer() { return 42; }", 42),
    "a last expression": ("const a = 40;\na + 2; // that is it", 42),
    "a return": ("const a = 40;\nreturn a + 2;", 42),
    "a return before a last expression": ("if (0) return 1;\n42;", None),
    "a declaration at the end": ("const a = 42;", None),
    "two functions of which none is called": ("function a() {}\nfunction b() { return 42; }", None),
    "a text with what is no ASCII": ("const é = '€𝄞';\né.length + 39", 42),
}

CUT = "\n\n--- TRUNCATED ---\nResponse was ~6,001 tokens (limit: 6,000). Narrow the request to reduce response size."


async def test_a_text_is_made_an_arrow_function_and_called(deployed: Deployed):
    """All at once: the runs take longer than what they show."""
    got = {name: await deployed(code, "cloudflare") for name, (code, _) in NORMALISED.items()}
    assert {name: record["error"] for name, record in got.items()} == dict.fromkeys(NORMALISED)
    replies = {name: record["model_sees"] for name, record in got.items()}
    assert replies == {name: {} if value is None else {"result": value} for name, (_, value) in NORMALISED.items()}


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("async () => {\n  const a: number = 1;\n}", ("SyntaxError", "Missing initializer in const declaration", 2)),
        ("\nimport 'node:fs';\n1", ("SyntaxError", "Cannot use import statement outside a module", 2)),
        ("```js\n\nnull.x\n```", ("TypeError", "Cannot read properties of null (reading 'x')", 3)),
    ],
)
async def test_what_fails_there_fails_here_at_its_line(deployed: Deployed, code: str, error: tuple[str, str, int]):
    assert told(await deployed(code, "cloudflare")) == error


async def test_the_semicolon_of_published_examples_is_left_out_and_warned_of(deployed: Deployed):
    record = await deployed("async () => {\n  return await codemode.add({ a: 1 });\n}; // so\n", "cloudflare")
    assert record["model_sees"] == {"result": 3}
    assert [(each["line"], each["message"].split(";")[0]) for each in record["warnings"]] == [
        (3, "The semicolon behind the arrow function is a syntax error there")
    ]


async def test_arguments_that_are_not_one_object_are_passed_on_in_their_order(deployed: Deployed):
    """As a provider with positional arguments takes them."""
    code = "async () => [await codemode.add(3, 4), await codemode.echo('text'), await codemode.echo([1])]"
    record = await deployed(code, "cloudflare")
    assert record["model_sees"] == {"result": [7, "text", [1]]}
    assert {each["line"] for each in record["warnings"]} == {1}


async def test_a_script_is_javascript_there_whatever_its_file_is_called(deployed: Deployed):
    record = await deployed("async () => await codemode.add({ a: 1 })", "cloudflare", filename="script.ts")
    assert record["model_sees"] == {"result": 3}
    typed = await deployed("const a: number = 1;", "cloudflare", filename="script.ts")
    assert told(typed) == ("SyntaxError", "Missing initializer in const declaration", 1)


async def test_each_provider_is_a_global_and_codemode_has_all(deployed: Deployed):
    code = (
        "async () => [\n  (await codemode.get_price({ sku: 'a' })).price,\n  (await shop.get_price({ sku: 'b' })).sku,\n"
        "  await codemode.server_get_sum(), await server.get_sum({}), typeof codemode.then,\n]"
    )
    record = await deployed(code, "cloudflare")
    assert record["model_sees"] == {"result": [5, "b", 1, 1, "function"]}
    assert [call["line"] for call in record["calls"]] == [2, 3, 4, 4]


async def test_errors_have_a_message_and_console_goes_to_the_logs(deployed: Deployed):
    code = (
        "async () => {\n"
        "  console.log('a', 1, {}); console.warn('b'); console.error('c'); console.info('not kept');\n"
        "  const seen = [];\n"
        "  for (const call of [codemode.fail, codemode.nope, fetch])\n"
        "    await call({}).catch((e) => seen.push(e instanceof Error, e.message));\n"
        "  return seen;\n}"
    )
    record = await deployed(code, "cloudflare")
    assert record["model_sees"] == {
        "result": [
            True,
            "'sku'",
            True,
            'Tool "nope" not found',
            True,
            "This worker is not permitted to access the internet via global functions like fetch().",
        ],
        "logs": ["a 1 [object Object]", "[warn] b", "[error] c"],
    }


async def test_a_failure_is_told_with_the_logs(deployed: Deployed):
    record = await deployed("console.log('on');\nawait codemode.fail({});", "cloudflare")
    assert record["model_sees"] == "Code execution failed: 'sku'\n\nConsole output:\non"
    assert told(record) == ("Error", "'sku'", 2)
    assert (await deployed("throw new Error('no');", "cloudflare"))["model_sees"] == "Code execution failed: no"
    # Only what has a message is an error there.
    assert (await deployed("throw 'text';", "cloudflare"))["model_sees"] == {}


async def test_what_takes_too_long_timed_out(deployed: Deployed):
    record = await deployed(
        "console.log('on');\nawait new Promise(() => setInterval(() => {}, 9));", "cloudflare", seconds=0.5
    )
    assert record["model_sees"] == "Code execution failed: Execution timed out\n\nConsole output:\non"
    assert find_target("cloudflare").limits.seconds == 60


async def test_as_an_mcp_server_the_model_sees_the_result_as_text_and_no_console(deployed: Deployed):
    for code, seen in (
        ("async () => { console.log('x'); return [1, 'é']; }", '[\n  1,\n  "é"\n]'),
        ("'as it is'", "as it is"),
        ("const a = 1;", "undefined"),
        ("console.log('x'); await codemode.fail({})", "Error: 'sku'"),
        ("'x'.repeat(24001)", "x" * 24_000 + CUT),
    ):
        assert (await deployed(code, "cloudflare-mcp"))["model_sees"] == seen
    late = await deployed("await new Promise(() => setInterval(() => {}, 9))", "cloudflare-mcp", seconds=0.5)
    assert late["model_sees"] == "Error: Execution timed out"
    # Where nobody asks for it nothing is cut.
    assert (await deployed("'x'.repeat(24001)", "cloudflare"))["model_sees"] == {"result": "x" * 24_001}


def test_as_an_mcp_server_it_is_cut_at_24_000_characters():
    """The largest parts first; compared with the package, which gives the same."""
    assert text_of("x" * 24_000) == "x" * 24_000
    for value, beginning, end, long in (
        (["x" * 30_000], '["xxx', 'x --- TRUNCATED --- 30,000 chars"]', 24_000),
        ({"a": "x" * 30_000, "b": 1}, '{"a":"xxx', 'x --- TRUNCATED --- 30,000 chars","b":1}', 24_000),
        (list(range(20_000)), "[0,1,2,", ',5013,"--- TRUNCATED --- 14,986 more items"]', 23_999),
        ({f"k{n}": "v" * 200 for n in range(300)}, '{"k125":"v', ', k17, k --- TRUNCATED --- 656 chars"}', 24_000),
        (["é\n" * 20_000, True], '[\n  "é\\né', 'é\\n --- TRUNCATED --- 40,000 chars",\n  true\n]', 18_017),
        ("𝄞" * 12_001, "𝄞𝄞", CUT, 12_000 + len(CUT)),
    ):
        text = text_of(value)
        assert (text[: len(beginning)], text[-len(end) :], len(text)) == (beginning, end, long)


@pytest.mark.parametrize(
    ("name", "there"),
    [("get-sum", "get_sum"), ("a.b c", "a_b_c"), ("a!b", "ab"), ("2x", "_2x"), ("delete", "delete_"), ("!", "_")],
)
def test_names_are_made_identifiers(engine: Engine, name: str, there: str):
    engine.add(lambda: 1, name=name)
    assert find_target("cloudflare").names(visible(engine))[f"codemode.{there}"] == name


def test_two_tools_of_one_name_are_an_error(engine: Engine):
    engine.add(lambda: 1, name="a-b")
    engine.add(lambda: 1, name="a_b")
    with pytest.raises(RefusedTools, match='"a-b" and "a_b" both sanitize to "a_b" in provider "codemode"'):
        find_target("cloudflare").names(visible(engine))


def visible(engine: Engine) -> object:
    from ptc_studio.core.session import Session

    return Session(engine.executor).visible_tools()
