"""What is said of a script before it runs, at its line, for each JavaScript target; and how a target is told from a text."""

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.targets import CheckedScript, UnknownTarget, check, find_target, recognise
from tests.support import Engine

FAILS = {
    "openai": [
        ("text(1);\nconsole.log(2);", 2, "There is no `console` there"),
        ("\nimport fs from 'node:fs';\ntext(1);", 2, "`node:fs` cannot be imported"),
        ("text(1);\nreturn 1;", 2, "A `return` at the top level is a syntax error there"),
        ("text(1);\nconst a: number = 1;", 2, "Types are a syntax error there"),
        ("text(await tools.add(1, 2));", 1, "`tools.add` is called with 2 arguments"),
        ("text(await tools.add('a'));", 1, "an argument that is no object"),
        ("text(\n  await tools.nope({}));", 2, "There is no tool `tools.nope` there"),
        ("text(await tools['server.get-sum']({}));", 1, "The tool `server.get-sum` is called `server_get-sum` there"),
        ("const main = async () => {\n  text(1);\n};", 1, "Nobody calls 'main'"),
    ],
    "openai-codex": [
        ("text(new SharedArrayBuffer(1));", 1, "There is no `SharedArrayBuffer` there"),
        ("// @exec: {nope}\ntext(1);", 1, "What follows `// @exec:` is no JSON"),
        ('// @exec: {"max": 1}\ntext(1);', 1, "no setting 'max'"),
    ],
    "cloudflare": [
        ("async () => {\n  return 1;\n};", 3, "The semicolon behind the arrow function is a syntax error there"),
        ("async () => {\n  await fetch('https://x');\n}", 2, "There is no `fetch` there"),
        ("async () => codemode.nope({})", 1, 'Tool "nope" not found'),
        ("async () => codemode['server.get-sum']({})", 1, "is called `server_get_sum` there"),
        ("function a() {}\n\nfunction b() {}", 3, "Nobody calls 'b'"),
        ("async () => {\n  const x: number = 1;\n}", 2, "Types are a syntax error there"),
    ],
    "utcp": [
        ("return setTimeout(() => {}, 1);", 1, "There is no `setTimeout` there"),
        ("const x: number = 1;\nreturn x;", 1, "Types are a syntax error there"),
        ("return server['get-sum']();", 1, "`server.get-sum` is called `server.get_sum` there"),
        ("async () => add({ a: 1 })", 1, "Nobody calls this function"),
    ],
    "vercel": [
        ("tools.add({ a: 1 });\nreturn 1;", 1, "Nobody awaits `tools.add`: the program fails for that"),
        ("\nconsole.warn('x');\nreturn 1;", 2, "There is no console.warn there"),
        ("return process.env;", 1, "There is no `process` there"),
    ],
    "tanstack": [
        ("return await external_nope({});", 1, "There is no tool `external_nope` there"),
        ("\nreturn await tools.add({});", 2, "The tool `add` is called `external_add` there"),
        ("import x from 'y';\nreturn 1;", 1, "`y` cannot be imported"),
    ],
    "deepagents": [
        ("const r = await tools.getPrice({ sku: 'a' });\nr.price", 2, "`r` is text there"),
        ("const { price } = await tools.getPrice({ sku: 'a' });\nprice", 1, "`tools.getPrice` is text there"),
        ("(await tools.getPrice({})).price", 1, "`tools.getPrice` is text there"),
        ("await tools.get_price({ sku: 'a' })", 1, "The tool `get_price` is called `getPrice` there"),
    ],
    "mcp-files": [
        ("console.log(1);\nimport * as x from './servers/nowhere';", 2, "There is no server `nowhere`"),
        ("import * as shop from './servers/shop';\nconsole.log(await shop.nope({}));", 2, "has no `nope`"),
        ("console.log(await tools.add({ a: 1 }));", None, "Nothing is imported from './servers/'"),
    ],
    "pctx": [
        ("const a = await Shop.getPrice({ sku: 'a' });", None, "There is no function `run`"),
        ("async function run() {\n  return Shop.get_price({});\n}", 2, "`get_price` is called `getPrice` there"),
        ("async function run() {}\nreturn 1;", 2, "A `return` at the top level"),
    ],
    "goose": [
        ("import { x } from 'nowhere';\nx();", 1, "There is no extension 'nowhere'"),
    ],
}  # fmt: skip
WORTH_KNOWING = {
    "openai": [
        ("text(1);\ntext(2);", 2, "How several text() are joined, nobody has said"),
        ("const a = 1;", None, "Nothing calls text()"),
        ("tools.add({ a: 1 });\ntext(1);", 1, "whether it is waited for, nobody has said"),
    ],
    "openai-codex": [("tools.add({ a: 1 });\ntext(1);", 1, "it is dropped when the program ends")],
    "utcp": [("add({ a: 1 })", 1, "A last expression is not the result there")],
    "vercel": [("1 + 1", None, "Nothing is returned")],
    "mcp-files": [("import * as shop from './servers/shop';", None, "Nothing is printed")],
    "goose": [("import { get_price } from 'shop';\nconst p = get_price({});\np.price", 3, "`p` is text there")],
}
FINE = {
    "openai": "const r = await Promise.all([tools.add({ a: 1 }), tools.get_price({ sku: 'a' })]);\ntext(r);",
    "openai-codex": "setTimeout(() => {}, 1);\ntext(ALL_TOOLS.map(({ name }) => name));",
    "cloudflare": "async () => {\n  const console2 = console;\n  return (await shop.get_price({ sku: 'a' })).price;\n}",
    "utcp": "const p = shop.get_price({ sku: 'a' });\nreturn p.price + add({ a: 1 });",
    "vercel": "const p: number = await tools.add({ a: 1 });\nreturn p;",
    "tanstack": "const p = await external_get_price({ sku: 'a' });\nreturn p.price;",
    "deepagents": "const p = JSON.parse(await tools.getPrice({ sku: 'a' }));\np.price",
    "mcp-files": "import { getPrice } from './servers/shop';\nconsole.log(await getPrice({ sku: 'a' }));",
    "pctx": "async function run() {\n  return await Shop.getPrice({ sku: 'a' });\n}",
    "goose": "import { get_price } from 'shop';\nget_price({ sku: 'a' }).length",
}


