"""The guest's end of the channel, with a host that is a thread of the test."""

import asyncio
import contextlib
import json
import os
import random
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from ptc_kit.channel import Channel, ChannelClosed

from ptc_studio.core.workers import frame_of
from tests.support import wait_until

Frame = dict[str, Any]


class FakeHost:
    """Answers each call with the `value` it was given, in the order that `arrange` says, when it has nothing to read."""

    def __init__(self) -> None:
        guest_read, self._write = os.pipe()
        self._read, guest_write = os.pipe()
        self.guest_fds = guest_read, guest_write
        self.channel = Channel(guest_read, guest_write)
        self.frames: list[Frame] = []
        self.arrange: Callable[[list[Frame]], None] = lambda waiting: None
        self.silent = threading.Event()
        """While this is set, nothing is answered."""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def send(self, frame: Frame) -> None:
        self.write(json.dumps(frame).encode() + b"\n")

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._write, rest) :]

    def answer(self, call: Frame) -> None:
        self.send({"type": "result", "id": call["id"], "value": call["kwargs"]["value"]})

    def of_type(self, kind: str) -> list[Frame]:
        return [frame for frame in tuple(self.frames) if frame["type"] == kind]

    def hang_up(self) -> None:
        os.close(self._write)
        self._write = -1

    def close(self) -> None:
        self.silent.clear()
        os.close(self.guest_fds[1])
        self._thread.join(5)
        for fd in (self.guest_fds[0], self._read, self._write):
            if fd >= 0:
                os.close(fd)

    def _serve(self) -> None:
        waiting: list[Frame] = []
        rest = b""
        while True:
            if not select.select([self._read], [], [], 0.001 if waiting else None)[0]:
                if not self.silent.is_set():
                    self.arrange(waiting)
                    for call in waiting:
                        self.answer(call)
                    waiting = []
                continue
            data = os.read(self._read, 1 << 16)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            frames = [json.loads(line) for line in lines]
            self.frames += frames
            waiting += [frame for frame in frames if frame["type"] == "call"]


@pytest.fixture
def host() -> Iterator[FakeHost]:
    host = FakeHost()
    yield host
    host.close()


def call(host: FakeHost, value: Any, **options: Any) -> Any:
    return host.channel.call("echo", (), {"value": value}, 1, **options)


def call_async(host: FakeHost, value: Any) -> Any:
    return host.channel.call_async("echo", (), {"value": value}, 1)


def test_a_call_is_one_frame_that_begins_with_type_and_id_and_gives_the_value(host: FakeHost):
    assert call(host, {"a": [1, "ä"]}, timeout=2.5) == {"a": [1, "ä"]}
    (frame,) = host.frames
    assert list(frame)[:2] == ["type", "id"]
    assert {**frame, "wait": None} == {
        "type": "call",
        "id": 1,
        "wait": None,
        "tool": "echo",
        "args": [],
        "kwargs": {"value": {"a": [1, "ä"]}},
        "line": 1,
        "timeout": 2.5,
    }


def test_a_thread_that_is_alone_promises_to_wait_and_others_do_not(host: FakeHost, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    call(host, 1)
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    call(host, 2)
    asyncio.run(call_async(host, 3))
    assert [frame["wait"] for frame in host.frames] == [True, False, False]


def test_a_failure_is_raised(host: FakeHost):
    host.answer = lambda frame: host.send(  # type: ignore[method-assign]
        {"type": "failure", "id": frame["id"], "error": {"type": "KeyError", "mro": ["KeyError"], "message": "'x'"}}
    )
    with pytest.raises(KeyError):
        call(host, 1)


def test_an_error_with_the_id_of_a_call_ends_that_call(host: FakeHost):
    host.answer = lambda frame: host.send(  # type: ignore[method-assign]
        {"type": "error", "id": frame["id"], "message": "a frame has a list as 'kwargs'"}
    )
    with pytest.raises(TypeError, match="the call was not understood: a frame has a list"):
        call(host, 1)


def test_an_error_without_an_id_is_told_and_answers_to_nobody_are_ignored(
    host: FakeHost, capsys: pytest.CaptureFixture[str]
):
    host.send({"type": "error", "message": "what was that?"})
    host.send({"type": "result", "id": 99, "value": 1})
    assert call(host, 2) == 2
    assert capsys.readouterr().err == "ptc: what was that?\n"


def test_arguments_without_a_json_form_are_a_type_error_and_nothing_is_sent(host: FakeHost):
    with pytest.raises(TypeError, match="Invalid parameters for tool 'echo': a value of type 'object'"):
        call(host, object())
    assert call(host, 1) == 1
    assert len(host.frames) == 1
    assert host.channel.under_way == 0


def test_a_large_value_goes_there_and_back(host: FakeHost):
    value = "x" * 5_000_000
    assert call(host, value) == value


def test_a_host_that_is_gone_ends_the_script(host: FakeHost):
    host.hang_up()
    with pytest.raises(ChannelClosed):
        call(host, 1)


def test_a_forked_process_is_refused(host: FakeHost, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(RuntimeError, match="only from the script's own process"):
        call(host, 1)


def test_threads_get_each_its_own_answer_in_whatever_order_they_come(host: FakeHost):
    host.arrange = random.Random(5).shuffle
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda value: call(host, value), range(2000))) == list(range(2000))
    assert host.channel.under_way == 0


