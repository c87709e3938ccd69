"""The runtimes there are, and how one is chosen."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ptc_studio.runtimes.catalog import RuntimeCatalog, UnknownRuntime
from ptc_studio.runtimes.programs import Prober
from ptc_studio.runtimes.stdio import StdioRouter

FIELDS = ["id", "name", "language", "extension", "available", "version", "executable", "isolation", "reason"]
INSIDE = {"python", "python-inprocess", "monty", "bash", "wasm"}


@pytest.fixture
def catalog() -> Iterator[RuntimeCatalog]:
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    yield catalog
    catalog.close()


def test_a_record_has_every_field_of_the_contract_and_is_json(catalog: RuntimeCatalog):
    for info in catalog.discover():
        assert list(info.record()) == FIELDS
        assert json.loads(json.dumps(info.record())) == info.record()


def test_every_runtime_is_found_on_a_machine_with_all_toolchains(catalog: RuntimeCatalog):
    infos = catalog.discover()
    assert [(info.id, info.reason) for info in infos if not info.available] == []
    assert [info.id for info in infos] == [
        "python", "python-inprocess", "monty", "node", "typescript", "deno", "bash", "go", "rust", "csharp", "wasm",
    ]  # fmt: skip
    assert all(info.version for info in infos)
    assert {info.id for info in infos if not info.executable} == {"monty", "bash", "wasm"}


def test_the_second_look_is_quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = RuntimeCatalog(StdioRouter(), spare=0).discover()
    ask, answered = Prober.ask, []

    def noted(prober: Prober, program: str, arguments: Sequence[str]) -> str:
        answer = ask(prober, program, arguments)
        answered.append(arguments)
        return answer

    monkeypatch.setattr(Prober, "ask", noted)
    assert RuntimeCatalog(StdioRouter(), spare=0).discover() == found
    # Asked each time: what a version manager chose, and what did not answer.
    assert [arguments for arguments in answered if arguments[0] != "which"] == []


def test_on_a_machine_with_none_every_reason_names_the_command_that_mends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("ptc_studio.runtimes.programs.beside_the_studio", lambda: str(tmp_path))
    for name in ("apt-get", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    infos = {info.id: info for info in catalog.discover()}
    assert {name for name, info in infos.items() if info.available} == INSIDE
    for name, info in infos.items():
        if name not in INSIDE:
            assert info.reason is not None
            assert "is not installed: " in info.reason, name
            assert any(word in info.reason for word in ("apt-get install", "npm install", "pip install")), name
    with pytest.raises(UnknownRuntime, match="The runtime 'go' is not available: Go is not installed: sudo apt-get"):
        catalog.choose("go", "")


def test_what_was_not_looked_for_yet_is_not_available(catalog: RuntimeCatalog):
    assert not any(info.available for info in catalog.infos)
    assert catalog.infos[0].reason == "Python is being looked for."


def test_the_files_ending_decides_where_no_runtime_is_named(catalog: RuntimeCatalog):
    assert catalog.choose(None, "/some/where/script.py").id == "python"
    assert catalog.choose(None, "script.ts").id == "typescript"
    assert catalog.choose("python-inprocess", "script.py").id == "python-inprocess"
    assert catalog.choose("python", "no-ending").id == "python"


def test_an_unknown_name_or_ending_is_told_with_what_there_is(catalog: RuntimeCatalog):
    with pytest.raises(UnknownRuntime, match=r"There is no runtime 'perl'; there are .*python, python-inprocess"):
        catalog.choose("perl", "script.py")
    with pytest.raises(UnknownRuntime, match=r"No runtime is known for 'notes.txt'; choose one with --runtime"):
        catalog.choose(None, "notes.txt")


def test_each_runtime_is_made_once_and_goes_by_its_own_name(catalog: RuntimeCatalog):
    for info in catalog.discover():
        runtime = catalog.get(info.id)
        assert (runtime.id, runtime.isolation) == (info.id, info.isolation)
        assert catalog.get(info.id) is runtime


def test_all_runtimes_of_a_script_are_those_for_its_ending(catalog: RuntimeCatalog):
    assert [info.id for info in catalog.all_for("x.py")] == ["python", "python-inprocess", "monty"]
    assert [info.id for info in catalog.all_for("x.mjs")] == ["node", "deno"]


def test_python_is_the_interpreter_that_runs_the_studio(catalog: RuntimeCatalog):
    python = catalog.choose("python", "")
    assert python.executable == sys.executable
    assert python.isolation == "bubblewrap"
