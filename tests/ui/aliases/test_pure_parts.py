"""What the form is made of and knows no window: parameters, signatures, times, uses in scripts."""

from decimal import Decimal
from typing import Any

import pytest

from ptc_studio.core.registry import Alias, spec_through
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.ui.aliases.actions import uses_of
from ptc_studio.ui.aliases.alias_checks import python_type, signature_in
from ptc_studio.ui.aliases.fields import duration, seconds_of, who_decides
from ptc_studio.ui.aliases.parameter_table import Treatment, parameters_of, treatments_of, values_in_file
from ptc_studio.ui.forms import ABSENT

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "person": {"type": "string"},
        "limit": {"type": "integer", "default": 100},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["person"],
    "additionalProperties": False,
}
SPEC = ToolSpec("get_expenses", "Expenses.", SCHEMA, "finance")
WITH_SIGNATURE = ToolSpec(
    "get_expenses",
    "Expenses.",
    SCHEMA,
    "finance",
    (Parameter("person", annotation="str"), Parameter("limit", False, 100, "int"), Parameter("tags", False, None)),
    output={"type": "array", "items": {"type": "object"}},
)


def test_an_entry_is_taken_apart_and_put_together_to_the_letter():
    entry = {"preset": {"person": "Ada", "tags": ["a", 1.0, None]}, "defaults": {"limit": 5}, "hidden": ["other"]}
    assert values_in_file(treatments_of(entry).items()) == entry
    assert values_in_file({"a": Treatment(), "b": Treatment("preset", ABSENT)}.items()) == {}
    assert values_in_file([("a", Treatment("preset", None))]) == {"preset": {"a": None}}


def test_parameters_that_the_tool_does_not_have_are_listed_behind_its_own():
    found = parameters_of(SPEC, {"preset": {"old": 1}})
    assert [(each.name, each.required, each.is_known, each.is_taken) for each in found] == [
        ("person", True, True, True),
        ("limit", False, True, True),
        ("tags", False, True, True),
        ("old", False, False, False),
    ]
    assert [each.name for each in parameters_of(None, {"hidden": ["x"]})] == ["x"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "q3(person: str, tags: list[str] = None)\n    -> list[dict]"),
        ("text", "q3(person: str, tags: list[str] = None)\n    -> list[dict]"),
        ("javascript", "tools.q3({ person: string, tags?: string[] })\n    : Promise<object[]>"),
        ("bash", "q3 --person PERSON [--tags TAGS]"),
        ("go", 'MustCallTool[any]("q3", Args{"person": })'),
    ],
)
def test_the_signature_is_that_of_the_language(language: str, text: str):
    seen = spec_through(Alias("q3", "get_expenses", hidden=("limit",)), WITH_SIGNATURE)
    assert signature_in(language, seen) == text


def test_a_signature_says_defaults_and_what_is_by_keyword_only():
    alias = Alias("q3", "get_expenses", defaults={"person": "Ada"}, preset={"tags": []})
    assert signature_in("python", spec_through(alias, SPEC)) == 'q3(person: str = "Ada", limit: int = 100)'
    spec = ToolSpec("f", "", SCHEMA, "s", (Parameter("limit", False, 1, "int"), Parameter("person", keyword_only=True)))
    assert signature_in("python", spec) == "f(limit: int = 1, *, person: str)"


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "int | None"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"enum": ["a", 1]}, 'Literal["a", 1]'),
        ({"type": "array", "items": {"type": "number"}}, "list[float]"),
        ({"type": "array"}, "list"),
        ({"$ref": "#/$defs/X"}, "dict"),
        (True, "Any"),
    ],
)
def test_schemas_become_types(schema: Any, kind: str):
    assert python_type(schema) == kind


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("10", 10), (" 10 s ", 10), ("1,5 s", 1.5), ("2 min", 120), ("250 ms", 0.25), ("soon", None), ("-1", None)],
)
def test_times_are_read_as_people_write_them(text: str, seconds: float | None):
    found = seconds_of(text)
    assert found == seconds
    assert type(found) is type(seconds)


def test_times_are_written_as_people_read_them():
    assert (duration(10), duration(0.25), duration(10.0)) == ("10 s", "0.25 s", "10 s")
    assert seconds_of(duration(float(Decimal("1.5")))) == 1.5


def test_who_decides_is_told():
    asked = ToolSpec("t", "", {}, "github", permission="ask", permission_by="source 'github'")
    assert who_decides(None, SPEC) == "Same as the tool: always allowed."
    assert who_decides(None, asked) == ("Same as the tool: a person is asked each time, because of source 'github'.")
    assert who_decides("allow", asked) == (
        "Every call is allowed. The tool on its own: a person is asked each time, because of source 'github'."
    )
    assert who_decides("deny", None) == "Every call is refused."


PYTHON = '''\
"""team is a word here, and team(1) is, too."""
rows = team(limit=3)  # team() again
more = await aio.team()
called = [call_tool("team", {}), call_tool_async('team')]
mapped = list(map(team, range(3)))
print("team", other.team(), team_of(1), f"{team()}")
'''


def spots(text: str, language: str, name: str = "team") -> list[str]:
    """Each place with what stands around it."""
    lines = text.split("\n")
    return [
        lines[line][max(0, column - 5) : column] + "|" + lines[line][column : column + length]
        for line, column, length in uses_of(name, text, language)
    ]


def test_calls_in_python_are_found_and_nothing_that_only_looks_like_one():
    found = ["ws = |team", " aio.|team", 'ool("|team', "ync('|team", "(map(|team", ', f"{|team']
    assert spots(PYTHON, "python") == found


def test_a_script_that_has_the_name_for_something_of_its_own_is_left_alone():
    assert spots("def team(): ...\nteam()\n", "python") == []
    assert spots("team = 3\nprint(team)\n", "python") == []


def test_a_script_that_is_not_finished_is_looked_through_by_words():
    assert spots("x = team(\nprint('team(')  # team(\ny = aio.team(1", "python") == ["x = |team", " aio.|team"]


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("javascript", "await tools.team({}); // tools.team\nconst t = 'tools.team'; other.team()", 1),
        ("typescript", "await callTool('team', {}); await tools.team()", 2),
        ("bash", "team --x 1 | jq . # team\necho team\ncall_tool team", 2),
        ("go", 'rows := MustCallTool[[]string]("team", Args{"team": "x"}) // "team"', 1),
        ("rust", 'let rows: Vec<String> = call_tool("team", args! {"team" => 1})?;', 1),
        ("csharp", 'var x = CallTool<List<string>>("team", new { team = 1 });', 1),
        ("wat", '(data (i32.const 0) "team{}")', 0),
    ],
)
def test_calls_in_other_languages_are_found(language: str, text: str, found: int):
    assert len(spots(text, language)) == found


def test_the_place_of_a_name_is_exact_behind_characters_of_any_width():
    text = 'print("😀"); team(); x = "é" + call_tool("team")'
    for line, column, length in uses_of("team", text, "python"):
        assert text.split("\n")[line][column : column + length] == "team"
    assert len(uses_of("team", text, "python")) == 2


def test_an_alias_with_dots_is_found_whole():
    assert spots("shop.team(); team()", "python", "shop.team") == ["|shop.team"]
    assert spots("tools.shop.team()", "javascript", "shop.team") == ["ools.|shop.team"]
