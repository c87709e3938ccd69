"""A guest that misbehaves harms nobody but itself."""

import os
import random
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ptc_studio.core import codec
from ptc_studio.core.calls import MOST_WAITING
from ptc_studio.core.run import Limits, Run
from ptc_studio.core.scripts import Job, Script
from ptc_studio.gateway.frames import FrameReader, FrameWriter
from ptc_studio.gateway.guest_connection import GuestConnection
from tests.support import Engine, wait_until


class FakeGuest:
    """The other end of the channel, in this process."""

    def __init__(self, engine: Engine, **limits: Any) -> None:
        guest_read, host_write = os.pipe()
        host_read, guest_write = os.pipe()
        self._fds = [guest_read, host_read, guest_write]
        self._write = guest_write
        self._reader = FrameReader(guest_read)
        self.ended = threading.Event()
        self.run = Run("r1", limits=Limits(**limits))
        job = Job(Script(""), self.run, engine.executor, (), lambda _stream, _text: None)
        self._writer = FrameWriter(host_write, engine.executor.workers.submit)
        self.service = GuestConnection(job, FrameReader(host_read), self._writer, self.ended.set)
        self._thread = threading.Thread(target=self.service.serve)
        self._thread.start()

    def send(self, *lines: bytes) -> None:
        data = b"".join(line + b"\n" for line in lines)
        while data:
            data = data[os.write(self._write, data) :]

    def call(self, call_id: int, tool: str = "add", **fields: Any) -> None:
        self.send(codec.encode({"type": "call", "id": call_id, "tool": tool, "kwargs": {"a": 1, "b": 2}, **fields}))

    def receive(self) -> dict[str, Any]:
        frame = self._reader.read()
        assert frame is not None
        return frame

    def close(self) -> None:
        os.close(self._write)
        self._fds.remove(self._write)
        self._thread.join(10)
        assert self.ended.wait(10)
        self._writer.close()
        for fd in self._fds:
            os.close(fd)


@pytest.fixture
def guest(engine: Engine) -> Iterator[FakeGuest]:
    engine.add(lambda a, b: a + b, name="add")
    guest = FakeGuest(engine)
    yield guest
    guest.close()


def test_calls_are_answered_by_their_ids_with_and_without_waiting(guest: FakeGuest):
    guest.call(7, wait=True)
    assert guest.receive() == {"type": "result", "id": 7, "value": 3}
    guest.call(8)
    guest.call(9)
    assert {guest.receive()["id"], guest.receive()["id"]} == {8, 9}


def test_a_failure_carries_type_mro_message_args_and_traceback(guest: FakeGuest, engine: Engine):
    class Odd(KeyError):
        pass

    def fail():
        raise Odd("x")

    engine.add(fail)
    guest.call(1, "fail", kwargs={})
    error = guest.receive()["error"]
    assert (error["type"], error["args"], error["message"]) == ("Odd", ["x"], "'x'")
    assert error["mro"][1:] == ["KeyError", "LookupError", "Exception"]
    assert error["mro"][0].endswith(".Odd")
    assert "in fail" in error["traceback"]


MALFORMED = [
    {"type": "call"},
    {"type": "call", "id": "1", "tool": "add"},
    {"type": "call", "id": True, "tool": "add"},
    {"type": "call", "id": 0, "tool": "add"},
    {"type": "call", "id": -1, "tool": "add"},
    {"type": "call", "id": 1, "tool": 5},
    {"type": "call", "id": 1, "tool": "add", "args": {}},
    {"type": "call", "id": 1, "tool": "add", "kwargs": []},
    {"type": "call", "id": 1, "tool": "add", "line": "x"},
    {"type": "call", "id": 1, "tool": "add", "timeout": "soon"},
    {"type": "call", "id": 1, "tool": "add", "timeout": -1},
    {"type": "cancel"},
    {"type": "position", "line": "x"},
    {"type": "done", "code": "x"},
    {"type": "done", "error": "x"},
    {"type": "done", "error": {"type": 1}},
    {"type": "nonsense"},
    {"type": ["call"]},
    {"type": None},
    {},
]


@pytest.mark.parametrize("frame", MALFORMED, ids=repr)
def test_a_malformed_frame_is_answered_with_an_error(guest: FakeGuest, frame: dict[str, Any]):
    guest.send(codec.encode(frame))
    assert guest.receive()["type"] == "error"
    guest.call(1)
    assert guest.receive() == {"type": "result", "id": 1, "value": 3}


