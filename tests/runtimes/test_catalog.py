"""The runtimes there are, and how one is chosen."""

import json
import sys
from dataclasses import replace

import pytest

from ptc_studio.runtimes.catalog import RuntimeCatalog, UnknownRuntime
from ptc_studio.runtimes.stdio import StdioRouter


@pytest.fixture
def catalog():
    catalog = RuntimeCatalog(StdioRouter(), spare=0)
    yield catalog
    catalog.close()


def test_a_record_has_every_field_of_the_contract_and_is_json(catalog: RuntimeCatalog):
    fields = ["id", "name", "language", "extension", "available", "version", "executable", "isolation", "reason"]
    for info in catalog.infos:
        assert list(info.record()) == fields
        assert json.loads(json.dumps(info.record())) == info.record()


def test_the_files_ending_decides_where_no_runtime_is_named(catalog: RuntimeCatalog):
    assert catalog.choose(None, "/some/where/script.py").id == "python"
    assert catalog.choose("python-inprocess", "script.py").id == "python-inprocess"
    assert catalog.choose("python", "no-ending").id == "python"


def test_an_unknown_name_or_ending_is_told_with_what_there_is(catalog: RuntimeCatalog):
    with pytest.raises(UnknownRuntime, match=r"There is no runtime 'perl'; there are .*python, python-inprocess"):
        catalog.choose("perl", "script.py")
    with pytest.raises(UnknownRuntime, match=r"No runtime is known for 'notes.txt'; choose one with --runtime"):
        catalog.choose(None, "notes.txt")


def test_a_runtime_that_cannot_be_used_says_why(catalog: RuntimeCatalog):
    missing = replace(catalog.infos[0], id="deno", available=False, reason="install deno")
    catalog.infos = (*catalog.infos, missing)
    with pytest.raises(UnknownRuntime, match="The runtime 'deno' is not available: install deno"):
        catalog.choose("deno", "script.ts")


def test_each_runtime_is_made_once_and_goes_by_its_own_name(catalog: RuntimeCatalog):
    for info in catalog.infos:
        if info.available:
            runtime = catalog.get(info.id)
            assert runtime.id == info.id
            assert catalog.get(info.id) is runtime


def test_python_is_the_interpreter_that_runs_the_studio(catalog: RuntimeCatalog):
    python = catalog.choose("python", "")
    assert python.executable == sys.executable
    assert python.isolation == "process"
