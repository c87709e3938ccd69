"""What is offered at the cursor."""

import pytest

from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.python_completion import PythonCompletion, stubs
from ptc_studio.ui.language.suggestions import CallContext, context_before, tool_suggestions

HINTS = (
    ToolHint(
        "get_order", "", "One order.", (ParameterHint("number", "int"), ParameterHint("full", "bool", False, "False"))
    ),
    ToolHint("calc.mul", parameters=(ParameterHint("a"), ParameterHint("b"))),
    ToolHint("odd", parameters=(ParameterHint("odd-name", "string or null"), ParameterHint("x", "string or"))),
)


def offered(text: str) -> list[str]:
    return [each.text for each in tool_suggestions(context_before(text), HINTS)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("get", ["get_order"]),
        ("ORD", ["get_order"]),
        ("gto", ["get_order"]),
        ("x = aio.", ["get_order", "calc", "odd"]),
        ("calc.", ["mul"]),
        ("aio.calc.m", ["mul"]),
        ("get_order(", ["number=", "full="]),
        ("await aio.get_order(1, ", ["full="]),
        ("get_order(number=len([1, 2]), ", ["full="]),
        ("get_order(fu", ["full="]),
        ("get_order(full=", []),
        ("get_order('(', ", ["full="]),
        ("call_tool('ca", ["calc.mul"]),
        ('print("get', []),
        ("# get", []),
        ('"""doc\nget', []),
        ('x = ""\nget', ["get_order"]),
        ("x = 'a' # it's get", []),
        ("nothing", []),
    ],
)
def test_tools_and_parameters_are_offered_where_they_fit(text: str, expected: list[str]) -> None:
    assert offered(text) == expected


def test_a_parameter_tells_its_type_and_the_signature_of_its_tool() -> None:
    first = tool_suggestions(context_before("get_order("), HINTS)[0]
    assert (first.detail, first.required, first.description) == ("int", True, "One order.")
    assert first.signature == "get_order(number: int, full: bool = False)"


def test_the_innermost_call_counts() -> None:
    assert context_before("print(get_order(1), calc.mul(").callee == "calc.mul"
    assert context_before("get_order([1, ") == CallContext()


def test_stubs_are_python_whatever_the_tools_are_called() -> None:
    compile(stubs(HINTS), "stubs", "exec")


@pytest.mark.slow
def test_jedi_knows_the_tools_and_the_script() -> None:
    python = PythonCompletion()

    def completed(code: str, line: int, column: int, hints: tuple[ToolHint, ...] = HINTS) -> list[str]:
        return [each.text for each in python.complete(code, line, column, hints)]

    try:
        assert "get_order" in completed("import json\nvalue = get_order\nget_ord", 3, 7)
        assert "upper" in completed("find().up", 1, 9, (ToolHint("find", output={"type": "string"}),))
        assert "dumps" in completed("import json\njson.du", 2, 7)
        assert "number=" in completed("aio.get_order(nu", 1, 16)
    finally:
        python.close()
