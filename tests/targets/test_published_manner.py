"""Programs in the manner in which each target's are published: they run as they are, named and with `auto`."""

import pytest

from ptc_studio.targets import CheckedScript, UnknownTarget, find_target, recognise

A_RETURN = "a return at the top level"
GIVEN = "what the target gives besides tools"
AWAITED = "tools that are awaited"
ONE_OBJECT = "one object as the only argument"
ARROW = "a function that nobody calls"
MODULES = "modules that are imported already"
SPACES = "namespaces that are no globals elsewhere"
FOREIGN = "imports that only the target knows"
BY_NAME = "one function that is told the name"
INPUTS = "inputs and environment"
BARE = "what tells it is how a bare name is called"

PROGRAMS: list[tuple[str, str, str, int]] = [
    (A_RETURN, "fastmcp", 'found = await call_tool("stock", {"item": "pear"})\nreturn found["count"]', 1),
    (A_RETURN, "utcp-python", 'left = shop.stock(item="pear")\nreturn {"left": left}', 1),
    (A_RETURN, "utcp", 'const left = shop.stock({ item: "pear" });\nreturn left.count * 2;', 1),
    (A_RETURN, "utcp", 'const left = await shop.stock({ item: "pear" });\nif (left.count > 3) return "enough";\nreturn "few";', 1),
    (A_RETURN, "vercel", 'const [a, b] = await Promise.all(["pear", "fig"].map((item) => tools.stock({ item })));\nreturn a.count + b.count;', 2),
    (A_RETURN, "tanstack", 'const left: { count: number } = await external_stock({ item: "pear" });\nreturn { left: left.count };', 1),
    (GIVEN, "openai", 'const left = await tools.stock({ item: "pear" });\ntext(`There are ${left.count}`);', 1),
    (GIVEN, "openai", 'const all = await Promise.all(["a", "b", "c"].map((item) => tools.stock({ item })));\ntext(JSON.stringify(all.map(({ count }) => count)));', 3),
    (GIVEN, "openai-codex", '// @exec: {"max_output_tokens": 500}\nconst { output } = { output: await tools.shell({ command: "ls" }) };\ntext(output);', 1),
    (GIVEN, "openai-codex", 'const mine = ALL_TOOLS.filter(({ name }) => name.startsWith("st"));\ntext(mine.map(({ name }) => name));', 0),
    (GIVEN, "openai-codex", 'store("seen", [...(load("seen") ?? []), "pear"]);\ntext(load("seen"));\nexit();', 0),
    (GIVEN, "smolagents", 'total = 0\nfor item in ["pear", "fig"]:\n    total += price(item, qty=2)\nfinal_answer(ceil(total))', 2),
    (GIVEN, "smolagents", 'found = stock(item="pear")\nprint(found)\nfinal_answer(f"There are {found[\'count\']}")', 1),
    (GIVEN, "ironclaw", 'left = json.loads(call_tool("stock", {"item": "pear"}))\nptc_output("left", left["count"])', 1),
    (AWAITED, "anthropic", 'import json\nleft = json.loads(await stock({"item": "pear"}))\nprint(left["count"])', 1),
    (AWAITED, "anthropic", 'import asyncio, json\n\nasync def count(item):\n    return json.loads(await stock({"item": item}))["count"]\n\nprint(sum(await asyncio.gather(*map(count, ["a", "b"]))))', 2),
    (AWAITED, "anthropic", 'import asyncio\n\nasync def main():\n    print(await greet({"name": "Ann"}))\n\nasyncio.run(main())', 1),
    (AWAITED, "pydantic-ai", 'import asyncio\nall_ = await asyncio.gather(*[stock(item=i) for i in ["a", "b"]])\nleft = await stock(item="c")\nlen(all_) + left["count"]', 3),
    (AWAITED, "pydantic-ai", 'import asyncio\n\na, b = await asyncio.gather(\n    stock(item="a"),\n    stock(item="b"),\n)\n{"a": a["count"], "b": b["count"]}', 2),
    (AWAITED, "anthropic", 'import asyncio\nprint(await asyncio.gather(*[greet({"name": name}) for name in "ab"]))', 2),
    (ONE_OBJECT, "deepagents", 'const left = JSON.parse(await tools.stock({ item: "pear" }));\nleft.count', 1),
    (ONE_OBJECT, "vercel", 'const { count } = await tools["stock"]({ item: "pear" });\nreturn count;', 1),
    (ARROW, "cloudflare", 'async () => {\n  const left = await codemode.stock({ item: "pear" });\n  return left.count > 3;\n}', 1),
    (ARROW, "cloudflare", '```js\nasync () => {\n  const all = await Promise.all([1, 2].map((a) => codemode.add({ a, b: 1 })));\n  return all;\n}\n```', 2),
    (ARROW, "cloudflare", 'export default async () => (await codemode.greet({ name: "Ann" })).toUpperCase()', 1),
    (ARROW, "pctx", 'async function run() {\n  const left: { count: number } = await Shop.stock({ item: "pear" });\n  return left.count;\n}', 1),
    (ARROW, "pctx", 'async function run() {\n  return await Shop.add({ a: 1, b: 2 });\n}\n\nexport default await run();', 1),
    (SPACES, "cloudflare", 'const left = await shop.stock({ item: "pear" });\nleft.count', 1),
    (SPACES, "cloudflare", "async () => {\n  const sum = await codemode.shop.add({ a: 20, b: 22 });\n  return sum;\n}", 1),
    (FOREIGN, "mcp-files", "import * as shop from './servers/shop';\n\nconst left = await shop.stock({ item: 'pear' });\nconsole.log(left.tags.join(', '));", 1),
    (FOREIGN, "mcp-files", "import { greet } from './servers/shop/index.ts';\n\nconsole.log(await greet({ name: 'Ann' }));", 1),
    (FOREIGN, "ironclaw", 'from ironclaw_tools import call_tool, shell\n\nprint(shell("ls"), call_tool("greet", {"name": "Ann"}))', 2),
    (BY_NAME, "ms-codeact", 'parts = [call_tool("price", item=i) for i in ("pear", "fig")]\nprint(sum(parts))', 2),
    (BY_NAME, "fastmcp", 'import asyncio\nboth = await asyncio.gather(*[call_tool("stock", {"item": i}) for i in ["a", "b"]])\nfirst = await call_tool("greet", {"name": "Ann"})\nreturn [len(both), first]', 3),
    (BARE, "utcp", 'const left = stock({ item: "pear" });\nreturn left.count;', 1),
    (BARE, "utcp-python", 'left = stock(item="pear")\nreturn {"left": left}', 1),
    (BARE, "ironclaw", 'for line in shell("ls").split():\n    print(json.dumps(line))', 1),
    (BARE, "ironclaw", 'import json\n\nrow = call_tool("stock", {"item": "pear"})\nprint(json.loads(row)["count"])', 1),
    (INPUTS, "monty", "async def agent(question: str, seen: list):\n    while True:\n        seen.append(await greet(question))\n        if len(seen) > 1:\n            return seen\n\n\nawait agent(question, [])", 2),
    (INPUTS, "smolagents", 'final_answer(greet(question))', 1),
    (INPUTS, "anthropic", 'import os\nprint(await greet({"name": os.environ["WHO"] + str(limit)}))', 1),
]  # fmt: skip


