"""How those who do calls see to it that the window's loop gets its turn."""

import threading

import pytest

from ptc_studio.core import workers as core_workers
from ptc_studio.core.workers import UiPriority


class Clock:
    """Time that passes only when told to; a pause is noted."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(core_workers, "time", clock)
    return clock


def test_without_a_loop_that_takes_turns_nobody_pauses(clock: Clock) -> None:
    given = UiPriority()
    clock.now = 1_000.0
    given.give_way()
    assert clock.pauses == []


def test_a_turn_that_is_overdue_makes_others_pause_once(clock: Clock) -> None:
    given = UiPriority()
    given.had_turn()
    clock.now += core_workers.PATIENCE / 2
    given.give_way()
    assert clock.pauses == []
    clock.now += core_workers.PATIENCE
    for _ in range(3):
        given.give_way()
    assert clock.pauses == [core_workers.PAUSE]
    clock.now += core_workers.PATIENCE
    given.give_way()
    assert len(clock.pauses) == 2


def test_who_needs_no_more_turns_is_not_paused_for(clock: Clock) -> None:
    given = UiPriority()
    given.had_turn()
    given.needs_no_turns()
    clock.now += 10 * core_workers.PATIENCE
    given.give_way()
    assert clock.pauses == []


def test_others_hold_back_until_the_outermost_who_asked_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_workers, "LONGEST", 20)
    given = UiPriority()
    passed = threading.Event()

    def call() -> None:
        given.give_way()
        passed.set()

    with given.asked():
        with given.asked():
            pass
        thread = threading.Thread(target=call)
        thread.start()
        assert not passed.wait(0.05)
    assert passed.wait(10)
    thread.join()


def test_who_asks_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_workers, "LONGEST", 0.001)
    given = UiPriority()
    with given.asked():
        given.give_way()
