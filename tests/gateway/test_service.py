"""A guest that misbehaves harms nobody but itself."""

import os
import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ptc_studio.core import codec
from ptc_studio.core.runs import Run
from ptc_studio.core.scripts import Job, Script
from ptc_studio.gateway.frames import FrameReader, FrameWriter
from ptc_studio.gateway.service import Service
from tests.support import Engine


class FakeGuest:
    """The other end of the channel, in this process."""

    def __init__(self, engine: Engine) -> None:
        guest_read, host_write = os.pipe()
        host_read, guest_write = os.pipe()
        self._fds = [guest_read, host_read, guest_write]
        self._write = guest_write
        self._reader = FrameReader(guest_read)
        self.ended = threading.Event()
        job = Job(Script(""), Run("r1"), engine.executor, (), lambda _stream, _text: None)
        self._writer = FrameWriter(host_write, engine.executor.workers.submit)
        self.service = Service(job, FrameReader(host_read), self._writer, self.ended.set)
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
        self._thread.join(5)
        assert self.ended.wait(5)
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
    guest.send(b'{"type":"call","id":4,"wait":true,"tool":"add","args":[' + b"[" * 5000 + b"]" * 5000 + b"]}")
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
    monkeypatch.setattr("ptc_studio.gateway.service.FRAME_BYTES", 1000)
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
    started.wait(5)
    guest.send(b'{"type": "cancel", "id": 1}', b'{"type": "cancel", "id": 55}')
    assert stopped.wait(5)
