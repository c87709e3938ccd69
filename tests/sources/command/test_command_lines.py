"""What a program is started with, whatever the arguments are."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.sources.command.entry import CommandEntry
from ptc_studio.sources.command.process import CommandRefused
from ptc_studio.sources.command.source import CommandLine
from tests.sources.command.conftest import Connect

SHOW = (sys.executable, "-c", "import sys, json; print(json.dumps(sys.argv[1:]))")


def words(*argv, dashes=(), **arguments):
    return CommandLine(("git", *argv), dashes).words(arguments)[1:]


def test_each_argument_is_one_word(connect: Connect) -> None:
    do = connect(*SHOW, "--", "{a}", "x={b}", output="json")
    nasty = "$(touch x); `id` \"q\" 'p' * ~ \n é"
    assert do.call("do", a=nasty, b=nasty) == ["--", nasty, f"x={nasty}"]


@pytest.mark.parametrize(
    ("argv", "arguments", "expected"),
    [
        (["log", "-n", "{n}"], {"n": 3}, ["log", "-n", "3"]),
        (["log", ("-n", "{n?}"), "x"], {}, ["log", "x"]),
        (["log", ("-n", "{n?}"), "x"], {"n": 3}, ["log", "-n", "3", "x"]),
        (["log", "{n?}"], {"n": None}, ["log"]),
        (["log", "--max={n?}"], {}, ["log"]),
        (["add", "{files}"], {"files": ["a", "b c"]}, ["add", "a", "b c"]),
        (["add", "{files}"], {"files": []}, ["add"]),
        (["grep", ("-e", "{patterns}")], {"patterns": ["a", "b"]}, ["grep", "-e", "a", "-e", "b"]),
        (["log", "{all:--all}"], {"all": True}, ["log", "--all"]),
        (["log", "{all:--all}"], {"all": False}, ["log"]),
        (["log", "{all:--all}"], {}, ["log"]),
        (["x", "{b}", "{f}"], {"b": True, "f": 1.5}, ["x", "true", "1.5"]),
        (["x", "{{n}}", "{o}"], {"o": {"a": 1}}, ["x", "{n}", '{"a":1}']),
    ],
)
def test_places_are_filled_dropped_and_spread(argv: list, arguments: dict, expected: list[str]) -> None:
    assert words(*argv, **arguments) == expected


@pytest.mark.parametrize(
    ("argv", "arguments"),
    [
        (["log", "{a}"], {"a": "--output=/etc/passwd"}),
        (["log", "-n", "{a}"], {"a": "-5"}),
        (["log", "{a}"], {"a": -5}),
        (["log", "{a}"], {"a": "-"}),
        (["log", "{a}"], {"a": ["ok", "-x"]}),
        (["log", "{a}{b}"], {"a": "", "b": "-x"}),
        (["log", "{a}/file"], {"a": "--exec=x"}),
        (["log", ("-e", "{a}")], {"a": ["-x"]}),
        (["log", "{a}", "--"], {"a": "-x"}),
    ],
)
def test_an_argument_cannot_become_an_option(argv: list, arguments: dict) -> None:
    with pytest.raises(CommandRefused, match=r"begins with '-'.*Write '--' before \{a\} in `argv`"):
        words(*argv, **arguments)


def test_a_dash_is_fine_where_the_template_means_it() -> None:
    assert words("log", "--", "{a}", a="-x") == ["log", "--", "-x"]
    assert words("log", "--max={a}", a="-x") == ["log", "--max=-x"]
    assert words("log", "-{a}", a="-x") == ["log", "--x"]
    assert words("head", "-n", "{a}", dashes=("a",), a=-5) == ["head", "-n", "-5"]


@given(st.text())
def test_no_text_at_all_becomes_an_option(text: str) -> None:
    try:
        found = words("{a}", a=text)
    except CommandRefused:
        assert text.startswith("-") or "\0" in text
    else:
        assert found == [text]


def test_a_zero_byte_is_refused() -> None:
    with pytest.raises(CommandRefused, match="zero byte"):
        words("{a}", a="a\0b")


def test_far_too_long_arguments_are_told(connect: Connect) -> None:
    with pytest.raises(CommandRefused, match="its arguments are too long; use `stdin`"):
        connect(*SHOW, "{a}").call("do", a="x" * 10_000_000)


def test_parameters_are_made_of_the_places(connect: Connect) -> None:
    do = connect("git", "log", ["-n", "{count?}"], "{all:--all}", "--", "{path}", stdin="{text?}")
    schema = do.tools["do"].spec.parameters
    assert list(schema["properties"]) == ["count", "all", "path", "text"]
    assert schema["required"] == ["path"]
    assert schema["properties"]["all"] == {"type": "boolean"}
    with pytest.raises(UnfitArguments, match="missing 'path'"):
        do.call("do")
    with pytest.raises(UnfitValues, match="'all'"):
        do.call("do", path="x", all="yes")


def test_given_parameters_have_defaults(connect: Connect) -> None:
    do = connect(*SHOW, "{n}", parameters={"n": {"type": "integer", "default": 7}}, output="json")
    assert do.call("do") == ["7"]
    assert do.call("do", n=8) == ["8"]


def test_parameters_that_do_not_fit_are_told(connect: Connect) -> None:
    do = connect("git", "{a}", parameters={"b": {}})
    assert do.tools == {}
    assert do.errors == ["The command 'do' is left out: {a} is used, but `parameters` has no 'a': add it."]


def test_several_commands_are_several_tools(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    commands = [{"name": "a", "argv": ["pwd"]}, {"name": "b", "argv": ["env"], "env": {"B": "2"}, "output": "lines"}]
    do = connect(commands=commands, env={"A": "1", "B": "1"}, cwd="sub")
    assert set(do.tools) == {"do.a", "do.b"}
    assert do.call("do.a") == str((tmp_path / "sub").resolve())
    assert {"A=1", "B=2"} <= set(do.call("do.b"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "needs either an `argv` or `commands`"),
        ({"argv": ["{program}", "x"]}, "must begin with the program, which cannot be a parameter"),
        ({"argv": [["git"], "x"]}, "must begin with the program"),
        ({"commands": [{"name": "a", "argv": ["{x}"]}]}, "must begin with the program"),
        ({"commands": [{"name": "a", "argv": ["x"]}] * 2}, "two commands named 'a'"),
        ({"commands": [{"name": "a", "argv": ["x"]}], "ok": [0, 1]}, "move `ok` into one of them"),
        ({"argv": ["x"], "shell": True}, "Extra inputs are not permitted"),
    ],
)
def test_a_wrong_entry_says_what_is_wrong(fields: dict, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        CommandEntry(name="do", **fields)


def test_an_argument_is_never_looked_up_as_a_reference(connect: Connect) -> None:
    do = connect(*SHOW, "k=${secret:KEY}", "{a}", output="json")
    assert do.call("do", a="${secret:KEY}") == ["k=s3cret-value", "${secret:KEY}"]
    assert "s3cret" not in json.dumps(do.tools["do"].spec.doc) + repr(do.tools["do"])
