"""TanStack, Deep Agents, tools as files, pctx and Goose."""

from pathlib import Path

import pytest

from ptc_studio.core.scripts import Containers
from ptc_studio.targets import find_target
from tests.targets.javascript.conftest import Deployed, told


@pytest.mark.parametrize(
    ("code", "sees"),
    [
        (
            "const { price }: { price: number } = await external_get_price({ sku: 'a' });\nreturn price;",
            {"success": True, "result": 5, "logs": []},
        ),
        (
            "console.log('a', { b: 1 }, null);\nconsole.error('e'); console.warn('w'); console.info('i');",
            {"success": True, "logs": ['a {"b":1} null', "ERROR: e", "WARN: w", "INFO: i"]},
        ),
        ("\nawait external_fail({});", {"success": False, "error": {"message": "'sku'", "name": "Error"}, "logs": []}),
        (
            "console.log('on');\nthrow new RangeError('no');",
            {"success": False, "error": {"message": "no", "name": "RangeError"}, "logs": ["on"]},
        ),
        ("throw 'text';", {"success": False, "error": {"message": "text", "name": "Error"}, "logs": []}),
        (
            "return [await external_server_get_sum(), typeof setTimeout, typeof fetch, global === globalThis];",
            {"success": True, "result": [1, "undefined", "undefined", True], "logs": []},
        ),
    ],
)
async def test_tanstack_has_external_functions_and_tells_success_result_and_logs(
    deployed: Deployed, code: str, sees: object
):
    record = await deployed(code, "tanstack")
    assert record["model_sees"] == sees
    assert record["error"] is None or record["error"]["line"] in (2, None)


@pytest.mark.parametrize(
    ("code", "sees"),
    [
        ("const text: string = await tools.getPrice({ sku: 'a' });\ntext", '<result>{"sku": "a", "price": 5}</result>'),
        ("JSON.parse(await tools.getPrice({ sku: 'a' }))", '<result>{sku: "a", price: 5}</result>'),
        ("console.log('a', [1, 'b'], { c: null }, '<');\n1 / 4", "<stdout>\na [1, \"b\"] {c: null} <\n</stdout>\n<result>0.25</result>"),
        ("const a = 1;", "<result>undefined</result>"),
        ("'a < b & c'", "<result>a &lt; b &amp; c</result>"),
        ("(a, b) => a", '<result kind="handle">[Function] arity=2</result>'),
        ("Promise.resolve(true)", "<result>true</result>"),
        ("await tools.serverGetSum()", "<result>1</result>"),
        ("\nawait tools.fail({})", "<error type=\"Error\">'sku'</error>"),
        ("null.x", "<error type=\"TypeError\">Cannot read properties of null (reading 'x')</error>"),
        (
            "for (let i = 0; i < 300; i++) await tools.add({ a: i });",
            '<error type="PTCCallBudgetExceeded">PTC call budget exceeded (limit=256, attempted=257, function=tools.add)</error>',
        ),
    ],
)  # fmt: skip
async def test_deep_agents_gives_text_and_replies_in_tags(deployed: Deployed, code: str, sees: str):
    record = await deployed(code, "deepagents")
    assert record["model_sees"].replace('{"sku":"a","price":5}', '{"sku": "a", "price": 5}') == sees


async def test_deep_agents_cuts_what_is_long(deployed: Deployed):
    sees = (await deployed("console.log('y'.repeat(5000));\n'x'.repeat(5000)", "deepagents"))["model_sees"]
    stdout, result = sees.split("\n</stdout>\n")
    assert stdout.endswith("… [truncated 1000 chars]")
    assert len(stdout.removeprefix("<stdout>\n")) == 4000
    assert result.endswith("x… [truncated 1021 chars]</result>")
    record = await deployed("while (true);", "deepagents", seconds=0.5)
    assert record["model_sees"].startswith('<error type="Timeout">')


async def test_tools_are_files_of_a_server(deployed: Deployed):
    code = (
        "import * as shop from './servers/shop';\nimport { getSum } from './servers/server/index.ts';\n"
        "import { getPrice } from '../servers/shop/getPrice.ts';\nimport * as rest from './servers/tools/index.js';\n"
        "import { sep } from 'node:path';\n"
        "const p: { price: number } = await shop.getPrice({ sku: 'a' });\n"
        "console.log(p.price, await getSum(), (await getPrice({ sku: 'b' })).sku, await rest.add({ a: 1 }), sep);"
    )
    record = await deployed(code, "mcp-files")
    assert (record["error"], record["model_sees"]) == (None, "5 1 b 3 /\n")
    assert [call["line"] for call in record["calls"]] == [6, 7, 7, 7]


async def test_the_model_sees_the_console_of_tools_as_files_and_the_error(deployed: Deployed, tmp_path: Path):
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "save.ts").write_text("export const twice = (x) => x * 2;\n")
    code = (
        "import { fail } from './servers/tools';\nimport { twice } from './skills/save.ts';\n"
        "console.log(twice(21));\nconsole.error('aside');\nawait fail({});"
    )
    record = await deployed(code, "mcp-files", directory=tmp_path)
    assert record["model_sees"] == "42\naside\nKeyError: 'sku'\n    at script.ts:5:7\n"
    record = await deployed("\nimport { x } from './servers/nowhere';", "mcp-files", directory=tmp_path)
    assert record["error"]["line"] == 2