@pytest.mark.parametrize(("why", "target", "code", "calls"), PROGRAMS)
async def test_a_program_in_the_targets_manner_runs_as_it_is(deployed, why: str, target: str, code: str, calls: int):
    ending = {"python": "py", "javascript": "mjs", "typescript": "ts"}
    name = f"script.{ending[find_target(target).language]}"
    told = recognise(CheckedScript(code, name))
    assert (told.target.id, bool(told.reason)) == (target, True), why
    record = await deployed.run(
        target, code, filename=name, inputs={"question": "Ann", "limit": 3}, environment={"WHO": "Ann"}
    )
    assert (record["status"], len(record["calls"])) == ("ok", calls), record["error"]
    assert record["model_sees"] is not None
    assert [each for each in record["warnings"] if "known" in each["message"]] == []


@pytest.mark.parametrize(
    ("code", "name", "target"),
    [
        ("const hit = await tools.searchDocs({ query: 'x' });\nhit.slice(0, 80)", "s.ts", "deepagents"),
        (
            "const hits = await Promise.all([1, 2].map((n) => tools.getPage({ n })));\nhits.join('')",
            "s.ts",
            "deepagents",
        ),
        ("const a = await Promise.all([tools.find({})]);\na.map((row) => JSON.parse(row).id)", "s.ts", "deepagents"),
        ("text = read_file('a.txt')\nwrite_file('b.txt', text)", "s.py", "ironclaw"),
        ("print(call_tool('slow', {}, timeout_secs=9))", "s.py", "ironclaw"),
        ("found = await fetch_page(url)\nfound['title']", "s.py", "monty"),
        ("rows = get_rows({'limit': 3})\nreturn rows", "s.py", "utcp-python"),
    ],
)
def test_the_target_is_told_from_how_tools_are_called(code: str, name: str, target: str):
    assert recognise(CheckedScript(code, name)).target.id == target


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("text(await tools.add({ a: 1 }))", "openai"),
        ("async () => { return await codemode.add({ a: 1 }); }", "cloudflare"),
        ("print(await add({'a': 1}))", "anthropic"),
        ("final_answer(tools.add(1))", "smolagents"),
        ("print(add(1, 2))", "plain"),
    ],
)
def test_a_text_from_standard_input_tells_its_language_too(code: str, target: str):
    assert recognise(CheckedScript(code, "<stdin>")).target.id == target


