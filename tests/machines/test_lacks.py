"""A test that fails for what a machine lacks says so in one line."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from ptc_studio.runtimes.catalog import UnknownRuntime
from tests.conftest import lack_of_the_machine

ROOT = Path(__file__).parents[2]


def _raise(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("fail", "told"),
    [
        (lambda: subprocess.run(["no-such-program"], check=False), "there is no program 'no-such-program'"),
        (lambda: _raise(UnknownRuntime("go is not available: not found")), "go is not available: not found"),
        (lambda: _raise(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))), "No space left on device"),
        (
            lambda: _raise(ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")),
            "libEGL.so.1: cannot open shared object file: No such file or directory",
        ),
        # Faults of ours.
        (lambda: Path("no-such-file").read_text(), ""),
        (lambda: _raise(UnknownRuntime("there is no runtime 'cobol'")), ""),
        (lambda: _raise(AssertionError("1 == 2")), ""),
    ],
)
def test_what_a_machine_lacks_is_told_apart_from_a_fault(fail: Callable[[], object], told: str):
    with pytest.raises((OSError, ImportError, UnknownRuntime, AssertionError)) as caught:
        fail()
    assert lack_of_the_machine(caught.value) == told


def test_a_test_that_fails_for_a_lack_is_one_line_and_no_traceback(tmp_path: Path):
    inner = tmp_path / "test_inner.py"
    inner.write_text("import subprocess\ndef test_inner():\n    subprocess.run(['no-such-program'])\n")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-p", "tests.conftest", "-rf"]
    done = subprocess.run(
        [*command, "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path), str(inner)],
        cwd=ROOT, env={**os.environ, "COLUMNS": "1000"}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    line = "cannot pass on this machine: there is no program 'no-such-program'"
    assert f"::test_inner - {line}\n" in done.stdout
    assert "Traceback" not in done.stdout
    assert "subprocess.py" not in done.stdout


def test_no_example_fails_for_a_busy_machine():
    assert settings.default is not None
    assert settings.default.deadline is None
