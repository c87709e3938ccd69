"""Arguments of former calls by hand, kept without their secrets."""

import json
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.redaction import Redactor
from ptc_studio.storage.saved_inputs import LARGEST, MOST, MOST_NAMES, ArgumentSets, without_secrets


def add(sets: ArgumentSets, name: str, arguments: dict[str, Any]) -> None:
    sets.add(name, arguments, Redactor().value(arguments, "arguments").value)


def test_the_latest_distinct_sets_are_kept_and_come_back(tmp_path: Path) -> None:
    path = tmp_path / "state" / "sets.json"
    sets = ArgumentSets(path)
    for number in range(MOST + 2):
        add(sets, "add", {"a": number})
    add(sets, "add", {"a": 5})
    kept = ArgumentSets(path).of("add")
    assert len(kept) == MOST
    assert kept[0] == {"a": 5}
    assert kept[1] == {"a": MOST + 1}
    assert kept.count({"a": 5}) == 1
    assert ArgumentSets(path).of("other") == []


def test_values_that_are_equal_in_python_are_told_apart() -> None:
    sets = ArgumentSets()
    for value in (1, 1.0, True):
        add(sets, "t", {"a": value})
    assert [type(each["a"]) for each in sets.of("t")] == [bool, float, int]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ({"user": "ada", "password": "correct horse"}, {"user": "ada"}),
        ({"deep": {"api_key": "k-123456", "n": 1}, "all": [{"password": "pw"}, 2]}, {"deep": {"n": 1}, "all": [{}, 2]}),
        ({"header": "Bearer ghp_" + "a1B2" * 9, "x": ["ghp_" + "a1B2" * 9, "y"]}, {"x": ["y"]}),
    ],
)
def test_secrets_are_left_out_and_never_written(
    tmp_path: Path, arguments: dict[str, Any], kept: dict[str, Any]
) -> None:
    path = tmp_path / "sets.json"
    add(ArgumentSets(path), "t", arguments)
    assert json.loads(path.read_text()) == {"t": [kept]}


def test_a_set_of_nothing_but_secrets_is_not_kept(tmp_path: Path) -> None:
    add(ArgumentSets(tmp_path / "sets.json"), "t", {"password": "correct horse"})
    assert not (tmp_path / "sets.json").exists()


def test_a_value_that_redaction_replaced_whole_is_gone() -> None:
    assert without_secrets({"a": [1, 2]}, {"a": "[REDACTED:a]"}) == {}
    assert without_secrets({"a": 1}, "too deep") is None


def test_what_is_too_long_or_no_json_is_not_kept() -> None:
    sets = ArgumentSets()
    add(sets, "t", {"text": "x" * LARGEST})
    sets.add("t", {"odd": {1, 2}}, {"odd": {1, 2}})
    assert sets.of("t") == []


def test_names_not_used_for_longest_are_forgotten() -> None:
    sets = ArgumentSets()
    for number in range(MOST_NAMES):
        add(sets, f"tool_{number}", {"a": 1})
    add(sets, "tool_0", {"a": 2})
    add(sets, "one_more", {"a": 1})
    assert sets.of("tool_1") == []
    assert sets.of("tool_0")
    assert sets.of("one_more")


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"t": 5}', '{"t": [1, "x"]}', "[" * 100_000])
def test_a_file_that_cannot_be_read_counts_as_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sets.json"
    path.write_text(text)
    sets = ArgumentSets(path)
    assert sets.of("t") == []
    add(sets, "t", {"a": 1})
    assert ArgumentSets(path).of("t") == [{"a": 1}]


def test_a_place_that_cannot_be_written_loses_nothing_of_this_session(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    sets = ArgumentSets(tmp_path / "file" / "sets.json")
    add(sets, "t", {"a": 1})
    assert sets.of("t") == [{"a": 1}]
    assert "cannot be kept" in caplog.text


def test_a_damaged_file_is_set_aside_and_not_written_over(tmp_path: Path):
    path = tmp_path / "sets.json"
    path.write_text('{"add": [{"a"')
    sets = ArgumentSets(path)
    assert sets.of("add") == []
    sets.add("add", {"a": 1}, {"a": 1})
    assert path.with_name("sets.broken.json").read_text() == '{"add": [{"a"'
    assert ArgumentSets(path).of("add") == [{"a": 1}]
