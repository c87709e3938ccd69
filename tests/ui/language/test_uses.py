"""Which tools a script uses, in every language, and which of them it is not granted."""

import pytest

from ptc_studio.locations import RUNTIMES
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.problems import find_problems, look_over

HINTS = (
    ToolHint("add"),
    ToolHint("http_get", granted=False),
    ToolHint("std.http_get", tool="http_get", granted=False),
    ToolHint("shop.refund", granted=False),
    ToolHint("get-sum", granted=False),
    ToolHint("get_sum", tool="get-sum", granted=False),
)
FOUND = [
    ("python", "add(1)\nhttp_get('x')", "2:1-9 http_get"),
    ("python", "é = await aio.shop.refund(1)", "1:11-26 shop.refund"),
    ("python", "std.http_get('x')", "1:1-13 http_get"),
    ("python", "list(map(http_get, urls))", "1:10-18 http_get"),
    ("python", "call_tool('get-sum', {})", "1:11-20 get-sum"),
    ("python", "get_sum()", "1:1-8 get-sum"),
    ("javascript", "await tools.http_get({url})", "1:7-21 http_get"),
    ("javascript", "const { a } = await tools\n  .shop\n  .refund({id: 1})", "1:21-44 shop.refund"),
    ("javascript", "await tools.shop?.refund()", "1:7-25 shop.refund"),
    ("typescript", "await tools['get-sum']({a: 1})", "1:7-23 get-sum"),
    ("typescript", "const x = await callTool<Row>('http_get', {})", "1:32-40 http_get"),
    ("javascript", "console.log(`${await tools.http_get()}`)", "1:22-36 http_get"),
    ("go", 'rows := MustCallTool[map[string][]Row]("http_get", Args{})', "1:41-49 http_get"),
    ("go", '_, err := CallTool[any](\n\t"shop.refund",\n\tArgs{})', "2:3-14 shop.refund"),
    ("rust", 'let x: Value = call_tool::<Vec<Value>>("get-sum", args! {})?;', "1:41-48 get-sum"),
    ("rust", 'call_tool_timeout("http_get", args! {}, second)', "1:20-28 http_get"),
    ("csharp", 'var x = await CallToolAsync<List<Row>>("http_get", new { url });', "1:41-49 http_get"),
    ("bash", "if true; then http_get --url x | jq .; fi", "1:15-23 http_get"),
    ("bash", 'total=$(shop.refund --id 1)\necho "$total"', "1:9-20 shop.refund"),
    ("bash", "call_tool get-sum --a 1", "1:11-18 get-sum"),
    ("wat", '  (data (i32.const 0) "http_get")', "1:24-32 http_get"),
    ("ruby", "puts http_get(url)\ncall_tool('shop.refund')", "1:6-14 http_get"),
]


def ungranted(code: str, language: str) -> list[str]:
    return [
        f"{each.line}:{each.column}-{each.end_column} {each.ungranted}"
        for each in find_problems(code, language, HINTS)
        if each.ungranted
    ]


@pytest.mark.parametrize(("language", "code", "expected"), FOUND)
def test_a_tool_that_is_not_granted_is_found_where_it_is_used(language: str, code: str, expected: str) -> None:
    assert expected in ungranted(code, language)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "add(1)"),
        ("python", "def http_get(): ...\nhttp_get()"),
        ("python", "from requests import http_get\nhttp_get()"),
        ("python", "x = 'http_get()'  # http_get()"),
        ("python", "session.http_get('x')"),
        ("python", "shop = []\nshop.refund()"),
        ("python", "call_tool(name)"),
        ("javascript", "http_get()  // await tools.http_get()"),
        ("javascript", "const text = 'await tools.http_get()'"),
        ("javascript", "my.tools.http_get(); mytools.http_get()"),
        ("javascript", "/* tools.http_get()\n tools.shop.refund() */ await tools.add()"),
        ("go", 'fmt.Println("http_get") // CallTool[any]("http_get")'),
        ("go", "http_get()"),
        ("rust", '/* call_tool("http_get") */ println!("http_get");'),
        ("csharp", 'Console.WriteLine("CallTool(http_get)");'),
        ("bash", "echo http_get  # http_get"),
        ("bash", "echo 'x; http_get'\nhttp_get=1"),
        ("wat", ';; (data (i32.const 0) "http_get")'),
        ("text", "http_get is a tool"),
    ],
)
def test_what_is_no_use_is_not_reported(language: str, code: str) -> None:
    assert ungranted(code, language) == []


def test_the_problem_says_what_is_to_be_granted() -> None:
    problem = find_problems("std.http_get()", "python", HINTS)[0]
    assert (problem.message, problem.severity) == ("uses `http_get`, not granted", "warning")
    assert problem.ungranted == "http_get"


def test_every_use_is_a_problem_beside_what_else_is_wrong() -> None:
    problems = find_problems("http_get(1)\nshop.refnd()\nhttp_get()", "python", HINTS)
    assert [(each.line, each.ungranted) for each in problems if each.ungranted] == [(1, "http_get"), (3, "http_get")]
    assert any("did you mean shop.refund" in each.message for each in problems)


def test_of_a_script_that_cannot_be_read_the_uses_are_not_known() -> None:
    assert look_over("http_get(", "python", HINTS).uses is None
    assert look_over("", "python", HINTS).uses == []


@pytest.mark.parametrize(
    ("file", "language"),
    [
        ("python/example.py", "python"),
        ("monty/example.py", "python"),
        ("node/example.mjs", "javascript"),
        ("typescript/example.ts", "typescript"),
        ("go/example.go", "go"),
        ("rust/example.rs", "rust"),
        ("csharp/example.cs", "csharp"),
        ("bash/example.sh", "bash"),
        ("wasm/example.wat", "wat"),
    ],
)
def test_the_tools_of_every_example_are_found(file: str, language: str) -> None:
    names = ("team_members", "get_expenses", "lookup_manager", "notify_manager")
    found = look_over((RUNTIMES / file).read_text(), language, [ToolHint(name) for name in names])
    assert found.uses is not None
    assert {use.tool for use in found.uses} == {"team_members", "get_expenses", "lookup_manager"}
    assert not any(problem.ungranted for problem in found.problems)


@pytest.mark.parametrize("language", ["javascript", "go", "rust", "csharp", "bash", "wat", "ruby"])
@pytest.mark.parametrize("piece", ["call_tool", "tools.", "a", '"', "(data ", "'`"])
def test_a_long_text_that_calls_nothing_takes_no_time(language: str, piece: str) -> None:
    assert look_over(piece * 20_000, language, HINTS).uses == []
