"""Past runs are kept, found and edited, whatever happens to the program or to the file."""

import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.cost import cost_of
from ptc_studio.core.events import RunFinished
from ptc_studio.storage.history import History, HistoryError, HistoryRecorder, Query
from ptc_studio.storage.history import recorder as recorder_module
from ptc_studio.storage.history.journal import CallJournal, folder_of
from tests.storage.past_runs import call_events, redactor, start_of, trace_of, write_runs

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "history.db"


def keep(path: Path, run_id: str, calls: int = 2, *, output: str = "", status: str = "ok", **start: Any) -> None:
    recorder = HistoryRecorder(path)
    recorder.start(start_of(run_id, **start), trace_of(run_id, calls, output, status))
    recorder.finish(run_id).result(10)
    recorder.close()


def ids(path: Path, **query: Any) -> list[str]:
    return [run.run_id for run in History(path).runs(Query(**query))]


def test_a_run_is_found_again_as_it_was(path: Path):
    trace = trace_of("r1", 600, "done\n")
    trace.cost = cost_of(trace.record(), "x")
    recorder = HistoryRecorder(path)
    recorder.start(start_of("r1", grant=("shop.*",), inputs=redactor.value({"day": 3}, "inputs")), trace)
    recorder.finish("r1").result(10)
    past = History(path).open("r1", with_calls=True)
    assert past.record == trace.record()
    assert (past.code, past.grant, past.limits, past.inputs) == (
        "print(lookup('A-1', 3))",
        ("shop.*",),
        {"timeout": 30.0},
        {"day": 3},
    )
    assert [call["id"] for chunk in History(path).calls("r1") for call in chunk] == [f"c{n}" for n in range(600)]
    assert past.summary.record() == {
        "run_id": "r1", "name": None, "script": "orders.py", "runtime": "python", "target": None, "status": "ok",
        "started": "2026-09-21T14:13:20.000Z", "duration_ms": 12.5, "calls": 600,
    }  # fmt: skip
    assert path.stat().st_mode & 0o077 == 0
    recorder.close()


def test_what_a_job_answered_is_noted_first_and_taken_in_once_its_program_is_gone(path: Path):
    recorder, trace, faults = HistoryRecorder(path), trace_of("r1", 2, status=""), list[str]()
    journal = CallJournal(path, "r1", faults.append)
    began, ended = call_events("r1", 2)
    trace.observe([began])
    recorder.start(start_of("r1", endless=True), trace, journal).result(10)
    recorder.close()
    # From here on nobody writes the database. The one under way ends, and 600 more begin and end.
    for event in (began, ended, *(event for number in range(3, 603) for event in call_events("r1", number))):
        journal.observe(event)
    [noted] = folder_of(path).iterdir()
    assert noted.stat().st_mode & 0o077 == 0
    with noted.open("ab") as torn:
        torn.write(b'{"id": "c9')
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET owner = '1:never'")
    past = History(path).open("r1", with_calls=True)
    assert [(call["id"], call["status"]) for call in past.record["calls"]] == [(f"c{n}", "ok") for n in range(603)]
    assert (past.summary.status, past.summary.calls) == ("interrupted", 603)
    assert [call["id"] for chunk in History(path).calls("r1") for call in chunk] == [f"c{n}" for n in range(603)]
    assert not noted.exists()
    assert not faults


def test_what_the_database_has_is_noted_no_longer(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recorder_module, "TICK_SECONDS", 0.02)
    recorder, trace = HistoryRecorder(path), trace_of("r1", 0, status="")
    journal = CallJournal(path, "r1", lambda _message: None)
    recorder.start(start_of("r1", endless=True), trace, journal).result(10)
    events = [event for number in range(600) for event in call_events("r1", number)]
    for event in events:
        journal.observe(event)
    assert list(folder_of(path).iterdir())
    # The trace hears of them later than whoever was answered.
    trace.observe(events)
    wait_until(lambda: not list(folder_of(path).iterdir()))
    assert len(History(path).open("r1", with_calls=True).record["calls"]) == 600
    recorder.finish("r1").result(10)
    recorder.close()
    assert not folder_of(path).exists()