def test_a_call_that_cannot_be_read_fails_rather_than_being_waited_for(guest: FakeGuest):
    # Deeper than any Python reads: newer ones read ten thousand.
    guest.send(b'{"type":"call","id":4,"wait":true,"tool":"add","args":[' + b"[" * 100_000 + b"]" * 100_000 + b"]}")
    answer = guest.receive()
    assert (answer["type"], answer["id"], answer["error"]["type"]) == ("failure", 4, "ValueError")


def test_two_thousand_malformed_frames_get_an_error_each_and_the_channel_goes_on(guest: FakeGuest):
    chance = random.Random(7)
    lines = [_malformed(chance) for _ in range(2000)]
    # All of them before any answer is read: the host must not wait for the guest.
    guest.send(*lines)
    errors = [guest.receive() for _ in lines]
    assert {error["type"] for error in errors} <= {"error", "failure"}
    guest.call(1)
    assert guest.receive() == {"type": "result", "id": 1, "value": 3}


def _malformed(chance: random.Random) -> bytes:
    kind = chance.randrange(3)
    if kind == 0:
        return (
            bytes(chance.choice(range(1, 256)) for _ in range(chance.randrange(60)))
            .replace(b"\n", b"")
            .join((b"~", b""))
        )
    if kind == 1:
        whole = codec.encode({"type": "call", "id": 1, "tool": "add", "kwargs": {"a": [1, "x"], "b": None}})
        return whole[: chance.randrange(len(whole) - 1)]
    return codec.encode(chance.choice(MALFORMED))


def test_an_id_in_use_is_refused(guest: FakeGuest, engine: Engine):
    release = threading.Event()
    engine.add(lambda: release.wait(10), name="slow")
    guest.call(1, "slow", kwargs={})
    guest.call(1, "slow", kwargs={})
    assert guest.receive() == {"type": "error", "message": "the call id 1 is in use"}
    release.set()
    assert guest.receive()["value"] is True


def test_a_depth_that_a_guest_claims_is_ignored(guest: FakeGuest, engine: Engine):
    guest.call(1, depth=0, parent_id="c9", nesting_depth=4)
    guest.receive()
    assert engine.records()[0]["depth"] == 1


def test_when_a_waiting_call_times_out_another_thread_reads_on(guest: FakeGuest, engine: Engine):
    release = threading.Event()
    engine.add(lambda: release.wait(10), name="slow")
    guest.call(1, "slow", kwargs={}, wait=True, timeout=0.1)
    assert guest.receive()["error"]["type"] == "TimeoutError"
    guest.call(2, wait=True)
    assert guest.receive() == {"type": "result", "id": 2, "value": 3}
    release.set()
    guest.call(3, wait=True)
    assert guest.receive()["id"] == 3


