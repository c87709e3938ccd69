"""The program as people have it: a process, a window on a screen, a keyboard, and sometimes a kill."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.window.conftest import DISPLAY_NAMES, Desk, Started, is_alive, until

pytestmark = pytest.mark.timeout(300)

LONG_RUN = """\
import pathlib, subprocess, time
children = [subprocess.Popen(["sleep", "300"]) for _ in range({children})]
pathlib.Path({marker!r}).touch()
time.sleep(300)
"""


def marking(marker: Path) -> str:
    """A script of one line that leaves a file; in letters that the keyboard of the display has, wherever it lies."""
    return f'open({json.dumps(str(marker))}, "w").write("ran")'


def has_run(marker: Path) -> bool:
    return marker.is_file() and marker.read_text() == "ran"


def begin_long_run(desk: Desk, folder: Path, typed: str = "", children: int = 0) -> tuple[Started, set[int]]:
    """The program while it runs a script that may start processes of its own; and all its processes."""
    running, script = folder / "running", folder / "long.py"
    script.write_text(LONG_RUN.format(marker=str(running), children=children))
    studio = desk.start(script)
    studio.wait_for_window("long.py")
    if typed:
        studio.type(typed)
        until(lambda: any(text.startswith(typed) for text in desk.kept_texts()), f"{typed} is kept")
    studio.press("F5")
    until(running.is_file, "the script runs")
    until(lambda: sum(map(is_sleeper, desk.note_family(studio))) == children, "the script's own processes run")
    return studio, desk.note_family(studio)


def is_sleeper(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() == b"sleep\x00300\x00"
    except OSError:
        return False


def assert_all_end(family: set[int]) -> None:
    until(lambda: not any(map(is_alive, family)), f"an end of all of {sorted(family)}")


@pytest.fixture
def project(desk: Desk, tmp_path: Path) -> Path:
    """A workspace in which scripts may leave files."""
    (tmp_path / "studio.yaml").write_text("runtimes: {python: {workspace: write}}\n")
    return desk.trust(tmp_path)


def test_f5_runs_the_script_that_was_opened(desk: Desk, project: Path):
    marker, script = project / "marker", project / "mine.py"
    script.write_text(marking(marker) + "\n")
    studio = desk.start(script)
    studio.wait_for_window("mine.py")
    assert not marker.exists()
    studio.press("F5")
    until(lambda: has_run(marker), "the script has run")


def test_what_is_typed_survives_a_kill_and_runs_after_the_next_start(desk: Desk, project: Path):
    marker = project / "marker"
    line = marking(marker)
    studio = desk.start(project)
    studio.wait_for_window()
    studio.press("ctrl+t")
    studio.wait_for_window("untitled-1")
    with studio.typing(f"{line}  # {'and on ' * 400}") as typist:
        until(lambda: any(f"{line}  # and" in text for text in desk.kept_texts()), "the typed text is kept")
        assert typist.poll() is None, "the kill must come while the keys are pressed"
        studio.kill()
    assert not marker.exists()
    again = desk.start(project)
    again.wait_for_window("untitled-1")
    again.press("F5")
    until(lambda: has_run(marker), "the text that is back has run")


def test_a_kill_during_a_run_leaves_no_process_and_the_text_is_back(desk: Desk, project: Path):
    marker = project / "marker"
    typed = f"{marking(marker)}; "
    studio, family = begin_long_run(desk, project, typed, children=1)
    studio.kill()
    assert_all_end(family)
    marker.unlink()
    again = desk.start(project)
    again.wait_for_window("long.py")
    again.press("F5")
    until(lambda: has_run(marker), "the text that is back has run")


def test_a_second_start_on_a_workspace_raises_the_first_and_ends(desk: Desk, tmp_path: Path):
    for name in ("first", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "studio.yaml").write_text("version: 1\n")
    first, other = desk.start(tmp_path / "first"), desk.start(tmp_path / "other")
    below, above = first.wait_for_window(), other.wait_for_window()
    other.raise_window(above)
    until(lambda: other.top_window() == above, "the other window is on top")
    assert desk.start(tmp_path / "first").wait() == 0
    until(lambda: first.top_window() == below, "the first window is on top")
    assert first.is_running
    assert other.is_running


def test_a_second_start_with_a_script_shows_it_in_the_first(desk: Desk, tmp_path: Path):
    (tmp_path / "studio.yaml").write_text("version: 1\n")
    (tmp_path / "second.py").write_text("1\n")
    desk.start(tmp_path).wait_for_window()
    assert desk.start(tmp_path / "second.py").wait() == 0
    until(lambda: desk.keeps("second.py"), "the script is open in the first window")


def test_a_start_after_a_kill_opens_a_window_again(desk: Desk, tmp_path: Path):
    studio = desk.start()
    studio.wait_for_window()
    studio.kill()
    desk.start().wait_for_window()


def test_where_no_socket_can_be_made_the_window_opens_all_the_same(desk: Desk, tmp_path: Path):
    desk.environment["TMPDIR"] = str(tmp_path / "not there")
    desk.start().wait_for_window()


def test_ctrl_q_ends_the_program_and_all_its_processes(desk: Desk, tmp_path: Path):
    studio = desk.start()
    studio.wait_for_window()
    studio.press("ctrl+t")
    studio.wait_for_window("untitled-1")
    family = desk.note_family(studio)
    studio.press("ctrl+q")
    assert studio.wait() == 0
    assert studio.said == ""
    assert_all_end(family)


def test_ctrl_q_during_a_run_asks_and_return_goes_on(desk: Desk, project: Path):
    studio, family = begin_long_run(desk, project, children=1)
    studio.press("ctrl+q")
    studio.wait_for_window("A script is running")
    studio.press("Return")
    until(lambda: not studio.has_window("A script is running"), "the question is gone")
    assert any(map(is_sleeper, family)), "the script goes on"
    studio.wait_for_window("long.py")
    studio.press("ctrl+q")
    studio.wait_for_window("A script is running")
    studio.press("Tab", "space")
    assert studio.wait() == 0
    assert studio.said == ""
    assert_all_end(family)


def test_ctrl_q_while_a_runtime_does_not_tell_its_version_ends_all(desk: Desk, tmp_path: Path):
    asked, program = tmp_path / "asked", tmp_path / "go"
    program.write_text(f"#!/bin/sh\nsleep 1000 &\necho $$ $! > {shlex.quote(str(asked))}\nwait\n")
    program.chmod(0o755)
    desk.environment["PATH"] = f"{tmp_path}{os.pathsep}{desk.environment['PATH']}"
    studio = desk.start()
    studio.wait_for_window()
    until(lambda: asked.exists() and asked.read_text(), "it is asked")
    family = desk.note_family(studio)
    assert set(map(int, asked.read_text().split())) <= family
    studio.press("ctrl+q")
    # It would be waited for for ten seconds.
    assert studio.wait(8) == 0
    assert studio.said == ""
    assert_all_end(family)


@pytest.mark.parametrize("name", ["INT", "TERM"])
def test_a_signal_ends_the_program_as_closing_does(desk: Desk, name: str):
    studio = desk.start()
    studio.wait_for_window()
    family = desk.note_family(studio)
    os.kill(studio.pid, signal.Signals[f"SIG{name}"])
    assert studio.wait() == 0
    assert_all_end(family)


def without_display(module: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name not in DISPLAY_NAMES}
    environment["PYTHONPATH"] = str(Path(__file__).parents[3])
    command = [sys.executable, "-m", module]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def test_without_a_display_the_program_says_so_in_one_line(tmp_path: Path):
    done = without_display("ptc_studio", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no display" in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_a_display_the_demo_says_so_and_runs_in_the_terminal(tmp_path: Path):
    done = without_display("ptc_studio.cli.demo", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no display" in done.stdout.splitlines()[0]
    assert "Katherine" in done.stdout