def test_of_a_run_without_end_what_is_written_is_forgotten_and_the_history_has_it_all(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(recorder_module, "TICK_SECONDS", 0.02)
    recorder, trace = HistoryRecorder(path), trace_of("r1", 900, status="")
    recorder.start(start_of("r1", endless=True), trace)
    began, ended = call_events("r1", 900)
    trace.observe([began, *(event for number in range(901, 1_700) for event in call_events("r1", number))])
    wait_until(lambda: trace.forgotten == 750)
    # What is under way, and what came after it, is known still.
    assert trace.started_calls()[0].call_id == "c750"
    assert trace.call_count == 1_700
    trace.observe([ended])
    wait_until(lambda: trace.forgotten == 1_500)
    recorder.finish("r1").result(10)
    recorder.close()
    kept = [call for chunk in History(path).calls("r1") for call in chunk]
    assert [call["id"] for call in kept] == [f"c{number}" for number in range(1_700)]
    assert {call["status"] for call in kept} == {"ok"}
    assert History(path).runs(Query())[0].calls == 1_700


def test_what_a_run_did_so_far_is_written_while_it_goes_on(path: Path):
    recorder, trace = HistoryRecorder(path), trace_of("r1", 3, status=None)
    recorder.start(start_of("r1"), trace)
    history = History(path)
    wait_until(lambda: history.runs() and history.runs()[0].calls == 3)
    assert history.runs()[0].status == "running"
    trace.observe([*call_events("r1", 3), RunFinished("r1", "error", 1, None, None, 5.0)])
    recorder.finish("r1").result(10)
    past = history.open("r1", with_calls=True)
    assert (past.summary.status, len(past.record["calls"])) == ("error", 4)
    recorder.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["d", "c", "b", "a"]),
        ({"limit": 1}, ["d"]),
        ({"text": "refund"}, ["b", "a"]),
        ({"text": "REFUND customer"}, ["a"]),
        ({"text": "ad"}, ["d", "c", "b", "a"]),
        ({"text": "100%_"}, ["b"]),
        ({"text": '"quoted" OR'}, []),
        ({"text": "B-77"}, ["c"]),
        ({"text": "my favourite"}, ["d"]),
        ({"tool": "refund"}, ["a"]),
        ({"tool": "lookup", "status": "error"}, ["b"]),
        ({"status": "ok"}, ["d", "c", "a"]),
        ({"runtime": "monty"}, ["c"]),
        ({"since": 200.0, "until": 400.0}, ["c", "b"]),
        ({"pinned": True}, ["d"]),
    ],
)
@pytest.mark.parametrize("trigrams", [True, False], ids=["trigrams", "plain"])
def test_runs_are_found_by_text_tool_status_runtime_and_time(
    path: Path, query: dict[str, Any], found: list[str], trigrams: bool
):
    if not trigrams:
        without_trigrams(path)
    trace = trace_of("a", 0)
    trace.observe(call_events("a", 1, tool="refund", arguments={"customer": "Ada"}))
    recorder = HistoryRecorder(path)
    for run_id, began, of, more in (
        ("a", 100.0, trace, {}),
        ("b", 200.0, trace_of("b", 1, "no refund, 100%_ sure; adieu", "error"), {}),
        ("c", 300.0, trace_of("c", 78), {"runtime": "monty", "code": "# adds B-77"}),
        ("d", 400.0, trace_of("d", 1, "added"), {}),
    ):
        recorder.start(start_of(run_id, started=began, **more), of)
        recorder.finish(run_id).result(10)
    recorder.close()
    history = History(path)
    history.set_name("d", "my favourite one")
    history.set_pinned("d", True)
    assert ids(path, **query) == found


def without_trigrams(path: Path) -> None:
    """A history as it is where SQLite has none."""
    History(path).runs()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE search")
        connection.execute("CREATE TABLE search (text TEXT)")
    connection.close()


