"""The source itself, and the tools that need neither files nor the web."""

import re
import threading
import time
from typing import Any

import pytest
from jsonschema.validators import Draft202012Validator
from pydantic import ValidationError

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.sources.builtin.entry import USUAL_TOOLS, BuiltinEntry
from ptc_studio.sources.source import SourceFailed


def test_every_tool_has_a_schema_a_description_and_an_output(tools: Any) -> None:
    loaded = tools.source.refresh()
    assert [tool.spec.name for tool in loaded.tools] == [f"std.{name}" for name in USUAL_TOOLS]
    assert tools.source.refresh() is loaded
    for tool in loaded.tools:
        assert tool.spec.description
        Draft202012Validator.check_schema(dict(tool.spec.parameters))
        Draft202012Validator.check_schema(dict(tool.spec.output))
    assert {tool.spec.name for tool in loaded.tools if tool.spec.permission != "allow"} == {"std.write_file"}


def test_results_are_what_their_schema_says(tools: Any) -> None:
    specs = {tool.spec.name.partition(".")[2]: tool.spec for tool in tools.source.refresh().tools}
    calls = {
        "write_file": {"path": "a.txt", "content": "x"},
        "read_file": {"path": "a.txt"},
        "list_files": {},
        "time": {},
        "sleep": {"seconds": 0},
        "json_query": {"data": [1], "path": "$[*]"},
        "echo": {"value": None},
    }
    for name, arguments in calls.items():
        Draft202012Validator(specs[name].output).validate(tools(name, **arguments))


def test_only_the_chosen_tools_are_there(make_tools: Any) -> None:
    chosen = make_tools(name="mine", tools=("echo", "time"))
    assert [tool.spec.name for tool in chosen.source.refresh().tools] == ["mine.echo", "mine.time"]
    with pytest.raises(ValidationError, match="read_file"):
        BuiltinEntry(tools=("rm",))  # type: ignore[arg-type]


def test_a_host_that_is_an_address_is_refused_in_the_entry() -> None:
    with pytest.raises(ValidationError, match="'https://a.org' is no host"):
        BuiltinEntry(http_hosts=("https://a.org",))


def test_every_field_has_a_title_and_a_description_for_the_form() -> None:
    for name, field in BuiltinEntry.model_fields.items():
        assert name == "kind" or (field.title and field.description), name


def test_a_closed_source_says_so(tools: Any) -> None:
    tools.source.close()
    with pytest.raises(SourceFailed, match="'std' is closed"):
        tools.source.refresh()
    assert tools.source.status.state == "closed"


def test_wrong_arguments_are_refused(tools: Any) -> None:
    with pytest.raises(UnfitArguments, match=r"'std.echo': missing 'value'"):
        tools("echo")
    with pytest.raises(UnfitArguments, match="unexpected 'colour'"):
        tools("time", colour=1)
    with pytest.raises(UnfitValues, match="'seconds'"):
        tools("sleep", seconds=301)


def test_a_sleep_ends_when_the_call_is_given_up(tools: Any, ticket: Any) -> None:
    started = time.monotonic()
    threading.Timer(0.05, ticket.abandon).start()
    assert tools("sleep", ticket=ticket, seconds=60)["slept"] < 30
    assert time.monotonic() - started < 30


def test_time_in_zones_and_forms(tools: Any) -> None:
    at = "2025-03-30T00:30:00+00:00"
    berlin = tools("time", at=at, timezone="Europe/Berlin")
    assert berlin["iso"] == "2025-03-30T01:30:00+01:00"
    assert berlin["weekday"] == "Sunday"
    assert tools("time", at="2025-03-30T03:30", timezone="Europe/Berlin")["iso"] == "2025-03-30T03:30:00+02:00"
    assert tools("time", at=0, format="%d.%m.%Y")["text"] == "01.01.1970"
    assert tools("time", at="01.02.2025 10:00", parse="%d.%m.%Y %H:%M")["unix"] == 1738404000
    assert abs(tools("time", timezone="local")["unix"] - time.time()) < 60


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"timezone": "Berlin"}, "There is no time zone 'Berlin'. Did you mean 'Europe/Berlin'?"),
        ({"timezone": "../../etc/passwd"}, "There is no time zone"),
        ({"at": "yesterday"}, "'yesterday' is no moment: write it as 2025-03-01T14:30"),
        ({"at": "x", "parse": "%Y"}, "'x' is no moment: it does not fit '%Y'"),
        ({"at": 1e300}, "too far away"),
    ],
)
def test_moments_that_are_none(tools: Any, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        tools("time", **arguments)


def test_json_is_queried(tools: Any) -> None:
    data = {"items": [{"name": "a", "price": 5}, {"name": "b", "price": 15}]}
    assert tools("json_query", data=data, path="$.items[?@.price > 10].name") == ["b"]
    assert tools("json_query", data=data, path="$..price", first=True) == 5
    assert tools("json_query", data=data, path="$.no", first=True) is None
    assert tools("json_query", data=data, path="$.items[?search(@.name, '^b')].price") == [15]
    assert tools("json_query", data=data, path="$.items[?match(@.name, '[ab]')].name") == ["a", "b"]
    with pytest.raises(ValueError, match=r"'\$.items\[' is no JSONPath: unexpected end of query"):
        tools("json_query", data=data, path="$.items[")
    with pytest.raises(ValueError, match="more than 1 values"):
        tools("json_query", data=[1, 2], path="$[*]", limit=1)


def test_a_hostile_expression_takes_no_time(tools: Any) -> None:
    started = time.monotonic()
    assert tools("json_query", data=["a" * 40 + "b"], path="$[?match(@, '(a+)+$')]") == []
    assert time.monotonic() - started < 30


def test_echo_gives_back(tools: Any) -> None:
    assert tools("echo", value={"a": [1, None]}) == {"a": [1, None]}
