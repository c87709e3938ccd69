"""Runs the command in a process of its own, over folders of tools that a test writes."""

import contextlib
import json
import os
import pty
import select
import subprocess
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import PROGRAM

COMMAND = PROGRAM
ROOT = Path(__file__).parents[2]
SECONDS = 50


class Project:
    """A folder with scripts and tools, and the command run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # No display: what is tried here is the terminal.
        shown = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
        kept = {name: value for name, value in os.environ.items() if name not in shown}
        self.environment = {**kept, "PYTHONPATH": str(ROOT), "NO_COLOR": "", "TERM": "xterm"}
        (folder / "tools").mkdir()

    def write(self, name: str, text: str | bytes) -> str:
        """Writes a file; gives its name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).lstrip("\n").encode())
        return name

    def command(self, *arguments: Any, **options: Any) -> "subprocess.CompletedProcess[str]":
        """Runs `ptc-studio` to its end."""
        options = {"input": "", "text": True, "encoding": "utf-8", "timeout": SECONDS, **options}
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            capture_output=True, check=False, cwd=self.folder, env=self.environment, **options,
        )  # fmt: skip

    def run(self, code: str, *arguments: Any, **options: Any) -> "subprocess.CompletedProcess[str]":
        """Runs a script with the tools of the folder."""
        return self.command("run", self.write("script.py", code), "--functions", "tools", *arguments, **options)

    def record(self, code: str, *arguments: Any, **options: Any) -> Any:
        """Its record; nothing but that may be on stdout."""
        return only_document(self.run(code, "--json", *arguments, **options).stdout)

    @contextlib.contextmanager
    def started(self, *arguments: Any, **options: Any) -> Iterator["subprocess.Popen[str]"]:
        """The command while it runs."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)], text=True, cwd=self.folder, env=self.environment, **options
        )
        with process:
            try:
                yield process
            finally:
                process.kill()


class Screen:
    """A terminal, what is shown on it and what is typed into it."""

    def __init__(self, project: Project, *arguments: Any) -> None:
        self._near, far = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=far, stdout=far, stderr=far, cwd=project.folder, env=project.environment, start_new_session=True,
        )  # fmt: skip
        os.close(far)

    @property
    def fileno(self) -> int:
        return self._near

    def wait_for(self, text: str) -> None:
        """Reads on until the text has been shown."""
        end = time.monotonic() + SECONDS
        while text not in self.shown:
            assert time.monotonic() < end, f"waited in vain for {text!r}: {self.shown!r}"
            assert self._read(), f"{text!r} never came: {self.shown!r}"

    def type(self, text: str) -> None:
        os.write(self._near, text.encode())

    def finish(self) -> int:
        """Reads to the end; gives the exit status."""
        while self._read():
            pass
        return self.process.wait(SECONDS)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._near)

    def _read(self) -> bool:
        assert select.select([self._near], [], [], SECONDS)[0], f"nothing more is shown: {self.shown!r}"
        try:
            read = os.read(self._near, 65536)
        except OSError:
            # How Linux tells that nobody has the terminal open any longer.
            return False
        self.shown += read.decode(errors="replace")
        return bool(read)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A folder with a few tools."""
    project = Project(tmp_path)
    project.write(
        "tools/calc.py",
        '''
        def add(a: int, b: int) -> int:
            """Adds two numbers."""
            return a + b

        def fail(why: str) -> None:
            """Fails."""
            raise ValueError(why)
        ''',
    )
    return project


@pytest.fixture
def screen(project: Project) -> Iterator[Callable[..., Screen]]:
    """Starts the command on a terminal."""
    opened: list[Screen] = []

    def start(*arguments: Any) -> Screen:
        opened.append(Screen(project, *arguments))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def only_document(stdout: str) -> Any:
    """The one JSON document that is there."""
    assert stdout.count("\n") == 1, stdout
    return json.loads(stdout)


NESTING = '''
def down(n: int, _context=None) -> int:
    """Calls itself."""
    return _context.call_tool("down", {"n": n - 1}) + 1 if n else 0
'''


CALL_KEYS = {
    "id", "parent_id", "depth", "tool", "alias", "source", "arguments", "status", "result", "error",
    "started_ms", "duration_ms", "line", "redactions", "truncated", "answered_by",
}  # fmt: skip


def assert_one_line(stderr: str) -> None:
    assert stderr.endswith("\n")
    assert stderr.count("\n") == 1, stderr
    assert stderr.startswith("ptc-studio")
    assert "Traceback" not in stderr
