"""A test that fails for what a machine lacks says so in one line."""

import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from ptc_studio.runtimes.catalog import UnknownRuntime
from tests.conftest import lack_of_the_machine


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


def test_no_example_fails_for_a_busy_machine():
    assert settings.default is not None
    assert settings.default.deadline is None
