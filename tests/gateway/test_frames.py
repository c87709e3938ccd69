"""Lines in, lines out."""

import os
import threading
import time

import pytest

from ptc_studio.gateway import frames
from ptc_studio.gateway.frames import FRAME_COST, FrameError, FrameReader, FrameWriter


@pytest.fixture
def pipe():
    read, write = os.pipe()
    yield read, write
    for fd in (read, write):
        try:
            os.close(fd)
        except OSError:
            pass


def test_frames_that_come_in_pieces_are_put_together(pipe):
    read, write = pipe
    reader = FrameReader(read)
    os.write(write, b'{"a": ')
    threading.Timer(0.02, os.write, (write, b'1}\n{"b": 2}\n')).start()
    assert [reader.read(), reader.read()] == [{"a": 1}, {"b": 2}]
    os.close(write)
    assert reader.read() is None


@pytest.mark.parametrize("line", [b"", b"nonsense", b"[1]", b"1", b'"text"', b"{", b"\xff\xfe", b'{"a": }', b"null"])
def test_a_line_that_is_no_frame_is_an_error_and_the_next_is_read(pipe, line: bytes):
    read, write = pipe
    reader = FrameReader(read)
    os.write(write, line + b'\n{"type": "x"}\n')
    with pytest.raises(FrameError):
        reader.read()
    assert reader.read() == {"type": "x"}


def test_a_line_that_is_too_long_is_an_error_and_the_next_is_read(pipe):
    read, write = pipe
    reader = FrameReader(read, limit=1000)
    thread = threading.Thread(target=lambda: os.write(write, b"x" * 300_000 + b'\n{"a": 1}\n'))
    thread.start()
    with pytest.raises(FrameError, match="longer than 1000"):
        reader.read()
    assert reader.read() == {"a": 1}
    thread.join()


def test_a_call_that_is_too_long_is_known_by_its_id(pipe):
    read, write = pipe
    reader = FrameReader(read, limit=1000)
    line = b'{"type":"call","id":12,"kwargs":"' + b"x" * 300_000 + b'"}\n'
    thread = threading.Thread(target=lambda: os.write(write, line + b'{"a": 1}\n'))
    thread.start()
    with pytest.raises(FrameError, match="longer than 1000") as caught:
        reader.read()
    assert caught.value.call_id == 12
    assert reader.read() == {"a": 1}
    thread.join()


def test_frames_that_come_late_again_and_again_are_waited_for_asleep(pipe, monkeypatch):
    looks, there = [], []

    class Poll:
        register = lambda *_: None  # noqa: E731 - as `select.poll` has it
        poll = lambda *_: looks.append(1) or list(there)  # noqa: E731 - says what the test says

    monkeypatch.setattr(frames.select, "poll", Poll)
    monkeypatch.setattr(frames, "SPIN_SECONDS", 1e-9)
    read, write = pipe
    reader = FrameReader(read)

    def looked(count: int) -> int:
        looks.clear()
        for _ in range(count):
            os.write(write, b'{"type":"x"}\n')
            assert reader.read() == {"type": "x"}
        return len(looks)

    # Now and then it is tried again, each time twice: Python's clock may stand still for a moment.
    assert looked(640) <= 2 * (7 + 640 // frames.MOST_UNSPUN)
    there.append((read, 1))
    assert looked(frames.MOST_UNSPUN + 10) >= 10, "the guest is quick again"
    assert looked(50) == 50


def test_a_guest_that_does_not_read_does_not_hold_up_the_writer(pipe):
    read, write = pipe
    writer = FrameWriter(write, lambda work: threading.Thread(target=work, daemon=True).start())
    frames = [b"%d" % i + b"x" * 1000 + b"\n" for i in range(500)]
    for frame in frames:
        writer.write(frame)
    received = b""
    while len(received) < sum(map(len, frames)):
        received += os.read(read, 65536)
    assert received == b"".join(frames)
    writer.close()


def test_writing_to_a_guest_that_is_gone_is_no_error(pipe):
    read, write = pipe
    os.close(read)
    writer = FrameWriter(write, lambda work: work())
    writer.write(b"x\n")
    writer.close()
    writer.write(b"y\n")
    assert writer.backlog_bytes == 0


def test_what_waits_for_a_guest_that_does_not_read_is_counted_not_summed_up(pipe, monkeypatch):
    """A quarter of a million frames: to sum up the backlog for each would take minutes."""
    _, write = pipe
    monkeypatch.setattr("ptc_studio.gateway.frames.BACKLOG_BYTES", 200_000 * (3 + FRAME_COST))
    writer = FrameWriter(write, lambda _work: None)
    begun = time.monotonic()
    for _ in range(250_000):
        writer.write(b"{}\n")
    assert time.monotonic() - begun < 20
    # The first that is too much is still taken, and a part of one is in the pipe.
    assert 200_000 < writer.backlog_bytes / (3 + FRAME_COST) <= 200_001


def test_what_a_guest_read_late_is_no_longer_counted(pipe):
    read, write = pipe
    drains = []
    writer = FrameWriter(write, drains.append)
    for _ in range(100):
        writer.write(b"x" * 9_999 + b"\n")
    thread = threading.Thread(target=drains[0])
    thread.start()
    left = 1_000_000
    while left:
        left -= len(os.read(read, 1 << 16))
    thread.join(10)
    assert writer.backlog_bytes == 0


def test_that_frames_are_dropped_is_told_once(pipe, monkeypatch, caplog):
    _, write = pipe
    monkeypatch.setattr("ptc_studio.gateway.frames.BACKLOG_BYTES", 1_000)
    writer = FrameWriter(write, lambda _work: None)
    for _ in range(50):
        writer.write(b"x" * 20_000)
    assert len([entry for entry in caplog.records if "does not read" in entry.message]) == 1
