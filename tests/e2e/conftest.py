"""Runs the command as a user would."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import PROGRAM

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def studio_command() -> Run:
    """`ptc-studio` with these arguments, in a process of its own."""

    def run(*arguments: Any, **options: Any) -> "subprocess.CompletedProcess[str]":
        command = [*PROGRAM, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)

    return run


@pytest.fixture
def run_record(studio_command: Run) -> Callable[..., Any]:
    """The record of a script that is run with `--json`; checks that nothing else is on stdout."""

    def run(script: Path, *arguments: Any, **options: Any) -> Any:
        done = studio_command("run", script, *arguments, "--json", **options)
        assert done.stdout.count("\n") == 1, done.stdout + done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def clean_environment() -> dict[str, str]:
    """What a program needs to run, and nothing more."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
