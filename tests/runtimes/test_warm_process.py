"""Processes kept ready, with guests that are no processes."""

import os
import threading
from typing import Any

import pytest

from ptc_studio.runtimes.guest_process import GuestPool, GuestProcessError
from tests.support import wait_until


class FakeGuest:
    """Remembers what was done to it."""

    def __init__(self, hello: bool = True) -> None:
        self._hello = hello
        self.alive = True
        self.ended = self.closed = False
        read, self.write_fd = os.pipe()
        os.close(read)
        self._pipe = os.fstat(self.write_fd).st_ino

    def greet(self) -> bool:
        if not self._hello:
            raise GuestProcessError("the process did not say hello")
        return True

    def dispose(self) -> None:
        self.end()
        self.close()
        os.close(self.write_fd)

    def end(self) -> int:
        self.ended = True
        return 0

    def close(self) -> None:
        self.closed = True

    @property
    def disposed(self) -> bool:
        return self.ended and self.closed and not self.open

    @property
    def open(self) -> bool:
        """Whether the number is still its own pipe's."""
        try:
            return os.fstat(self.write_fd).st_ino == self._pipe
        except OSError:
            return False


class Factory:
    """Starts guests, or raises what the test put in front."""

    def __init__(self) -> None:
        self.made: list[FakeGuest] = []
        self.threads: set[str] = set()
        self.next: list[Any] = []

    def __call__(self) -> Any:
        self.threads.add(threading.current_thread().name)
        found = self.next.pop(0) if self.next else FakeGuest()
        if isinstance(found, Exception):
            raise found
        self.made.append(found)
        return found


@pytest.fixture
def factory():
    factory = Factory()
    yield factory
    for guest in factory.made:
        if guest.open:
            os.close(guest.write_fd)


def pool_of(factory: Factory, spare: int = 1) -> GuestPool:
    return GuestPool(factory, spare)  # type: ignore[arg-type]


def test_a_guest_is_started_when_it_is_wanted_and_in_the_pools_own_thread(factory: Factory):
    pool = pool_of(factory)
    assert factory.made == []
    assert pool.checkout() is factory.made[0]
    assert factory.threads == {"ptc-guest-starter"}


def test_a_warmed_guest_is_the_one_that_is_taken(factory: Factory):
    pool = pool_of(factory)
    pool.warm()
    wait_until(lambda: len(pool.ready) == 1)
    pool.warm()
    assert pool.checkout() is factory.made[0]
    assert len(factory.made) == 1


def test_spares_are_started_again_after_a_run_and_no_more_than_are_missing(factory: Factory):
    pool = pool_of(factory, spare=2)
    pool.refill()
    wait_until(lambda: len(pool.ready) == 2)
    pool.checkout()
    pool.refill()
    wait_until(lambda: len(pool.ready) == 2)
    pool.refill()
    assert len(factory.made) == 3


def test_without_spares_nothing_is_kept(factory: Factory):
    pool = pool_of(factory, spare=0)
    pool.checkout()
    pool.refill()
    assert (pool.ready, len(factory.made)) == ((), 1)
    threads = set(threading.enumerate())
    pool_of(factory, spare=0).refill()
    assert set(threading.enumerate()) <= threads, "one was to be started"


def test_many_at_once_get_a_guest_each_also_those_whose_guest_another_took(factory: Factory):
    pool, taken = pool_of(factory), []
    threads = [threading.Thread(target=lambda: taken.append(pool.checkout()), daemon=True) for _ in range(100)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(taken) == 100)
    assert len({id(guest) for guest in taken}) == 100


def test_a_failing_start_is_raised_where_somebody_waits_and_the_next_works(factory: Factory):
    pool = pool_of(factory)
    factory.next = [OSError(24, "Too many open files")]
    with pytest.raises(OSError, match="Too many open files"):
        pool.checkout()
    assert pool.checkout() is factory.made[0]


def test_a_start_that_failed_while_nobody_waited_is_forgotten(factory: Factory):
    pool = pool_of(factory)
    factory.next = [GuestProcessError("not just now")]
    pool.warm()
    wait_until(lambda: not factory.next)
    pool.warm()
    wait_until(lambda: pool.ready)
    assert pool.checkout() is factory.made[0]


def test_a_guest_that_does_not_say_hello_is_ended_and_leaves_no_descriptor(factory: Factory):
    pool = pool_of(factory)
    factory.next = [FakeGuest(hello=False)]
    with pytest.raises(GuestProcessError, match="did not say hello"):
        pool.checkout()
    assert factory.made[0].disposed


def test_a_spare_that_died_while_it_waited_is_replaced(factory: Factory):
    pool = pool_of(factory)
    pool.warm()
    wait_until(lambda: pool.ready)
    factory.made[0].alive = False
    assert pool.checkout() is factory.made[1]
    assert factory.made[0].disposed


def test_closing_ends_those_that_nobody_took_and_only_those(factory: Factory):
    pool = pool_of(factory)
    taken = pool.checkout()
    pool.warm(2)
    wait_until(lambda: len(pool.ready) == 2)
    pool.close()
    pool.close()
    assert [guest.disposed for guest in factory.made] == [False, True, True]
    assert taken is factory.made[0]


def test_a_guest_whose_start_ends_after_closing_is_ended(factory: Factory):
    starting, go_on = threading.Event(), threading.Event()

    def start() -> Any:
        starting.set()
        go_on.wait(10)
        return factory()

    pool = GuestPool(start)
    pool.warm()
    starting.wait(10)
    pool.close()
    go_on.set()
    wait_until(lambda: factory.made and factory.made[0].disposed)


def test_who_waits_when_the_pool_is_closed_is_told_and_so_is_who_comes_later(factory: Factory):
    starting, go_on, errors = threading.Event(), threading.Event(), []

    def start() -> Any:
        starting.set()
        go_on.wait(10)
        return factory()

    pool = GuestPool(start)

    def take() -> None:
        try:
            pool.checkout()
        except GuestProcessError as error:
            errors.append(str(error))

    thread = threading.Thread(target=take)
    thread.start()
    starting.wait(10)
    pool.close()
    thread.join(10)
    take()
    go_on.set()
    assert len(errors) == 2
    assert "was closed" in errors[0]
    wait_until(lambda: factory.made and factory.made[0].disposed)
