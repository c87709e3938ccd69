"""Threads that do the blocking work."""

import asyncio
import gc
import sys
import threading

import pytest

from ptc_studio.core import workers as module
from ptc_studio.core.workers import SerialWorker, Workers, frame_of
from tests.support import wait_until


def test_work_is_done_in_a_daemon_thread():
    found: list[threading.Thread] = []
    Workers("mine").submit(lambda: found.append(threading.current_thread()))
    wait_until(lambda: found)
    assert found[0].daemon
    assert found[0].name == "mine-1"


def test_a_thread_that_rests_is_used_again():
    workers, found = Workers(), []
    for number in range(1, 6):
        workers.submit(lambda: found.append(threading.get_ident()))
        wait_until(lambda number=number: len(found) == number and workers.idle == 1)
    assert len(set(found)) == 1


def test_work_that_waits_for_other_work_never_lacks_a_thread():
    workers, release, waiting = Workers(), threading.Event(), []

    def wait() -> None:
        waiting.append(1)
        release.wait(10)

    for _ in range(100):
        workers.submit(wait)
    wait_until(lambda: len(waiting) == 100)
    workers.submit(release.set)
    assert release.wait(10)


def test_a_flood_of_small_work_does_not_hire_a_thread_for_each():
    workers, done = Workers(), []
    for _ in range(5_000):
        workers.submit(lambda: done.append(threading.current_thread().name))
    wait_until(lambda: len(done) == 5_000)
    assert len(set(done)) < 500


def test_of_many_threads_that_are_done_at_one_time_few_stay(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MOST_IDLE", 3)
    workers, release, waiting = Workers("crowd"), threading.Event(), []

    def wait() -> None:
        waiting.append(1)
        release.wait(10)

    for _ in range(20):
        workers.submit(wait)
    wait_until(lambda: len(waiting) == 20)
    release.set()
    wait_until(lambda: sum(thread.name.startswith("crowd-") for thread in threading.enumerate()) == 3)
    assert workers.idle == 3


def test_failing_work_is_logged_and_its_thread_works_on(caplog: pytest.LogCaptureFixture):
    workers, threads, done = Workers(), [], threading.Event()

    def fail() -> None:
        threads.append(threading.current_thread())
        raise ValueError("no good")

    def go_on() -> None:
        threads.append(threading.current_thread())
        done.set()

    workers.submit(fail)
    wait_until(lambda: workers.idle)
    workers.submit(go_on)
    assert done.wait(10)
    assert threads[0] is threads[1]
    wait_until(lambda: "no good" in caplog.text)


def test_a_thread_that_rests_long_leaves_and_work_that_comes_then_is_done_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.001)
    workers, done = Workers(), []
    # So short a rest that giving work and leaving meet again and again.
    for number in range(500):
        workers.submit(lambda: done.append(1))
        wait_until(lambda number=number: len(done) == number + 1)
    wait_until(lambda: workers.idle == 0)


def test_what_work_held_is_let_go_when_it_is_done():
    import weakref

    class Large:
        pass

    workers, large = Workers(), Large()
    gone = weakref.ref(large)
    workers.submit(lambda large=large: None)
    del large
    wait_until(lambda: workers.idle and gone() is None)


def test_what_comes_of_the_work_is_a_future_and_a_failure_that_is_asked_for_is_not_logged(
    caplog: pytest.LogCaptureFixture,
):
    workers = Workers()
    assert workers.submit(lambda: 3).result(10) == 3

    def fail() -> None:
        raise ValueError("no good")

    with pytest.raises(ValueError, match="no good"):
        workers.submit(fail).result(10)
    gc.collect()
    assert not caplog.records


async def test_work_goes_on_when_nobody_waits_for_it_any_longer():
    workers, release, done = Workers(), threading.Event(), threading.Event()

    def work() -> None:
        release.wait(10)
        done.set()

    waiting = asyncio.ensure_future(workers.run(work))
    await asyncio.sleep(0)
    waiting.cancel()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert done.wait(10)


def test_a_serial_worker_does_its_work_in_order_in_one_thread():
    worker, done = SerialWorker("one"), []
    tasks = [worker.submit(lambda number=number: done.append((number, threading.get_ident()))) for number in range(50)]
    for task in tasks:
        task.result(10)
    assert [number for number, _ in done] == list(range(50))
    assert len({thread for _, thread in done}) == 1


@pytest.mark.parametrize("collected", [True, False])
def test_nothing_is_collected_while_a_threads_place_is_looked_up(collected: bool, monkeypatch: pytest.MonkeyPatch):
    # CPython 3.11 has all threads wait for each other for ever if that lets one of them begin or end.
    look, meanwhile = sys._current_frames, []  # noqa: SLF001
    monkeypatch.setattr(sys, "_current_frames", lambda: meanwhile.append(gc.isenabled()) or look())
    before = gc.isenabled()
    (gc.enable if collected else gc.disable)()
    try:
        assert frame_of(threading.get_ident()) is not None
        assert (meanwhile, gc.isenabled()) == ([False], collected)
    finally:
        (gc.enable if before else gc.disable)()
    assert frame_of(0) is None
