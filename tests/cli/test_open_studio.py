"""What the headless commands begin with."""

import gc
import io
from types import SimpleNamespace
from typing import Any

import pytest

from ptc_studio.cli import open_studio
from ptc_studio.cli.main import for_good
from ptc_studio.cli.open_studio import UsageError, read_script


def test_a_script_on_standard_input_that_is_too_large_is_refused_and_not_cut(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(open_studio, "LARGEST", 8)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"print(1)")))
    assert read_script("-").code == "print(1)"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"print(12)")))
    with pytest.raises(UsageError, match="larger than 8 bytes"):
        read_script("-")


def test_a_script_that_lies_in_the_home_folder_runs_without_seeing_it(project: Any):
    project.write("notes.txt", "private")
    project.environment["HOME"] = str(project.folder)
    code = "import os\nprint(os.path.exists('notes.txt'), os.getcwd() == os.environ['HOME'])\n"
    record = project.record(code, "--runtime", "python")
    assert (record["status"], record["stdout"]) == ("ok", "False True\n")
    assert "is not shown to scripts" in record["stderr"]


def test_what_a_command_imports_is_not_looked_through_for_garbage():
    thresholds, frozen, enabled = gc.get_threshold(), gc.get_freeze_count(), gc.isenabled()
    # Tests of the window that ran before leave it off.
    gc.enable()
    try:
        with for_good():
            assert not gc.isenabled()
            made: list[list[int]] = [[1] for _ in range(10)]
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen + len(made)
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
        if not enabled:
            gc.disable()