def test_a_result_that_is_too_large_for_a_frame_is_an_error(
    guest: FakeGuest, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("ptc_studio.gateway.guest_connection.FRAME_BYTES", 1000)
    engine.add(lambda: "x" * 2000, name="large")
    guest.call(1, "large", kwargs={})
    assert "more than a script can be sent" in guest.receive()["error"]["message"]


def test_a_cancelled_call_is_given_up(guest: FakeGuest, engine: Engine):
    started, stopped = threading.Event(), threading.Event()

    def slow(ticket):
        ticket.on_abandon(stopped.set)
        started.set()
        stopped.wait(10)

    engine.add(slow)
    guest.call(1, "slow", kwargs={})
    started.wait(10)
    guest.send(b'{"type": "cancel", "id": 1}', b'{"type": "cancel", "id": 55}')
    assert stopped.wait(10)


def test_a_timeout_that_meets_the_end_of_a_waiting_call_never_has_two_threads_read(guest: FakeGuest, engine: Engine):
    # The call times out between the tool's return and the next read. Two readers would tear what comes in pieces.
    engine.add(lambda text: len(text), name="size")
    engine.add(lambda seconds: time.sleep(seconds), name="nap")
    chance, text = random.Random(1), "x" * 1_000_000
    for number in range(1, 120, 2):
        guest.call(number, "nap", kwargs={"seconds": 0.005}, wait=True, timeout=0.005 + chance.uniform(-0.0005, 0.001))
        guest.receive()
        guest.call(number + 1, "size", kwargs={"text": text})
        assert guest.receive() == {"type": "result", "id": number + 1, "value": 1_000_000}


def test_another_thread_reads_on_when_the_guest_is_gone_while_its_call_is_under_way(guest: FakeGuest, engine: Engine):
    started, release = threading.Event(), threading.Event()
    engine.add(lambda: started.set() or release.wait(10), name="slow")
    guest.service.read_on()
    guest.call(1, "slow", kwargs={}, wait=True)
    started.wait(10)
    guest.service.read_on()
    guest.call(2)
    assert guest.receive() == {"type": "result", "id": 2, "value": 3}
    release.set()
    assert guest.receive() == {"type": "result", "id": 1, "value": True}


def test_a_malformed_call_is_an_error_with_its_id_so_that_nobody_waits_for_it(guest: FakeGuest):
    guest.call(5, kwargs=[1])
    assert guest.receive() == {"type": "error", "id": 5, "message": "a frame has a list as 'kwargs'"}
    guest.call(6, timeout=0)
    assert guest.receive()["id"] == 6


def test_half_a_surrogate_pair_reaches_the_tool(guest: FakeGuest, engine: Engine):
    given: list[str] = []
    engine.add(lambda text: given.append(text), name="take")
    guest.send(b'{"type":"call","id":1,"tool":"take","kwargs":{"text":"a\\ud800"}}')
    assert guest.receive()["value"] is None
    assert given == ["a\ud800"]
    assert codec.encode(engine.records()[0])


def test_a_done_frame_whose_value_cannot_be_shown_is_taken_all_the_same(guest: FakeGuest):
    guest.send(b'{"type":"done","code":0,"value":{"a":["\\ud800"]}}')
    assert guest.ended.wait(10)
    assert guest.service.report.done is not None
    assert codec.encode(guest.service.report.done)


def test_an_exception_that_cannot_be_sent_is_a_failure_all_the_same(guest: FakeGuest, engine: Engine):
    def fail():
        error = ValueError("x")
        error.__notes__ = 5  # type: ignore[assignment]
        raise error

    engine.add(fail)
    guest.call(1, "fail", kwargs={})
    answer = guest.receive()
    assert (answer["type"], answer["id"]) == ("failure", 1)


def test_calls_that_wait_their_turn_when_the_run_is_stopped_are_recorded_and_not_performed(engine: Engine):
    ran, release = [], threading.Event()
    engine.add(lambda: ran.append(1) or release.wait(10), name="mail")
    guest = FakeGuest(engine, concurrent_calls=2)
    for number in range(1, 21):
        guest.call(number, "mail", kwargs={})
    wait_until(lambda: len(ran) == 2 and len(guest.run.active) == 20)
    guest.run.stop("cancelled")
    release.set()
    assert {guest.receive()["type"] for _ in range(20)} == {"failure"}
    guest.close()
    assert [record["status"] for record in engine.records()] == ["cancelled"] * 20
    assert len(ran) == 2


def test_a_survived_announcement_of_an_end_is_forgotten_with_the_next_call(guest: FakeGuest):
    guest.send(b'{"type":"position","line":3,"message":"the script sent itself SIGUSR1"}')
    guest.call(1, line=9)
    guest.receive()
    assert (guest.service.report.position, guest.service.report.last_line) == (None, 9)


def test_a_guest_that_makes_calls_without_end_waits_when_enough_of_them_do(guest: FakeGuest, engine: Engine):
    release = threading.Event()
    engine.add(lambda: release.wait(30), name="slow")
    flood = [b'{"type":"call","id":%d,"tool":"slow"}' % number for number in range(1, 20_001)]
    sender = threading.Thread(target=lambda: guest.send(*flood), daemon=True)
    sender.start()
    concurrent = guest.run.limits.concurrent_calls
    wait_until(lambda: len(guest.run.active) == MOST_WAITING + concurrent, seconds=30)
    # What was stopped is given up in no time, and what is left in the pipe is no call any longer.
    guest.run.stop("timeout")
    release.set()
    sender.join(30)
    wait_until(lambda: not guest.run.busy, seconds=30)
    assert len(engine.records()) == MOST_WAITING + concurrent


def test_a_guest_that_waits_for_room_goes_on_as_soon_as_there_is_some(guest: FakeGuest, engine: Engine):
    count = MOST_WAITING + 1_000
    engine.add(lambda: 1, name="quick")
    guest.send(*(b'{"type":"call","id":%d,"tool":"quick"}' % number for number in range(1, count + 1)))
    assert {guest.receive()["id"] for _ in range(count)} == set(range(1, count + 1))


def test_a_guest_that_is_gone_while_it_waits_for_room_is_read_to_its_end(guest: FakeGuest, engine: Engine):
    release = threading.Event()
    engine.add(lambda: release.wait(30), name="slow")
    count = MOST_WAITING + guest.run.limits.concurrent_calls + 100
    guest.send(*(b'{"type":"call","id":%d,"tool":"slow"}' % number for number in range(1, count + 1)))
    guest.send(b'{"type": "done", "code": 0}')
    guest.service.read_on()
    assert guest.ended.wait(30)
    release.set()
