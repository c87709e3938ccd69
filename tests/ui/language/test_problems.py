"""What is found in a script before it runs."""

import pytest

from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.problems import find_problems

HINTS = (
    ToolHint("get_order", parameters=(ParameterHint("number", "int"), ParameterHint("full", "bool", False, "False"))),
    ToolHint("calc.mul", parameters=(ParameterHint("a"), ParameterHint("b"))),
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
    ],
)
def test_a_mistake_is_found_where_it_is(code: str, expected: str) -> None:
    assert expected in messages(code)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "get_order(1)",
        "get_order(*args)",
        "get_order(**given)",
        "get_order(1, **given)",
        "call_tool('get_order', {**given})",
        "call_tool('get_order', {key: 1})",
        "call_tool('get_order', given)",
        "call_tool('get_order', arguments={'number': 1})",
        "call_tool(name)",
        "def get_ordr(): ...\nget_ordr()",
        "from orders import get_ordr\nget_ordr()",
        "from orders import *\nget_ordr()",
        "def get_order(): ...\nget_order(1, 2, 3)",
        "something_else(1)",
        "if get_order(1):\n    return await get_order(2)",
        "print(len([]))\nawait call_tool_async('get_order', {'number': 1})",
        "import asyncio\nasyncio.gather(get_order(1))",
        "match x:\n    case {'a': 1, **get_ordr}: get_ordr()",
    ],
)
def test_what_may_be_right_is_not_reported(code: str) -> None:
    assert messages(code) == []


def test_code_that_python_cannot_even_read_is_one_problem() -> None:
    assert len(find_problems("a\0b", "python")) == 1
    assert len(find_problems("(" * 5000 + ")" * 5000, "python")) == 1


def test_other_languages_are_left_to_their_compilers() -> None:
    assert find_problems("let x = (", "javascript", HINTS) == []
