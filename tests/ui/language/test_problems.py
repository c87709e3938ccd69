"""What is found in a script before it runs."""

from pathlib import Path
from typing import Any

import pytest

from ptc_studio.targets import Given
from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.names import language_of
from ptc_studio.ui.language.problems import find_problems
from ptc_studio.ui.language.target_problems import TargetChoiceInput, TypeCheckInput, look_over_for

HINTS = (
    ToolHint("get_order", parameters=(ParameterHint("number", "int"), ParameterHint("full", "bool", False, "False"))),
    ToolHint("calc.mul", parameters=(ParameterHint("a"), ParameterHint("b"))),
    ToolHint("cheap", granted=False, fault="the alias 'cheap' is disabled"),
    ToolHint("only_named", parameters=(ParameterHint("key", keyword_only=True),)),
)


def messages(code: str) -> list[str]:
    return [
        f"{each.line}:{each.column}-{each.end_column} {each.message}" for each in find_problems(code, "python", HINTS)
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = (1,\n", "1:5-6 '(' was never closed"),
        ("é = 'ü'; get_ordr(1)", "1:10-18 no tool 'get_ordr': did you mean get_order?"),
        ("await aio.get_order()", "1:7-20 get_order needs 'number'"),
        ("get_order(1, fulll=2)", "1:14-21 get_order has no parameter 'fulll': did you mean 'full'?"),
        ("get_order(1, 2, 3)", "1:17-18 get_order takes 2 by position, 3 given"),
        ("get_order(1, number=2)", "1:14-22 get_order is given 'number' twice"),
        ("calc.mul(1)", "1:1-9 calc.mul needs 'b'"),
        ("calc.mult(1, 2)", "1:1-10 no tool 'calc.mult': did you mean calc.mul?"),
        ("aio.calc.mul(1, 2, c=3)", "1:20-23 calc.mul has no parameter 'c'"),
        ("call_tool('get_ordr')", "1:11-21 no tool 'get_ordr': did you mean get_order?"),
        ("call_tool('nothing_like_it')", "1:11-28 no tool 'nothing_like_it'"),
        ("call_tool('get_order', {'numbr': 1})", "1:1-37 get_order needs 'number'"),
        ("call_tool('get_order')", "1:1-23 get_order needs 'number'"),
        ("only_named(1)", "1:12-13 only_named takes none by position, 1 given"),
        ("class A:\n    return 1", "2:5-13 'return' outside function"),
        (
            "something_else(1)",
            "1:1-15 'something_else' is not known: neither Python nor a tool of this script has the name",
        ),
        ("x = 1\nprint(x + y)", "2:11-12 'y' is not known: neither Python nor a tool of this script has the name"),
        ("cheap(1)", "1:1-6 the alias 'cheap' is disabled"),
    ],
)
def test_a_mistake_is_found_where_it_is(code: str, expected: str) -> None:
    assert expected in messages(code)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "get_order(1)",
        "args = []\nget_order(*args)",
        "given = {}\nget_order(**given)",
        "given = {}\nget_order(1, **given)",
        "given = {}\ncall_tool('get_order', {**given})",
        "key = 'number'\ncall_tool('get_order', {key: 1})",
        "given = {}\ncall_tool('get_order', given)",
        "call_tool('get_order', arguments={'number': 1})",
        "name = input()\ncall_tool(name)",
        "def get_ordr(): ...\nget_ordr()",
        "from orders import get_ordr\nget_ordr()",
        "from orders import *\nget_ordr()",
        "def get_order(): ...\nget_order(1, 2, 3)",
        "[n for n in (lambda k: [k])(1)]; print(__file__, __name__)",
        "if get_order(1):\n    return await get_order(2)",
        "print(len([]))\nawait call_tool_async('get_order', {'number': 1})",
        "import asyncio\nasyncio.gather(get_order(1))",
        "match 1:\n    case {'a': 1, **get_ordr}: get_ordr()",
    ],
)
def test_what_may_be_right_is_not_reported(code: str) -> None:
    assert messages(code) == []


def test_code_that_python_cannot_even_read_is_one_problem() -> None:
    assert len(find_problems("a\0b", "python")) == 1
    assert len(find_problems("(" * 5000 + ")" * 5000, "python")) == 1


def test_other_languages_are_left_to_their_compilers() -> None:
    assert find_problems("let x = (", "javascript", HINTS) == []


def test_without_tools_nothing_is_certain() -> None:
    assert find_problems("something_else(1)", "python") == []


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        ("await tools.get_ordr({number: 1})", "javascript", "no tool 'get_ordr': did you mean get_order?"),
        ("await tools.calc.mult({a: 1})", "typescript", "no tool 'calc.mult': did you mean calc.mul?"),
        ('CallTool[any]("get_ordr")', "go", "no tool 'get_ordr': did you mean get_order?"),
        ("await tools.cheap({})", "javascript", "the alias 'cheap' is disabled"),
        ("await tools.cheap({})", "typescript", "the alias 'cheap' is disabled"),
        ("cheap --a 1", "bash", "the alias 'cheap' is disabled"),
        ('MustCallTool[any]("cheap")', "go", "the alias 'cheap' is disabled"),
        ('call_tool::<Value>("cheap", args!{})', "rust", "the alias 'cheap' is disabled"),
        ('await CallTool<int>("cheap")', "csharp", "the alias 'cheap' is disabled"),
    ],
)
def test_a_tool_that_there_is_not_is_told_in_other_languages_too(code: str, language: str, expected: str) -> None:
    assert [each.message for each in find_problems(code, language, HINTS)] == [expected]


def test_tools_that_there_are_and_what_is_done_with_them_are_not_reported() -> None:
    assert find_problems("const f = tools.get_order; await tools.calc.mul({}).then(x => x)", "javascript", HINTS) == []


class AddTool:
    """As much of a tool as a check asks for."""

    names = ("add",)


@pytest.mark.parametrize(
    ("code", "filename", "runtime", "expected"),
    [
        ("é = 'ü'; consol.log(é)", "a.mjs", "node", ["1:1-2 warning", "1:10-16 error"]),
        ("const n: number = 1;\nconsole.log(n, given, cheap)", "a.ts", "typescript", ["2:23-28 warning"]),
        ("Deno.exit()", "a.mjs", "node", ["1:1-5 warning"]),
        ("Deno.exit()", "a.mjs", "deno", []),
        ("await add({})", "a.mjs", "node", ["1:7-10 error"]),
        ("add 1 2\nad 1 2", "a.sh", "bash", ["2:1-3 error"]),
        ("cheap --a 1", "a.sh", "bash", ["1:1-6 error"]),
        ("echo $(", "a.sh", "bash", ["1:6-7 error"]),
        ("sample --a 1", "a.sh", "bash", []),
        ("sample()", "a.py", "python", []),
        ("prnt(given)", "a.py", "python", ["1:1-5 error"]),
        ("print(other)", "a.py", "python", ["1:1-13 warning"]),
        ("cheap()", "a.py", "python", ["1:1-6 error"]),
    ],
)
def test_a_name_that_nobody_has_is_told_before_the_run(code: str, filename: str, runtime: str, expected: list[str]):
    tools: list[Any] = [AddTool()]
    going = TargetChoiceInput("plain", filename, lambda: tools, Given({"given": 1}), runtime=runtime)
    language = language_of(Path(filename))
    found = look_over_for(going, TypeCheckInput(code, language, (*HINTS, ToolHint("add"), ToolHint("sample"))))
    assert [f"{each.line}:{each.column}-{each.end_column} {each.severity}" for each in found.problems] == expected