async def test_tasks_get_each_its_own_answer_in_whatever_order_they_come(host: FakeHost):
    host.arrange = random.Random(6).shuffle
    assert await asyncio.gather(*(call_async(host, value) for value in range(500))) == list(range(500))
    assert host.channel.under_way == 0
    assert not asyncio.get_running_loop().remove_reader(host.guest_fds[0]), "nobody waits, and the loop reads"


def test_threads_loops_and_blocking_calls_on_loops_all_at_once(host: FakeHost):
    host.arrange = random.Random(7).shuffle
    wrong: list[Any] = []

    def blocking(number: int) -> None:
        for count in range(200):
            if call(host, [number, count]) != [number, count]:
                wrong.append((number, count))

    async def tasks(number: int) -> None:
        for count in range(10):
            some = asyncio.gather(*(call_async(host, [number, count, each]) for each in range(20)))
            await asyncio.sleep(0)
            if call(host, number) != number or await some != [[number, count, each] for each in range(20)]:
                wrong.append((number, count))

    threads = [threading.Thread(target=blocking, args=(number,), daemon=True) for number in range(4)]
    threads += [threading.Thread(target=lambda n=n: asyncio.run(tasks(n)), daemon=True) for n in range(4, 8)]
    for thread in threads:
        thread.start()
    wait_until(lambda: not any(thread.is_alive() for thread in threads), 30)
    assert wrong == []
    assert host.channel.under_way == 0


async def test_a_cancelled_task_cancels_its_call_and_a_late_answer_is_ignored(host: FakeHost):
    host.silent.set()
    task = asyncio.ensure_future(call_async(host, 1))
    await asyncio.to_thread(wait_until, lambda: host.of_type("call"))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    host.silent.clear()
    assert await call_async(host, 2) == 2
    assert [frame["id"] for frame in host.of_type("cancel")] == [1]
    assert host.channel.under_way == 0


async def test_a_storm_of_cancellations_leaves_nobody_waiting(host: FakeHost):
    chance = random.Random(8)

    async def impatient(value: int) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(call_async(host, value), chance.uniform(0.0001, 0.004))

    for _ in range(20):
        await asyncio.gather(*(impatient(value) for value in range(20)))
    assert await call_async(host, 1) == 1
    assert host.channel.under_way == 0


class Interrupted(Exception):
    """What the test's signal handler raises."""


@pytest.fixture
def interrupt() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Has this thread interrupted by a signal as soon as a function has returned in another thread."""

    def interrupted(*_args: Any) -> None:
        raise Interrupted

    def after(prepare: Callable[[], None]) -> None:
        here = threading.get_ident()
        work = lambda: (prepare(), signal.pthread_kill(here, signal.SIGUSR1))  # noqa: E731
        threading.Thread(target=work, daemon=True).start()

    before = signal.signal(signal.SIGUSR1, interrupted)
    yield after
    signal.signal(signal.SIGUSR1, before)


def waiting(thread: int) -> bool:
    """Whether the thread is in a call itself, and so waits for its answer, as all was sent."""
    frame = frame_of(thread)
    return frame is not None and frame.f_code is Channel.call.__code__


def test_a_reader_that_a_signal_interrupts_leaves_the_reading_to_the_others(
    host: FakeHost, interrupt: Callable[[Callable[[], None]], None]
):
    host.silent.set()
    answers: list[int] = []
    other = threading.Thread(target=lambda: answers.append(call(host, 2)), daemon=True)

    def join_the_reader() -> None:
        wait_until(lambda: host.channel.is_read)
        other.start()
        wait_until(lambda: len(host.of_type("call")) == 2)

    interrupt(join_the_reader)
    with pytest.raises(Interrupted):
        call(host, 1)
    host.silent.clear()
    wait_until(lambda: answers == [2])
    wait_until(lambda: [frame["id"] for frame in host.of_type("cancel")] == [1])


def test_one_who_waits_behind_a_reader_and_is_interrupted_is_not_relied_upon_to_read(
    host: FakeHost, interrupt: Callable[[Callable[[], None]], None]
):
    host.silent.set()
    answers: list[int] = []
    reader = threading.Thread(target=lambda: answers.append(call(host, 1)), daemon=True)
    reader.start()
    wait_until(lambda: host.channel.is_read)
    here = threading.get_ident()
    interrupt(lambda: wait_until(lambda: len(host.of_type("call")) == 2 and waiting(here)))
    with pytest.raises(Interrupted):
        call(host, 2)
    # The reader goes when it has its answer, and must leave the reading to this one.
    last = threading.Thread(target=lambda: answers.append(call(host, 3)), daemon=True)
    last.start()
    wait_until(lambda: len(host.of_type("call")) == 3)
    first, _, third = host.of_type("call")
    FakeHost.answer(host, first)
    wait_until(lambda: answers == [1])
    FakeHost.answer(host, third)
    wait_until(lambda: answers == [1, 3])


def test_a_frame_is_received_whole_however_it_comes(host: FakeHost):
    def trickle() -> None:
        for piece in (b'{"type": "sta', b'rt"', b', "n": 1}', b'\n{"type": "next"}\n'):
            host.write(piece)
            time.sleep(0.001)

    thread = threading.Thread(target=trickle)
    thread.start()
    assert host.channel.readable(5)
    assert [host.channel.receive(), host.channel.receive()] == [{"type": "start", "n": 1}, {"type": "next"}]
    thread.join()
    assert not host.channel.readable(0)