def test_a_deleted_run_comes_back_and_is_gone_for_good_a_day_later(path: Path):
    for run_id in "ab":
        keep(path, run_id)
    history = History(path)
    history.delete(["a", "b"])
    assert ids(path) == []
    history.restore(["a"])
    assert ids(path) == ["a"]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET deleted = 1 WHERE run_id = 'b'")
    connection.close()
    keep(path, "c")
    with pytest.raises(HistoryError, match="There is no run 'b'"):
        history.restore(["b"])


def test_the_oldest_go_when_it_is_too_large_but_not_what_is_pinned(path: Path):
    run_ids = write_runs(path, 30, calls=20)
    History(path).set_pinned(run_ids[0], True)
    size = History(path).bytes_used()
    recorder = HistoryRecorder(path, most_bytes=int(size / 2))
    recorder.start(start_of("new", started=2e9), trace_of("new", 20))
    recorder.finish("new").result(10)
    left = ids(path)
    assert recorder.removed == 31 - len(left)
    recorder.set_limit(1).result(10)
    assert ids(path) == [run_ids[0]], "at once, and what is pinned stays"
    assert recorder.removed == 30
    recorder.close()
    assert (left[0], left[-1]) == ("new", run_ids[0])
    assert left[1:-1] == run_ids[: -len(left) + 1 : -1]
    assert 8 < len(left) < 17


@pytest.mark.parametrize("name", ["nothing", "", "0"])
def test_a_run_that_is_not_there_is_told(path: Path, name: str):
    for run_id in ("abc1", "abc2"):
        keep(path, run_id)
    with pytest.raises(HistoryError, match="no run"):
        History(path).find(name)
    with pytest.raises(HistoryError, match="Several runs begin with 'abc'"):
        History(path).find("abc")
    assert History(path).find("abc1").run_id == "abc1"
    assert History(path).find("last").run_id == "abc2"