async def test_files_below_workspace_and_skills_can_be_written_and_stay_in_the_container(
    deployed: Deployed, tmp_path: Path
):
    """The script's folder is not changed by it, and its other files are there to be read."""
    (tmp_path / "note.txt").write_text("kept")
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "old.csv").write_text("1")
    container = Containers().of("mcp-files")
    save = (
        "import * as fs from 'node:fs/promises';\nimport { echo } from './servers/tools';\n"
        "await fs.writeFile('./workspace/new.csv', await fs.readFile('./workspace/old.csv', 'utf8') + await echo({ value: '2' }));\n"
        "await fs.writeFile('./skills/total.ts', `import { add } from './servers/tools';\\n"
        "export const total = (a: number, b: number): Promise<number> => add({ a, b });`);\n"
        "console.log(await fs.readFile('note.txt', 'utf8'));"
    )
    first = await deployed(save, "mcp-files", directory=tmp_path, container=container)
    assert (first["error"], first["model_sees"]) == (None, "kept\n")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["note.txt", "old.csv", "workspace"]
    use = (
        "import { total } from './skills/total';\nimport { readFile } from 'node:fs/promises';\n"
        "console.log(await total(40, 2), await readFile('./workspace/new.csv', 'utf8'));"
    )
    second = await deployed(use, "mcp-files", directory=tmp_path, container=container)
    assert (second["error"], second["model_sees"]) == (None, "42 12\n")
    alone = await deployed(use, "mcp-files", directory=tmp_path)
    assert (alone["status"], alone["error"]["line"]) == ("error", 1)


async def test_what_published_examples_do_not_import_is_there_and_warned_of(deployed: Deployed, tmp_path: Path):
    (tmp_path / "note.txt").write_text("kept")
    code = "const { price } = await shop.getPrice({ sku: 'a' });\nconsole.log(price, await fs.readFile('note.txt', 'utf-8'));"
    record = await deployed(code, "mcp-files", directory=tmp_path)
    assert record["model_sees"] == "5 kept\n"
    assert [(each["line"], each["message"].split(":")[0]) for each in record["warnings"]] == [
        (1, "`shop` is not imported"),
        (2, "`fs` is not imported"),
    ]
    own = await deployed("const shop = { getPrice: () => 1 };\nconsole.log(shop.getPrice());", "mcp-files")
    assert (own["model_sees"], [each["line"] for each in own["warnings"]]) == ("1\n", [None])


async def test_pctx_calls_run_and_tells_all_in_markdown(deployed: Deployed):
    code = "async function run() {\n  const { price } = await Shop.getPrice({ sku: 'a' });\n  console.log('on');\n  return { price };\n}\n"
    expected = (
        'Code Executed Successfully: true\n\n# Return Value\n```json\n{\n  "price": 5\n}\n```\n\n'
        "# STDOUT\non\n\n\n# STDERR\n\n"
    )
    for text in (code, f"{code}export default await run();\n"):
        record = await deployed(text, "pctx")
        assert (record["error"], record["model_sees"]) == (None, expected)
        assert record["calls"][0]["line"] == 2


async def test_pctx_gives_a_program_10_seconds_without_the_check_of_its_types(deployed: Deployed):
    """The check takes longer than what is left for the program here."""
    code = "async function run() {\n  console.log('on');\n  while (true) {}\n}\n"
    record = await deployed(code, "pctx", seconds=0.5)
    assert record["duration_ms"] >= 500
    assert record["status"] == "timeout"
    assert record["model_sees"] == (
        "Code Executed Successfully: false\n\n# Return Value\n```json\nnull\n```\n\n"
        "# STDOUT\non\n\n\n# STDERR\nExecution timed out after 10 s\n"
    )
    assert find_target("pctx").limits.of_run == {"timeout": 10}


async def test_pctx_checks_the_types_first(deployed: Deployed):
    record = await deployed("async function run() {\n  return await Shop.getPrice({ skuu: 1 });\n}\n", "pctx")
    assert (record["error"]["type"], record["error"]["line"], record["calls"]) == ("CompileError", 2, [])
    assert "'skuu' does not exist in type" in record["model_sees"]
    assert record["model_sees"].startswith("Code Executed Successfully: false\n\n# Return Value\n```json\nnull\n")


async def test_pctx_lets_unknown_members_and_types_that_are_left_out_pass(deployed: Deployed):
    code = (
        "async function run() {\n  const rows = [await Shop.getPrice({ sku: 'a' })];\n"
        "  const add = (sum, row) => sum + row.price;\n  return { total: rows.reduce(add, 0), gone: rows.nothing };\n}\n"
    )
    record = await deployed(code, "pctx")
    assert (record["error"], record["value"]) == (None, {"total": 5})


async def test_goose_has_the_result_that_a_script_records(deployed: Deployed):
    record = await deployed("import { add } from 'tools';\nrecord_result({ sum: add({ a: 1 }) });", "goose")
    assert (record["error"], record["model_sees"]) == (None, '{"sum":"3"}')


async def test_goose_imports_synchronous_functions_that_give_text(deployed: Deployed):
    code = "import { get_price } from 'shop';\nimport { add } from 'tools';\nconst text = get_price({ sku: 'a' });\nJSON.parse(text).price + Number(add({ a: 1 }))"
    record = await deployed(code, "goose")
    assert (record["error"], record["value"], record["model_sees"]) == (None, 8, "8")
    assert [call["line"] for call in record["calls"]] == [3, 4]
    record = await deployed("import { fail } from 'tools';\nfail();", "goose")
    assert told(record) == ("KeyError", "'sku'", 2)
    assert record["model_sees"] == "'sku'"