@pytest.mark.parametrize(
    ("code", "name", "fitting"),
    [
        ("rows = await query({'a': 1})\nfinal_answer(rows)", "s.py", ["anthropic", "smolagents"]),
        ("async () => external_add({ a: 1 })", "s.ts", ["cloudflare", "tanstack"]),
        (
            "const a = await codemode.add({});\nconst b = await tools.add({});\nreturn b;",
            "s.js",
            ["cloudflare", "vercel"],
        ),
        ("await codemode.add({}); text(await tools.add({}))", "s.js", ["cloudflare", "openai"]),
    ],
)
def test_an_ambiguous_text_is_asked_about(code: str, name: str, fitting: list[str]):
    with pytest.raises(UnknownTarget) as caught:
        recognise(CheckedScript(code, name))
    assert all(f"--target {each}" in str(caught.value) for each in fitting)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("console.log(Math.max(1, 2), JSON.stringify({}))", "s.js"),
        ("import fs from 'node:fs';\nfs.readFileSync('x')\nconsole.log(await tools.add({ a: 1 }))", "s.js"),
        ("const api = { get() {} };\napi.get({ a: 1 });", "s.js"),
        ("async def f(x):\n    return x\n\nprint(await f(x=1))", "s.py"),
        ("import math\nprint(math.sqrt(4), add(a=1, b=2))", "s.py"),
        ("for (const each of [1]) each.toFixed({});", "s.js"),
        ("const { name } = await tools.getUser({ id: 1 });\nname", "s.js"),
        ("(await tools.getUser({ id: 1 })).name", "s.js"),
        ("console.log(await tools.get_user({ id: 1 }), await tools.findAll({}))", "s.js"),
        ("Bun.serve({ port: 1 });\nDeno.serve({ port: 1 });", "s.js"),
        ("print(call_tool('add', {'a': 1}))", "s.py"),
        ("import json\nprint(json.dumps(call_tool('add', {'a': 1})))", "s.py"),
        ("print(read_file('a.txt'))", "s.py"),
        ("rows = [stock('pear'), await stock(item='fig')]\nreturn rows", "s.py"),
        ("print(await add(1, 2))", "s.py"),
        ("x = 3\nprint(await add(x, 2))", "s.py"),
        ("row = stock('pear')\nreturn row", "s.py"),
        ("function get(o) { return o; }\nreturn get({ a: 1 });", "s.js"),
        ("[1].map(row => row.toFixed({}));\nconst { api, b: [c] } = {};\napi.get({}); c.get({});", "s.js"),
    ],
)
def test_an_ordinary_script_is_plain(code: str, name: str):
    assert recognise(CheckedScript(code, name)).target.id == "plain"