@pytest.mark.parametrize("damage", ["no database", "half", "a page"])
def test_a_damaged_file_is_set_aside_and_told_and_runs_are_kept_again(path: Path, damage: str):
    write_runs(path, 200, calls=5)
    whole = path.read_bytes()
    path.write_bytes(
        {
            "no database": b"x" * 5000,
            "half": whole[: len(whole) // 2],
            "a page": whole[:4096] + b"y" * 8192 + whole[12288:],
        }[damage]
    )
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    told: list[str] = []
    recorder = HistoryRecorder(path, told.append)
    recorder.start(start_of("new"), trace_of("new", 3))
    recorder.finish("new").result(10)
    recorder.close()
    assert ids(path) == ["new"]
    (sentence,) = told
    assert "damaged" in sentence
    assert str(path.with_name("history.broken.db")) in sentence
    assert path.with_name("history.broken.db").exists()


def test_a_history_that_cannot_be_written_is_told_once_and_holds_up_nothing(path: Path, tmp_path: Path):
    path.parent.write_text("in the way")
    told: list[str] = []
    recorder = HistoryRecorder(path, told.append)
    for run_id in "abc":
        recorder.start(start_of(run_id), trace_of(run_id, 1))
        recorder.finish(run_id).result(10)
    recorder.close()
    assert len(told) == 1
    assert f"The history {path} cannot be used" in told[0]


def test_a_history_of_a_newer_studio_is_left_alone(path: Path):
    keep(path, "a")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(HistoryError, match="of a newer PTC Studio"):
        History(path).runs()


def test_a_file_that_is_moved_away_while_runs_are_kept_is_made_anew(path: Path):
    recorder = HistoryRecorder(path)
    recorder.start(start_of("a"), trace_of("a", 300))
    recorder.finish("a").result(10)
    recorder.start(start_of("b"), trace_of("b", 300))
    wait_until(lambda: len(ids(path)) == 2)
    path.rename(path.with_name("elsewhere.db"))
    recorder.finish("b").result(10)
    recorder.close()
    assert len(History(path).open("b", with_calls=True).record["calls"]) == 300


def test_announcing_a_run_never_waits_for_another_studio_that_writes(path: Path):
    keep(path, "a")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    recorder = HistoryRecorder(path)
    began = time.monotonic()
    recorder.start(start_of("b"), trace_of("b", 3))
    kept = recorder.finish("b")
    assert time.monotonic() - began < 1
    assert not kept.done()
    other.execute("COMMIT")
    other.close()
    kept.result(10)
    recorder.close()
    assert "b" in ids(path)


WRITER = """
import os, sys, random, threading
from pathlib import Path
from ptc_studio.storage.history import HistoryRecorder
from tests.storage.past_runs import start_of, trace_of
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
recorder = HistoryRecorder(path)
for number in range(count):
    run_id = f"{name}{number}"
    recorder.start(start_of(run_id), trace_of(run_id, number % 5 * 100, "some output"))
    recorder.finish(run_id).result(30)
    os.write(1, f"{run_id}\\n".encode())
recorder.close()
"""


def writer(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_several_studios_write_at_once(path: Path):
    writers = [writer(path, name, 40) for name in "xyz"]
    told = {line for each in writers for line in each.communicate(timeout=50)[0].split()}
    assert len(told) == 120
    assert set(ids(path)) == told
    assert {run.status for run in History(path).runs()} == {"ok"}


FORKS = """
import os, random, signal, sys, time
from pathlib import Path
from ptc_studio.storage.history import HistoryRecorder
from tests.storage.past_runs import start_of, trace_of
path, chance = Path(sys.argv[1]), random.Random(7)

def write(turn, count):
    recorder = HistoryRecorder(path)
    for number in range(count):
        run_id = f"{turn:02}-{number}"
        recorder.start(start_of(run_id), trace_of(run_id, number % 4 * 90, "out"))
        recorder.finish(run_id).result(30)
        os.write(1, f"{run_id}\\n".encode())

# The moments are those of a few runs, however long one takes on this machine.
began = time.monotonic()
child = os.fork()
if not child:
    write(99, 8)
    os._exit(0)
os.waitpid(child, 0)
longest = time.monotonic() - began
for turn in range(50):
    child = os.fork()
    if not child:
        write(turn, 10_000)
    time.sleep(chance.uniform(0.001, longest))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


def test_killed_at_fifty_random_moments_every_finished_run_is_there_and_the_file_opens(path: Path):
    done = subprocess.run(
        [sys.executable, "-c", FORKS, str(path)], capture_output=True, text=True, cwd=ROOT, timeout=50, check=True
    )
    told = done.stdout.split()
    runs = {run.run_id: run.status for run in History(path).runs(Query(limit=100_000))}
    assert len(told) > 20
    assert {runs.get(run_id) for run_id in told} == {"ok"}
    # At most the one of each turn that was under way is there beside them, and it has an end.
    rest = {run_id: status for run_id, status in runs.items() if run_id not in set(told)}
    assert len(rest) <= 50
    assert set(rest.values()) <= {"ok", "interrupted"}
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    for run_id in random.Random(1).sample(sorted(runs), 20):
        History(path).open(run_id, with_calls=True)


def test_a_run_that_a_crash_cut_off_is_there_and_marked(path: Path):
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            WRITER.replace("recorder.finish(run_id).result(30)", "import time; time.sleep(60)"),
            str(path),
            "r",
            "5",
        ],
        cwd=ROOT,
    )
    history = History(path)
    wait_until(lambda: [run.status for run in history.runs()] == ["running"])
    child.kill()
    child.wait()
    assert [run.status for run in history.runs()] == ["interrupted"]
    assert history.open("last").record["status"] == "interrupted"
    assert ids(path, status="interrupted") == ["r0"]


def test_a_secret_in_a_script_never_reaches_the_file(path: Path):
    secret = "sk-ant-" + "api03-" + "Ab3" * 30
    recorder = HistoryRecorder(path)
    recorder.start(start_of("r1", code=f"key = {secret!r}"), trace_of("r1", 1))
    recorder.finish("r1").result(10)
    recorder.close()
    assert secret[10:] not in History(path).open("r1").code
    assert all(secret[10:].encode() not in file.read_bytes() for file in path.parent.iterdir())


def wait_until(true: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
