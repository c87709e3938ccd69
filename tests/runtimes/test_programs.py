"""Programs that are asked, and ended before they have answered."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from weakref import WeakSet

import pytest

from ptc_studio.runtimes import programs
from ptc_studio.runtimes.programs import Prober, Unanswered, end_probes

SECONDS = 30.0


class Sleeper:
    """A program that never answers, nor does what it started."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "sleeper"
        self._pids = folder / "pids"
        self.path.write_text(f"#!/bin/sh\nsleep 1000 &\necho $$ $! >> {self._pids}\nwait\n")
        self.path.chmod(0o755)

    @property
    def started(self) -> list[int]:
        return list(map(int, self._pids.read_text().split())) if self._pids.exists() else []

    @property
    def alive(self) -> list[int]:
        return [pid for pid in self.started if _is_alive(pid)]


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def sleeper(tmp_path: Path) -> Sleeper:
    return Sleeper(tmp_path)


def asking(prober: Prober, program: Path, told: list[str]) -> threading.Thread:
    def ask() -> None:
        try:
            told.append(prober.ask(str(program), ["--version"]))
        except Unanswered as error:
            told.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


@pytest.mark.parametrize("end", [Prober.close, lambda _prober: end_probes()], ids=["the prober", "the program"])
def test_when_it_ends_those_that_have_not_answered_are_ended_with_all_they_started(
    sleeper: Sleeper, end: Callable[[Prober], None], monkeypatch: pytest.MonkeyPatch
):
    # Only this one: those of other tests are still needed.
    monkeypatch.setattr(programs, "_PROBERS", WeakSet())
    prober, told = Prober(), list[str]()
    threads = [asking(prober, sleeper.path, told) for _ in range(3)]
    until(lambda: len(sleeper.started) == 6)
    assert len(sleeper.alive) == 6
    end(prober)
    for thread in threads:
        thread.join(SECONDS)
    assert told == ["`sleeper --version` failed with status -9"] * 3
    until(lambda: not sleeper.alive)


def test_once_closed_it_starts_nothing(sleeper: Sleeper):
    prober = Prober()
    prober.close()
    with pytest.raises(Unanswered, match=r"`sleeper x` cannot be started \(the program is being closed\)"):
        prober.ask(str(sleeper.path), ["x"])
    assert sleeper.started == []


def test_none_that_is_just_being_started_is_overlooked(sleeper: Sleeper):
    for _ in range(10):
        prober, told = Prober(), list[str]()
        threads = [asking(prober, sleeper.path, told) for _ in range(4)]
        prober.close()
        for thread in threads:
            thread.join(SECONDS)
        assert len(told) == 4
    until(lambda: not sleeper.alive)


def test_one_that_takes_too_long_is_ended_with_all_it_started(sleeper: Sleeper, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(programs, "PROBE_SECONDS", 0.5)
    with pytest.raises(Unanswered, match=r"did not answer within 0\.5 s"):
        Prober().ask(str(sleeper.path), [])
    until(lambda: not sleeper.alive)


def test_what_it_prints_on_either_stream_is_the_answer(tmp_path: Path):
    code = "import sys; print('one'); print('two', file=sys.stderr)"
    assert Prober().ask(sys.executable, ["-c", code]) == "one\ntwo\n"


def test_a_program_that_cannot_be_started_is_a_reason(tmp_path: Path):
    with pytest.raises(Unanswered, match=r"`nothing` cannot be started \(No such file or directory\)"):
        Prober().ask(str(tmp_path / "nothing"), [])
    with pytest.raises(FileNotFoundError):
        Prober().run([str(tmp_path / "nothing")], 1)


def test_a_run_tells_its_status(tmp_path: Path):
    done = Prober().run([sys.executable, "-c", "raise SystemExit(3)"], SECONDS, environment={})
    assert isinstance(done, subprocess.CompletedProcess)
    assert done.returncode == 3


def test_a_program_is_not_asked_in_the_folder_that_was_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # Version managers execute what a file of the current folder names, such as `rust-toolchain.toml`.
    monkeypatch.chdir(tmp_path)
    assert Path(Prober().ask(sys.executable, ["-c", "import os; print(os.getcwd())"]).strip()) == Path("/")
