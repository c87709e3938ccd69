"""Runs small programs through a confiner."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ptc_studio.processes.process_tree import end_process_tree
from ptc_studio.runtimes.sandbox import Bounds, Confiner, toolchain_places

HOST = str(Path(__file__).with_name("host.py"))
PYTHON = toolchain_places(Path(sys.executable))

ATTEMPT = """
import os, sys
try:
    {body}
except (OSError, LookupError) as error:
    print("held:", error)
else:
    print("escaped")
"""


@contextmanager
def started(
    confiner: Confiner, argv: Sequence[str], bounds: Bounds | None = None, fds: Sequence[int] = (), **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """The process, started as guests are, and ended with all that it started."""
    bounds = bounds or Bounds()
    # A user's part is played by one who may not read the Python of the tests.
    shown = () if "user" in options else PYTHON
    launch = confiner.launch(argv, replace(bounds, readable=(*shown, *bounds.readable)))
    environment = {"PATH": os.environ["PATH"], **launch.environment, **options.pop("env", {})}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(
        launch.argv,
        pass_fds=(*fds, *launch.fds),
        env=environment,
        start_new_session=True,
        bufsize=0,
        **{**pipes, **options},
    )
    launch.started()
    try:
        yield process
    finally:
        end_process_tree(process)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
        launch.close()


def run(
    confiner: Confiner, argv: Sequence[str], bounds: Bounds | None = None, timeout: float = 120.0, **options: Any
) -> tuple[int, str, str]:
    """The status of the program, what it wrote and what it complained of."""
    with started(confiner, argv, bounds, **options) as process:
        out, error = process.communicate(timeout=timeout)
        return confiner.exit_status(process.returncode), out.decode(), error.decode()


def python(code: str, *arguments: object) -> list[str]:
    return [sys.executable, "-I", "-u", "-c", code, *map(str, arguments)]


def prints(confiner: Confiner, code: str, *arguments: object, bounds: Bounds | None = None, **options: Any) -> str:
    """What a Python program prints; it must end well."""
    status, out, error = run(confiner, python(code, *arguments), bounds, **options)
    assert status == 0, error
    return out.strip()


def attempt(confiner: Confiner, body: str, *arguments: object, bounds: Bounds | None = None, **options: Any) -> str:
    """`escaped` if the program got through, else `held`."""
    code = ATTEMPT.format(body=body.strip().replace("\n", "\n    "))
    return prints(confiner, code, *arguments, bounds=bounds, **options).splitlines()[-1].partition(":")[0]


def alive(pid: int) -> bool:
    """True while the process runs; one that is dead but not buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
