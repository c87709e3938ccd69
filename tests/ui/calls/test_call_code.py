"""Calls as code, in every language that scripts are written in."""

import json

import pytest

from ptc_studio.ui.calls.code import call_code, first_gap, skeleton
from ptc_studio.ui.tools.rows import ParameterRow, ToolRow

ARGUMENTS = {"person": 'Ada "L"', "tags": ["a", None], "over": 3_000_000_000, "deep": {"x": 1.5, "y-z": True}}
WRITTEN = {
    "python": """pay(person='Ada "L"', tags=['a', None], over=3000000000, deep={'x': 1.5, 'y-z': True})""",
    "javascript": r"""await tools.pay({person: "Ada \"L\"", tags: ["a", null], over: 3000000000, """
    r"""deep: {x: 1.5, "y-z": true}})""",
    "go": r"""MustCallTool[any]("pay", Args{"person": "Ada \"L\"", "tags": []any{"a", nil}, "over": 3000000000, """
    r""""deep": map[string]any{"x": 1.5, "y-z": true}})""",
    "rust": r"""call_tool::<Value>("pay", args! {"person" => "Ada \"L\"", "tags" => json!(["a", null]), """
    r""""over" => 3000000000_i64, "deep" => json!({"x": 1.5, "y-z": true})})?;""",
    "csharp": r"""CallTool("pay", new { person = "Ada \"L\"", tags = new object[] { "a", null }, over = 3000000000, """
    r"""deep = new Dictionary<string, object> { ["x"] = 1.5, ["y-z"] = true } });""",
    "bash": """pay --person 'Ada "L"' --tags '["a", null]' --over 3000000000 --deep '{"x": 1.5, "y-z": true}'""",
}


@pytest.mark.parametrize("language", WRITTEN)
def test_a_call_is_written_as_its_language_does(language: str) -> None:
    assert call_code("pay", ARGUMENTS, language) == WRITTEN[language]


def test_typescript_is_written_as_javascript_and_an_unknown_language_as_python() -> None:
    assert call_code("pay", ARGUMENTS, "typescript") == WRITTEN["javascript"]
    assert call_code("pay", ARGUMENTS, "text") == WRITTEN["python"]


def test_webassembly_gets_the_bytes_and_where_they_are() -> None:
    data, call = call_code("grüß", {"a": '"'}, "wat").splitlines()
    parameters = json.dumps({"a": '"'}, separators=(",", ":"))
    assert data == r'(data (i32.const 65000) "gr\c3\bc\c3\9f{\"a\":\"\\\"\"}")'
    name = len("grüß".encode())
    assert call == (
        f"(call $tool_invoke (i32.const 65000) (i32.const {name}) "
        f"(i32.const {65_000 + name}) (i32.const {len(parameters)}))"
    )


def test_a_call_without_arguments_is_short_everywhere() -> None:
    assert call_code("calc.now", {}, "javascript") == "await tools.calc.now()"
    assert call_code("now", {}, "go") == 'MustCallTool[any]("now")'
    assert call_code("now", {}, "rust") == 'call_tool::<Value>("now", args! {})?;'
    assert call_code("now", {}, "csharp") == 'CallTool("now");'
    assert call_code("now", {}, "bash") == "now"


def test_a_word_of_the_language_is_no_name_there() -> None:
    assert call_code("f", {"class": 1}, "csharp") == 'CallTool("f", new Dictionary<string, object> { ["class"] = 1 });'
    assert call_code("f", {"class": 1}, "python") == "call_tool(\"f\", {'class': 1})"
    assert call_code("get-sum", {"a": 1}, "javascript") == 'await tools["get-sum"]({a: 1})'


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("python", "pay(person=)"),
        ("text", "pay(person=)"),
        ("javascript", "await tools.pay({person: })"),
        ("go", 'MustCallTool[any]("pay", Args{"person": })'),
        ("rust", 'call_tool::<Value>("pay", args! {"person" => })?;'),
        ("csharp", 'CallTool("pay", new { person =  });'),
        ("bash", "pay --person"),
    ],
)
def test_a_tool_is_inserted_with_a_place_for_what_it_needs(language: str, written: str) -> None:
    row = ToolRow("pay", "shop", parameters=(ParameterRow("person"), ParameterRow("over", required=False)))
    assert row.call_in(language) == written


@pytest.mark.parametrize(
    ("language", "before"),
    [
        ("python", "price(sku="),
        ("javascript", "await tools.price({sku: "),
        ("go", 'MustCallTool[any]("price", Args{"sku": '),
        ("rust", 'call_tool::<Value>("price", args! {"sku" => '),
        ("csharp", 'CallTool("price", new { sku = '),
        ("bash", "price --sku "),
    ],
)
def test_the_first_gap_of_a_skeleton_is_where_its_first_value_belongs(language: str, before: str) -> None:
    written = skeleton("price", ["sku", "quantity"], language)
    assert written[: first_gap(written)] == before
    without = skeleton("price", [], language)
    assert first_gap(without) == len(without)
