"""What is offered at the cursor in JavaScript and TypeScript."""

import pytest

from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.suggestions import CallContext, js_context_before, js_suggestions, js_word_before

ORDER = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "mode": {"enum": ["fast", "slow"]}, "odd-name": {"type": "string"}},
    "required": ["number"],
}
HINTS = (
    ToolHint(
        "get_order",
        "",
        "One order.",
        (ParameterHint("number", "int"), ParameterHint("mode", "str", False, "'slow'")),
        ORDER,
        {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    ),
    ToolHint("calc.mul", parameters=(ParameterHint("a"), ParameterHint("b"))),
    ToolHint("server.get-sum"),
    ToolHint("server.get_sum"),
)


def offered(text: str) -> list[str]:
    return [each.text for each in js_suggestions(js_context_before(text), HINTS)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("await tools.", ["get_order", "calc", "server"]),
        ("await tools.ca", ["calc"]),
        ("const x = await tools.calc.", ["mul"]),
        ("tools.server.", ["get_sum"]),
        ("to", ["tools", "tools.get_order", "tools.calc.mul", "tools.server.get_sum"]),
        ("get_ord", ["tools.get_order"]),
        ("mytools.", []),
        ("console.", []),
        ("tools.get_order(", ["{ number: ", "{ mode: "]),
        ("tools.get_order({", ["number: ", "mode: "]),
        ("tools.get_order({ number: 3, ", ["mode: "]),
        ("tools.get_order({ number, mo", ["mode: "]),
        ("tools.get_order({\n  number: list[1, 2](a, b),\n  ", ["mode: "]),
        ("tools.get_order({ ...rest, nu", ["number: "]),
        ("tools.get_order({ number: ", []),
        ("tools.get_order({ number: { ", []),
        ("tools.get_order(x, ", []),
        ("Promise.all([tools.get_order({ nu", ["number: "]),
        ("tools.calc.mul({ a: 1, ", ["b: "]),
        ("other({ ", []),
        ("call_tool('ca", ["calc.mul"]),
        ('callTool("server.get-', ["server.get-sum"]),
        ("console.log('tools.", []),
        ("// tools.", []),
        ("/* a\n tools.", []),
        ("`text tools.", []),
        ("`is ${await tools.", ["get_order", "calc", "server"]),
        ("`is ${1} tools.", []),
        ("f(`a ${1} \n b`, '(', \"it's\"); tools.calc.", ["mul"]),
    ],
)
def test_tools_and_keys_are_offered_where_they_fit(text: str, expected: list[str]) -> None:
    assert offered(text) == expected


def test_a_key_tells_its_type_as_typescript_writes_it() -> None:
    number, mode = js_suggestions(js_context_before("tools.get_order({"), HINTS)
    assert (number.detail, number.required, number.description) == ("number", True, "One order.")
    assert (mode.detail, mode.required) == ('"fast" | "slow" = \'slow\'', False)
    assert (
        number.shown_signature
        == 'tools.get_order({ number: number; mode?: "fast" | "slow"; "odd-name"?: string }): Promise<GetOrderResultItem[]>'
    )


def test_a_tool_tells_its_types() -> None:
    (mul,) = js_suggestions(js_context_before("tools.calc.mu"), HINTS)
    assert (mul.kind, mul.detail) == ("tool", "({ a, b })")
    assert mul.shown_signature == "tools.calc.mul({ a?: any; b?: any }): Promise<any>"


def test_a_key_that_begins_the_object_closes_it() -> None:
    first = js_suggestions(js_context_before("tools.get_order("), HINTS)[0]
    assert (first.text, first.after) == ("{ number: ", " }")


def test_the_innermost_call_counts() -> None:
    assert js_context_before("tools.get_order({ number: tools.calc.mul({").callee == "calc.mul"
    assert js_context_before("tools.get_order([1, ") == CallContext()
    assert js_word_before("x = $tools.ab$c") == "ab$c"
