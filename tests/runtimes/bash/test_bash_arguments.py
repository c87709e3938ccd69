"""How the words of a command become the arguments of a call."""

from typing import Any

import pytest

from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.runtimes.bash.arguments import WrongUse, read_arguments, read_object
from ptc_studio.runtimes.bash.runtime import overview, page, reads_in_loops

PROPERTIES = {
    "name": {"type": "string"},
    "count": {"type": "integer"},
    "price": {"anyOf": [{"type": "number"}, {"type": "null"}]},
    "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "either": {"type": ["string", "integer"]},
    "loud": {"type": "boolean"},
    "maybe": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "words": {"type": "array", "items": {"type": "string"}},
    "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    "options": {"type": "object"},
    "colour": {"enum": ["red", "green"]},
    "place": {"$ref": "#/$defs/Place"},
    "free": {},
    "dry_run": {"type": "boolean"},
}
SPEC = ToolSpec(
    "tool",
    "Does something.",
    {"type": "object", "properties": PROPERTIES, "$defs": {"Place": {"type": "object"}}},
    "test",
    signature=(Parameter("name"), Parameter("count"), Parameter("loud", required=False, default=False)),
)
NAMED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "a number": (["--count", "5"], {"count": 5}),
    "with an equals sign": (["--count=5"], {"count": 5}),
    "a text stays a text": (["--name", "5"], {"name": "5"}),
    "a text that looks like JSON": (["--name", "[1]"], {"name": "[1]"}),
    "a text of no letters": (["--name="], {"name": ""}),
    "a text that looks like an option": (["--name=--x"], {"name": "--x"}),
    "a negative number": (["--count", "-5"], {"count": -5}),
    "a number that may be absent": (["--price", "1.5"], {"price": 1.5}),
    "an integer is a number": (["--price", "2"], {"price": 2}),
    "null where a number may be absent": (["--price", "null"], {"price": None}),
    "null is a text where texts are taken": (["--note", "null"], {"note": "null"}),
    "the more special type wins": (["--either", "7"], {"either": 7}),
    "a flag": (["--loud"], {"loud": True}),
    "a flag before an option": (["--loud", "--count", "1"], {"loud": True, "count": 1}),
    "a flag denied": (["--no-loud"], {"loud": False}),
    "a flag with its value": (["--loud", "false"], {"loud": False}),
    "a flag or a text": (["--maybe", "so"], {"maybe": "so"}),
    "dashes for underscores": (["--dry-run"], {"dry_run": True}),
    "dashes denied": (["--no-dry-run"], {"dry_run": False}),
    "a list as JSON": (["--numbers", "[1, 2]"], {"numbers": [1, 2]}),
    "a list of one": (["--numbers", "1"], {"numbers": [1]}),
    "a list bit by bit": (["--numbers", "1", "--numbers", "2"], {"numbers": [1, 2]}),
    "lists that are joined": (["--numbers", "[1, 2]", "--numbers", "3"], {"numbers": [1, 2, 3]}),
    "a list of texts": (["--words", "1", "--words", "b"], {"words": ["1", "b"]}),
    "a list of lists": (["--grid", "[1]", "--grid", "[2]"], {"grid": [[1], [2]]}),
    "an object": (["--options", '{"a": 1}'], {"options": {"a": 1}}),
    "a choice": (["--colour", "red"], {"colour": "red"}),
    "what is defined elsewhere": (["--place", '{"x": 1}'], {"place": {"x": 1}}),
    "anything": (["--free", "1"], {"free": 1}),
    "anything else": (["--free", "one"], {"free": "one"}),
    "anything twice": (["--free", "1", "--free", "b"], {"free": [1, "b"]}),
    "what does not fit is left to the tool": (["--count", "many"], {"count": "many"}),
    "what is unknown, too": (["--odd", "1"], {"odd": 1}),
    "all in one object": (['{"name": "a", "count": 2}'], {"name": "a", "count": 2}),
    "large integers": (["--count", str(2**80)], {"count": 2**80}),
}


@pytest.mark.parametrize("case", NAMED)
def test_options_are_typed_by_the_schema(case: str):
    words, kwargs = NAMED[case]
    given = read_arguments(words, SPEC)
    assert (given.args, given.kwargs) == ([], kwargs)
    assert [type(value) for value in given.kwargs.values()] == [type(value) for value in kwargs.values()]


def test_other_words_fill_the_signature():
    given = read_arguments(["5", "5", "--loud", "--", "--odd"], SPEC)
    assert (given.args, given.kwargs) == (["5", 5, "--odd"], {"loud": True})


def test_the_studios_own_options_are_none_of_the_tools():
    given = read_arguments(["--json", "--timeout", "1.5", "--help"], SPEC)
    assert (given.as_json, given.timeout, given.wants_help, given.kwargs) == (True, 1.5, True, {})
    assert read_arguments(["--timeout=2"], SPEC).timeout == 2


def test_a_parameter_of_the_tool_wins_over_an_option_of_the_studio():
    own = ToolSpec("tool", "", {"type": "object", "properties": {"timeout": {"type": "string"}}}, "test")
    given = read_arguments(["--timeout", "5"], own)
    assert (given.timeout, given.kwargs) == (None, {"timeout": "5"})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--count"], "--count needs a value"),
        (["--count", "--loud"], "--count needs a value"),
        (["--count", "1", "--count", "2"], "--count was given twice"),
        (["--timeout", "soon"], "--timeout needs a number of seconds, not 'soon'"),
        (["--timeout", "0"], "--timeout must be above 0"),
        (["--timeout"], "--timeout needs a number of seconds, not ''"),
    ],
)
def test_words_that_make_no_sense_are_refused(words: list[str], message: str):
    with pytest.raises(WrongUse, match=f"^{message}$"):
        read_arguments(words, SPEC)


def test_only_a_whole_object_is_one():
    assert read_object(' {"a": 1}\n') == {"a": 1}
    assert [read_object(text) for text in ("", "[1]", "{", '{"a": 1}\n{"a": 2}')] == [None] * 4


def test_for_call_tool_an_object_is_always_all_arguments():
    free = ToolSpec("t", "", {"type": "object", "properties": {"v": {}}}, "test", signature=(Parameter("v"),))
    assert read_arguments(['{"v": 1}'], free).args == [{"v": 1}]
    assert read_arguments(['{"v": 1}'], free, by_name=True).kwargs == {"v": 1}


@pytest.mark.parametrize(
    ("code", "reads"),
    [
        ("tool | while read -r line; do other; done", True),
        ("while IFS= read -r line; do\n  tool\ndone", True),
        ("while :; do tool; done\nread answer", False),
        ("echo '{}' | tool", False),
    ],
)
def test_scripts_that_read_lines_in_a_loop_are_told_apart(code: str, reads: bool):
    assert reads_in_loops(code) is reads


def test_the_manual_shows_how_a_tool_is_called():
    assert page("tool", SPEC).startswith("usage: tool --name STRING --count INTEGER [--loud]\n\nDoes something.\n")
    assert "  --loud BOOLEAN (default false)\n" in page("tool", SPEC)
    assert overview([]) == "No tools are granted to this script.\n"
