"""What runs out of time is ended, on time and once."""

import threading
import time

import pytest

from ptc_studio.core.run import Deadlines
from ptc_studio.core.workers import Workers
from tests.support import wait_until


class FakeItem:
    """Remembers when it was expired."""

    def __init__(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.waited = 0.0
        self.expired: list[float] = []

    def expire(self) -> None:
        self.expired.append(time.monotonic() - self.deadline)


@pytest.fixture
def deadlines() -> Deadlines:
    return Deadlines(Workers("test-deadlines"))


def test_an_item_is_expired_after_its_deadline_and_once(deadlines: Deadlines):
    item = FakeItem(0.05)
    deadlines.watch(item)
    wait_until(lambda: item.expired)
    later = FakeItem(0.05)
    deadlines.watch(later)
    wait_until(lambda: later.expired)
    assert len(item.expired) == 1
    assert item.expired[0] >= 0


def test_an_item_taken_off_the_watch_is_left_alone(deadlines: Deadlines):
    item, next_one = FakeItem(60), FakeItem(0.05)
    unwatch = deadlines.watch(item)
    unwatch()
    unwatch()
    item.deadline = next_one.deadline
    deadlines.watch(next_one)
    wait_until(lambda: next_one.expired)
    assert item.expired == []


def test_an_item_that_is_held_has_all_its_time_left_however_long_that_lasts(deadlines: Deadlines):
    item, next_one = FakeItem(0.02), FakeItem(0.05)
    with deadlines.held([item]):
        deadlines.watch(item)
        deadlines.watch(next_one)
        wait_until(lambda: next_one.expired)
        assert item.expired == []
    wait_until(lambda: item.expired)
    assert item.expired[0] >= 0


def test_an_earlier_deadline_overtakes_one_that_is_waited_for(deadlines: Deadlines):
    late, early = FakeItem(60), FakeItem(0.05)
    deadlines.watch(late)
    deadlines.watch(early)
    wait_until(lambda: early.expired)
    assert late.expired == []


def test_a_deadline_that_has_passed_already_is_expired_at_once(deadlines: Deadlines):
    item = FakeItem(-1)
    deadlines.watch(item)
    wait_until(lambda: item.expired)


def test_an_item_without_end_is_never_expired_and_disturbs_nobody(deadlines: Deadlines):
    endless, item = FakeItem(float("inf")), FakeItem(0.05)
    deadlines.watch(endless)
    deadlines.watch(item)
    wait_until(lambda: item.expired)
    assert endless.expired == []


def test_an_item_whose_end_hangs_does_not_hold_up_the_next(deadlines: Deadlines):
    release, hanging, item = threading.Event(), FakeItem(0.01), FakeItem(0.05)
    hanging.expire = lambda: release.wait(10) and None  # type: ignore[method-assign]
    deadlines.watch(hanging)
    deadlines.watch(item)
    wait_until(lambda: item.expired)
    release.set()


def test_the_watching_thread_ends_when_there_is_nothing_to_watch_and_another_comes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ptc_studio.core.run.IDLE_SECONDS", 0.01)
    deadlines, before = Deadlines(Workers("test-deadlines")), set(threading.enumerate())

    def watching() -> list[threading.Thread]:
        return [each for each in set(threading.enumerate()) - before if each.name == "ptc-deadlines"]

    for _ in range(50):
        unwatch = deadlines.watch(FakeItem(60))
        unwatch()
        item = FakeItem(0.0)
        deadlines.watch(item)
        wait_until(lambda item=item: item.expired)
    wait_until(lambda: not watching())
    endless = FakeItem(60)
    deadlines.watch(endless)
    assert watching()
    endless.deadline = 0.0
    deadlines.watch(endless)
    wait_until(lambda: endless.expired)


def test_where_no_thread_can_be_had_the_watch_goes_on_and_tries_again(caplog: pytest.LogCaptureFixture):
    class ScarceWorkers(Workers):
        refusals = 2

        def submit(self, work) -> None:
            if self.refusals:
                self.refusals -= 1
                raise RuntimeError("can't start new thread")
            super().submit(work)

    deadlines, item = Deadlines(ScarceWorkers()), FakeItem(0.01)
    deadlines.watch(item)
    wait_until(lambda: item.expired)
    assert "cannot be ended yet" in caplog.text


def test_of_many_items_added_and_removed_by_many_threads_just_those_left_expire(deadlines: Deadlines):
    kept: list[FakeItem] = []

    def work() -> None:
        for number in range(300):
            item = FakeItem(0.05)
            unwatch = deadlines.watch(item)
            if number % 3:
                unwatch()
            else:
                kept.append(item)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_until(lambda: all(item.expired for item in kept))
    assert {len(item.expired) for item in kept} == {1}
