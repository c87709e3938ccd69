"""The source of one script: what it reads, what it says of it, and when it reads again."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ptc_studio.core.scripts import ScriptCall
from ptc_studio.sources.script.entry import ScriptEntry
from ptc_studio.sources.script.source import ScriptSource
from ptc_studio.sources.source import SourceFailed


def nobody(_call: ScriptCall) -> Any:
    raise AssertionError("nothing is run here")


def source(folder: Path, path: str, **entry: Any) -> ScriptSource:
    made = ScriptEntry(**{"name": "tool", "path": path, **entry})
    return ScriptSource(made, folder=folder, run_script=nobody)


@pytest.mark.parametrize(
    ("path", "code", "description"),
    [
        ("a.py", '"""Adds.\n\nMore."""\n1', "Adds."),
        ("a.py", "# Adds\n# two numbers.\n#\n# More.\n1", "Adds two numbers."),
        ("a.py", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\n# Adds.\n", "Adds."),
        ("a.py", "# Broken.\nx = = 1", "Broken."),
        ("a.mjs", "// Adds.\nexport default 1;", "Adds."),
        ("a.ts", "/**\n * Adds two\n * numbers.\n */\nexport default 1;", "Adds two numbers."),
        ("a.sh", "#!/bin/bash\n# Adds.\necho 1", "Adds."),
        ("a.wat", ";; Adds.\n(module)", "Adds."),
        ("a.rs", "//! Adds.\n", "Adds."),
        ("a.go", "x := 1", "Runs the script a.go."),
    ],
)
def test_without_a_description_the_scripts_first_words_are_one(tmp_path: Path, path: str, code: str, description: str):
    (tmp_path / path).write_text(code)
    [tool] = source(tmp_path, path).refresh().tools
    assert tool.spec.description == description
    [tool] = source(tmp_path, path, description="Mine.").refresh().tools
    assert tool.spec.description == "Mine."


def test_the_tool_is_called_as_the_entry_says(tmp_path: Path):
    (tmp_path / "a.py").write_text("1")
    entry = {"name": "get-sum", "parameters": {"b": {}, "a": {"default": 1}}, "output": {"type": "number"}}
    [tool] = source(tmp_path, "a.py", **entry).refresh().tools
    spec = tool.spec
    assert (spec.name, spec.also, spec.source) == ("get-sum", ("get_sum",), "get-sum")
    assert spec.origin == f"{tmp_path / 'a.py'}:1"
    assert spec.parameters["required"] == ["b"]
    assert [(one.name, one.required) for one in spec.signature] == [("b", True), ("a", False)]
    assert spec.output == {"type": "number"}


def test_a_file_that_is_missing_fails_the_source_until_it_is_there(tmp_path: Path):
    missing = source(tmp_path, "gone.py")
    with pytest.raises(SourceFailed, match=r"'gone\.py' of 'tool' cannot be read: there is no such file: correct"):
        missing.refresh()
    assert missing.status.state == "failed"
    (tmp_path / "gone.py").write_text("1")
    assert len(missing.refresh().tools) == 1
    assert missing.status.state == "ready"
    (tmp_path / "gone.py").unlink()
    with pytest.raises(SourceFailed, match="no such file"):
        missing.refresh()


def test_a_file_is_read_again_only_when_it_changed(tmp_path: Path):
    path = tmp_path / "a.py"
    path.write_text("# One.")
    changing = source(tmp_path, "a.py")
    first = changing.refresh()
    assert changing.refresh() is first
    path.write_text("# Another one.")
    [tool] = changing.refresh().tools
    assert tool.spec.description == "Another one."


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"ok\n\xff\n", r"not UTF-8 text \(line 2\)"), (None, "it is a folder")],
)
def test_what_is_no_script_says_so(tmp_path: Path, content: bytes | None, message: str):
    path = tmp_path / "a.py"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(SourceFailed, match=message):
        source(tmp_path, "a.py").refresh()


def test_parameters_that_are_no_schema_say_so(tmp_path: Path):
    (tmp_path / "a.py").write_text("1")
    with pytest.raises(SourceFailed, match="The script 'tool' cannot be a tool: its schema is broken"):
        source(tmp_path, "a.py", parameters={"a": {"type": "nothing"}}).refresh()


@pytest.mark.parametrize(
    "entry", [{"path": "a.py"}, {"name": "a", "path": "a.py", "pathh": 1}, {"name": "", "path": "a"}]
)
def test_an_entry_is_strict(entry: dict[str, Any]):
    with pytest.raises(ValidationError):
        ScriptEntry(**entry)
