"""Events go in from any thread and come out in batches on one."""

import itertools
import threading

import pytest

from ptc_studio.core.events import Bus, RunStarted


def event(number: int) -> RunStarted:
    return RunStarted(f"r{number}", "python")


class FakeLoop:
    """Keeps what was scheduled until the test lets it run."""

    def __init__(self) -> None:
        self.due: list = []

    def schedule(self, work) -> None:
        self.due.append(work)

    def tick(self) -> None:
        while self.due:
            self.due.pop(0)()


def test_events_of_a_short_while_come_in_one_batch_and_wake_the_loop_once():
    loop, batches = FakeLoop(), []
    bus = Bus(loop.schedule)
    bus.subscribe(batches.append)
    for number in range(3):
        bus.publish(event(number))
    assert len(loop.due) == 1
    assert batches == []
    loop.tick()
    assert batches == [[event(0), event(1), event(2)]]
    bus.publish(event(3))
    assert len(loop.due) == 1
    loop.tick()
    assert batches[1:] == [[event(3)]]


def test_a_flush_hands_over_at_once_and_the_due_call_finds_nothing():
    loop, batches = FakeLoop(), []
    bus = Bus(loop.schedule)
    bus.subscribe(batches.append)
    bus.publish(event(1))
    bus.flush()
    loop.tick()
    assert batches == [[event(1)]]


def test_without_a_schedule_events_wait_for_the_flush():
    bus, batches = Bus(), []
    bus.subscribe(batches.append)
    bus.publish(event(1))
    assert batches == []
    bus.flush()
    assert batches == [[event(1)]]


def test_who_unsubscribed_hears_nothing_more_and_may_do_so_twice():
    bus, first, second = Bus(), [], []
    unsubscribe = bus.subscribe(first.extend)
    bus.subscribe(second.extend)
    bus.publish(event(1))
    bus.flush()
    unsubscribe()
    unsubscribe()
    bus.publish(event(2))
    bus.flush()
    assert (first, second) == ([event(1)], [event(1), event(2)])


def test_a_failing_observer_is_removed_and_logged_and_the_others_go_on(caplog: pytest.LogCaptureFixture):
    bus, heard, failed = Bus(), [], []

    def broken(batch) -> None:
        failed.append(batch)
        raise RuntimeError("a broken view")

    bus.subscribe(broken)
    bus.subscribe(heard.extend)
    for number in (1, 2):
        bus.publish(event(number))
        bus.flush()
    assert heard == [event(1), event(2)]
    assert len(failed) == 1
    assert "failed and is removed" in caplog.text


def test_an_observer_that_unsubscribes_another_meanwhile_disturbs_nobody():
    bus, heard = Bus(), []
    leave: list = []
    bus.subscribe(lambda batch: leave[0]())
    leave.append(bus.subscribe(heard.extend))
    bus.publish(event(1))
    bus.flush()
    bus.publish(event(2))
    bus.flush()
    assert heard == [event(1)]


def test_no_event_of_many_threads_is_lost_or_left_lying():
    loop, heard = FakeLoop(), []
    bus = Bus(loop.schedule)
    bus.subscribe(heard.extend)
    threads = [threading.Thread(target=lambda: [bus.publish(event(n)) for n in range(500)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        loop.tick()
    loop.tick()
    assert len(heard) == 4000


def test_a_wake_up_that_was_lost_is_asked_for_again_after_the_next_flush():
    loop, heard = FakeLoop(), []

    def schedule(work) -> None:
        if next(asked) == 1:
            raise KeyboardInterrupt
        loop.schedule(work)

    asked = itertools.count(1)
    bus = Bus(schedule)
    bus.subscribe(heard.extend)
    with pytest.raises(KeyboardInterrupt):
        bus.publish(event(1))
    bus.flush()
    bus.publish(event(2))
    loop.tick()
    assert heard == [event(1), event(2)]