def cases(table: dict[str, list[tuple[str, int | None, str]]]) -> list[object]:
    return [
        pytest.param(target, *case, id=f"{target}-{number}")
        for target, each in table.items()
        for number, case in enumerate(each)
    ]


def found(target: str, code: str, tools: Engine) -> list[tuple[int | None, str, bool]]:
    ending = {"javascript": "mjs", "typescript": "ts"}[find_target(target).language]
    visible = Session(tools.executor).visible_tools()
    findings = check(find_target(target), Script(code, f"script.{ending}"), visible)
    return [(each.line, each.message, each.fails) for each in findings]


@pytest.mark.parametrize(("target", "code", "line", "text"), cases(FAILS))
def test_what_fails_there_is_said_at_its_line(tools: Engine, target: str, code: str, line: int | None, text: str):
    fitting = [each for each in found(target, code, tools) if text in each[1]]
    assert [each[0] for each in fitting] == [line]
    assert fitting[0][2]


@pytest.mark.parametrize(("target", "code", "line", "text"), cases(WORTH_KNOWING))
def test_what_is_only_worth_knowing_is_said_too(tools: Engine, target: str, code: str, line: int | None, text: str):
    findings = found(target, code, tools)
    assert [each[0] for each in findings if text in each[1]] == [line]
    assert not any(each[2] for each in findings) or target == "goose"


@pytest.mark.parametrize(("target", "code"), FINE.items())
def test_nothing_is_said_of_a_script_in_the_targets_manner(tools: Engine, target: str, code: str):
    assert found(target, code, tools) == []


def test_a_lone_function_is_told_of_without_a_target_too(tools: Engine):
    script = Script("async () => {\n  await tools.add({ a: 1 });\n}", "script.mjs")
    (finding,) = check(find_target("plain"), script, Session(tools.executor).visible_tools())
    assert (finding.line, "Nobody calls this function" in finding.message) == (1, True)


@pytest.mark.parametrize(
    ("code", "filename", "target"),
    [
        ("text(await tools.add({}));", "a.mjs", "openai"),
        ("text(ALL_TOOLS.length + (await tools.add({})));", "a.mjs", "openai-codex"),
        ("// @exec: {}\ntext(1);", "a.js", "openai-codex"),
        ("store('a', await tools.add({}));\ntext(1);", "a.mjs", "openai-codex"),
        ("async () => 1", "a.js", "cloudflare"),
        ("return codemode.add({});", "a.mjs", "cloudflare"),
        ("return await external_add({});", "a.ts", "tanstack"),
        ("import * as a from './servers/a';\nconsole.log(a);", "a.ts", "mcp-files"),
        ("async function run() {}\nexport default await run();", "a.ts", "pctx"),
        ("return __getToolInterface('a');", "a.mjs", "utcp"),
        ("console.log(1);", "a.mjs", "plain"),
    ],
)
def test_a_target_is_told_from_the_text(code: str, filename: str, target: str):
    assert recognise(CheckedScript(code, filename)).target.id == target


def test_where_two_fit_it_is_asked():
    with pytest.raises(UnknownTarget, match="may be for .*openai.*tanstack|may be for .*tanstack.*openai"):
        recognise(CheckedScript("text(await tools.a({}));\nreturn external_b({});", "a.mjs"))


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        ("const x = ;\nawait tools.add({ a: 1 });", 1, "a syntax error, near `"),
        ("console.log(1);\nawait tools.add({ a: 1", 2, "a syntax error, "),
        ("[" * 20_000, None, "The script is no JavaScript"),
        ("```js\nconsole.log(1)\n```", 1, "A code fence"),
    ],
)
def test_what_is_no_javascript_runs_nowhere(code: str, line: int | None, words: str):
    for target_id in ("plain", "openai", "utcp", "vercel", "goose", "mcp-files"):
        found = check(find_target(target_id), Script(code, "script.mjs"))
        assert any(each.line == line and words in each.text and each.fails for each in found), (target_id, found)
    fenced = code.startswith("```")
    assert any(each.fails for each in check(find_target("cloudflare"), Script(code, "script.mjs"))) is not fenced


def test_of_a_text_that_is_too_long_only_the_language_is_told():
    script = Script("x = 1\n" * 100_000, "script.py")
    assert [each.fails for each in check(find_target("anthropic"), script)] == [False]
    assert [each.fails for each in check(find_target("openai"), script)] == [True]
