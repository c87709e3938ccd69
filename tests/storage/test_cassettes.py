"""Cassettes as files."""

import json
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.redaction import Redaction
from ptc_studio.core.responders.cassette import Cassette, RecordedCall, RecordedError, RecordedTool
from ptc_studio.core.tools import Parameter
from ptc_studio.storage.cassettes import CassetteError, cassettes_in, check_target, read_cassette, write_cassette

CALL = {"id": "c1", "name": "add", "tool": "add", "arguments": {"a": 1}, "status": "ok", "result": 2}
WHOLE = Cassette(
    "demo",
    (
        RecordedCall("c1", "cheap", "shop.price", {"qty": 3}, "ok", result={"total": 1.5}, line=7, together="c1"),
        RecordedCall("c2", "shop.price", "shop.price", {"qty": 0}, "ok", parent="c1", depth=2, truncated=True),
        RecordedCall(
            "c3",
            "fail",
            "fail",
            {"token": "[REDACTED:token]"},
            "error",
            error=RecordedError("OutOfStock", "none \udc80 left", "LookupError"),
            together="c1",
            redactions=(Redaction("token", "arguments", "$.token"),),
        ),
        RecordedCall("c4", "wait", "wait", {}, None),
    ),
    (
        RecordedTool("cheap", "shop.price", "shop", "Cheap.", (), (Parameter("sku", False, "A"),), {"qty": 3}),
        RecordedTool("fail", "fail", "functions", also=("calc.fail",), redact=("iban",)),
    ),
    "script.py",
    "python",
    "2026-11-16T09:00:00+00:00",
    "timeout",
)


def document(**changes: Any) -> str:
    return json.dumps({"version": 1, "calls": [CALL], **changes})


def test_what_is_written_is_read_back_exactly(tmp_path: Path):
    path = tmp_path / "new" / "folder" / "demo.json"
    write_cassette(path, WHOLE)
    assert read_cassette(path) == WHOLE
    write_cassette(path, WHOLE)
    assert [file.name for file in path.parent.iterdir()] == ["demo.json"]


def test_the_file_is_readable_and_leaves_out_what_goes_without_saying(tmp_path: Path):
    path = tmp_path / "demo.json"
    write_cassette(path, WHOLE)
    text = path.read_text()
    assert '"result": {"total": 1.5}' in text
    assert max(map(len, text.splitlines())) < 110
    assert list(json.loads(text)["calls"][1]) == [
        "id", "parent", "depth", "name", "tool", "arguments", "status", "result", "truncated",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["demo.json:1: this is not JSON", "record the run again"]),
        ('{"version": 1,\n"calls": [}', ["demo.json:2: this is not JSON", "column 11"]),
        (b"\xff\xfe", ["demo.json:1: this is not UTF-8 text"]),
        ("[" * 100_000, ["is no cassette"]),
        ("[]", ["is no cassette: it is not an object"]),
        ("{}", ["version is missing"]),
        (document(version=2), ["its version is 2, and this studio knows 1"]),
        (document(colour="red"), ["colour is unknown"]),
        (document(calls=[CALL, {**CALL, "id": "c2", "status": "good"}]), ["calls[1].status", "not 'good'"]),
        (document(calls=[{**CALL, "id": 1}]), ["calls[0].id", "not 1"]),
        (document(calls=[{"id": "c1"}]), ["calls[0].name is missing"]),
        (document(calls=[CALL, CALL]), ["calls[1] has the id 'c1', and so has one before it"]),
        (document(calls=[{**CALL, "parent": "c9"}]), ["calls[0] has the parent 'c9', and no call before it"]),
        (document(calls=[{**CALL, "status": "error"}]), ["calls[0]: a call with status 'error' needs an error"]),
        (document(tools=[{"name": ""}]), ["tools[0].name"]),
    ],
)
def test_a_broken_file_is_told_with_its_place_and_what_to_do(tmp_path: Path, text: str | bytes, words: list[str]):
    path = tmp_path / "demo.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CassetteError) as caught:
        read_cassette(path)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    for word in words:
        assert word in message


def test_a_file_that_cannot_be_one_is_not_waited_for(tmp_path: Path):
    with pytest.raises(CassetteError, match="There is no cassette"):
        read_cassette(tmp_path / "nothing.json")
    for place in (tmp_path, Path("/dev/zero")):
        with pytest.raises(CassetteError, match="is no file"):
            read_cassette(place)


def test_a_place_that_cannot_be_written_is_told_before_the_run(tmp_path: Path):
    with pytest.raises(CassetteError, match="is a folder"):
        check_target(tmp_path)
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file" / "demo.json", Path("/proc/nowhere/demo.json")):
        with pytest.raises(CassetteError, match="cannot be written"):
            check_target(place)
    with pytest.raises(CassetteError, match="cannot be written"):
        write_cassette(Path("/proc/demo.json"), WHOLE)


def test_the_cassettes_of_a_workspace_are_listed_by_name(tmp_path: Path):
    assert cassettes_in(tmp_path) == []
    for name in ("b.json", "A.json", "notes.txt", ".b.json.part"):
        (tmp_path / "cassettes").mkdir(exist_ok=True)
        (tmp_path / "cassettes" / name).write_text("")
    assert [path.name for path in cassettes_in(tmp_path)] == ["A.json", "b.json"]
