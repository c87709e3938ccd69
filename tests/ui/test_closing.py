"""Closing the window while something that it asked has not answered: it goes at once, and takes all with it."""

import asyncio
import gc
import os
import weakref
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.conftest import WindowStudio

SOON = 4.0
"""Seconds in which it must have closed. A tenth of one is usual; whoever waits for what hangs needs ten."""
HANGING = """\
#!/bin/sh
sleep 1000 &
echo $$ $! >> {pids}
wait
"""
SERVER = """\
  - kind: mcp
    name: deaf
    command: {command}
"""
SLOW_TOOLS = """\
  - kind: functions
    path: slow
    isolation: {isolation}
    run_modules: true
"""
SLOW_TOOL = """\
import os, time
from pathlib import Path
Path({loading!r}).write_text(str(os.getpid()))
while not Path({enough!r}).exists():
    time.sleep(0.05)
"""


class Hanging:
    """A program that never answers, and the processes that it is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pids = path.with_suffix(".pids")
        path.parent.mkdir(exist_ok=True)
        path.write_text(HANGING.format(pids=self._pids))
        path.chmod(0o755)

    def is_asked(self) -> bool:
        return bool(self._running())

    def is_gone(self) -> bool:
        return not self._running()

    def _running(self) -> list[int]:
        pids = map(int, self._pids.read_text().split()) if self._pids.exists() else ()
        return [pid for pid in pids if _is_alive(pid)]


def _is_alive(pid: int) -> bool:
    """Whether the process runs; one that is dead and only not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.fixture
def go(studio: WindowStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hanging:
    """A Go that does not tell its version; nothing is known of any from before."""
    made = Hanging(tmp_path / "bin" / "go")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{made.path.parent}{os.pathsep}{os.environ['PATH']}")
    return made


def add_source(studio: WindowStudio, entry: str) -> None:
    file = studio.workspace / "studio.yaml"
    file.write_text(file.read_text().replace("aliases:", f"{entry}aliases:"))


async def close_soon(studio: WindowStudio) -> None:
    """Closes the window: it is out of sight before anything is waited for, and the rest has little time."""
    seen: list[bool] = []
    studio.window.left.connect(lambda: seen.append(studio.window.isVisible()))
    await asyncio.wait_for(studio.close(), SOON)
    assert seen == [False]


async def test_a_look_for_runtimes_that_hangs_is_ended(studio: WindowStudio, go: Hanging):
    await studio.close()
    found = studio.show()
    await studio.until(go.is_asked)
    await close_soon(studio)
    assert not found.done()
    await studio.until(go.is_gone)


async def test_the_look_for_the_chosen_runtime_is_ended_too(studio: WindowStudio, go: Hanging):
    studio.window.run_bar.set_runtime("go")
    await studio.close()
    studio.show()
    await studio.until(go.is_asked)
    await close_soon(studio)
    await studio.until(go.is_gone)


async def test_a_run_that_waits_for_its_runtimes_version_is_given_up(
    studio: WindowStudio, go: Hanging, monkeypatch: pytest.MonkeyPatch
):
    async def yes(*_args: object, **_options: object) -> bool:
        return True

    monkeypatch.setattr("ptc_studio.ui.dialogs.questions.ask", yes)
    script = studio.workspace / "main.go"
    script.write_text("package main\nfunc main() {}\n")
    await studio.close()
    studio.show(script)
    await studio.until(go.is_asked)
    studio.window.run.run_script()
    await studio.until(lambda: studio.window.workbench.is_running)
    await close_soon(studio)
    await studio.until(go.is_gone)


async def test_a_server_that_never_answers_is_ended(studio: WindowStudio, tmp_path: Path):
    server = Hanging(tmp_path / "deaf")
    await studio.close()
    add_source(studio, SERVER.format(command=server.path))
    studio.show()
    await studio.until(server.is_asked)
    await close_soon(studio)
    await studio.until(server.is_gone)


@pytest.mark.parametrize("isolation", ["thread", "process"])
async def test_tools_that_take_their_time_to_load_are_not_waited_for(
    studio: WindowStudio, tmp_path: Path, isolation: str
):
    await studio.close()
    loading, enough = tmp_path / "loading", tmp_path / "enough"
    (studio.workspace / "slow").mkdir()
    (studio.workspace / "slow" / "tool.py").write_text(SLOW_TOOL.format(loading=str(loading), enough=str(enough)))
    add_source(studio, SLOW_TOOLS.format(isolation=isolation))
    studio.show()
    await studio.until(lambda: loading.exists() and loading.read_text())
    await close_soon(studio)
    if isolation == "process":
        await studio.until(lambda: not _is_alive(int(loading.read_text())))
    enough.touch()


async def test_a_window_that_is_gone_leaves_no_widget_behind(studio: WindowStudio):
    # Whatever is left is dressed again with each window and each change of the theme.
    await studio.close()
    there = set(QApplication.topLevelWidgets())
    await studio.open()
    await studio.close()
    assert set(QApplication.topLevelWidgets()) <= there


async def test_all_that_a_closed_window_had_goes_with_it(studio: WindowStudio):
    await studio.run("1 + 1")
    had = [weakref.ref(each) for each in (studio.window.workbench, studio.window.panels, studio.window.context)]
    await studio.close()
    del studio.window
    gc.collect()
    assert [each() for each in had] == [None, None, None]
