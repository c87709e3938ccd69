"""The process that completes Python: its answers, its crashes, its end."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ptc_studio.ui.language.python_completion import JediFailed, JediProcess, PythonCompletion
from tests.support import wait_until

ECHO = 'import sys\nfor line in sys.stdin: print(\'[["found", "name"]]\', flush=True)'
CRASH = "import os, sys\nsys.stdin.readline()\nos._exit(3)"
MUTE = "import sys\nfor line in sys.stdin: pass"
Made = Callable[..., JediProcess]


@pytest.fixture
def made() -> Iterator[Made]:
    processes: list[JediProcess] = []

    def make(code: str, seconds: float = 60.0) -> JediProcess:
        processes.append(JediProcess((sys.executable, "-c", code), seconds))
        return processes[-1]

    yield make
    for process in processes:
        process.close()


def test_nothing_is_started_before_the_first_question(made: Made) -> None:
    jedi = made(ECHO)
    assert jedi.process is None
    jedi.close()


def test_one_process_answers_all_questions(made: Made) -> None:
    jedi = made(ECHO)
    assert jedi.ask("fo", 1, 2, 5) == [("found", "name")]
    first = jedi.process
    assert jedi.ask("fo", 1, 2, 5) == [("found", "name")]
    assert jedi.process is first


def test_a_crash_costs_one_answer_and_three_are_enough(made: Made) -> None:
    jedi = made(CRASH)
    for _ in range(3):
        with pytest.raises(JediFailed, match="ended"):
            jedi.ask("", 1, 0, 5)
    with pytest.raises(JediFailed, match="not started again"):
        jedi.ask("", 1, 0, 5)


def test_a_killed_one_is_replaced(made: Made) -> None:
    jedi = made(ECHO)
    jedi.ask("", 1, 0, 5)
    assert jedi.process is not None
    jedi.process.kill()
    with pytest.raises(JediFailed):
        jedi.ask("", 1, 0, 5)
    assert jedi.ask("", 1, 0, 5) == [("found", "name")]


def test_one_that_never_answers_is_ended(made: Made) -> None:
    with pytest.raises(JediFailed):
        made(MUTE, 0.2).ask("", 1, 0, 5)


def test_closing_ends_the_process_and_whoever_waits_for_it(made: Made) -> None:
    jedi = made(MUTE)
    failures: list[JediFailed] = []

    def ask() -> None:
        with pytest.raises(JediFailed) as failed:
            jedi.ask("", 1, 0, 5)
        failures.append(failed.value)

    asking = threading.Thread(target=ask)
    asking.start()
    wait_until(lambda: jedi.process is not None)
    process = jedi.process
    assert process is not None
    jedi.close()
    asking.join(30)
    assert len(failures) == 1
    assert process.returncode is not None
    with pytest.raises(JediFailed, match="not started again"):
        jedi.ask("", 1, 0, 5)


def test_what_cannot_be_asked_completes_to_nothing(made: Made) -> None:
    assert PythonCompletion(made(CRASH)).complete("pri", 1, 3, ()) == []
    assert PythonCompletion(JediProcess(("/nowhere/python",))).complete("pri", 1, 3, ()) == []


def test_the_real_one_ends_with_its_pipe() -> None:
    python = PythonCompletion()
    assert "append" in [each.text for each in python.complete("[].app", 1, 6, ())]
    process = python.jedi.process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(30) == 0
    python.close()


def test_completing_executes_nothing_of_the_folder_that_the_studio_was_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What jedi finds here says that modules of the folder may be loaded; one of this name it would load in any case.
    settings = {"path": str(tmp_path), "sys_path": [str(tmp_path)], "load_unsafe_extensions": True}
    (tmp_path / ".jedi").mkdir()
    (tmp_path / ".jedi" / "project.json").write_text(json.dumps([1, settings]))
    (tmp_path / "gi.py").write_text(f"import pathlib\npathlib.Path({str(tmp_path / 'executed')!r}).touch()\n")
    monkeypatch.chdir(tmp_path)
    jedi = JediProcess()
    try:
        assert jedi.ask("import gi\ngi.", 2, 3, 5) == []
        assert ("getcwd", "function") in jedi.ask("import os\nos.getcw", 2, 8, 5)
    finally:
        jedi.close()
    assert not (tmp_path / "executed").exists()
