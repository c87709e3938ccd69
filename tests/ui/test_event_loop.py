"""What the loop writes down of itself."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from ptc_studio.ui.event_loop import LOG_BYTES, LOG_FILES, StallWatch, UnexpectedErrors
from ptc_studio.ui.qt_loop import TURN_SECONDS, WindowLoop
from tests.support import wait_until

log = logging.getLogger("ptc_studio")


async def wait_for(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


async def test_a_stall_of_the_loop_is_written_down_with_where_it_was_and_how_long(caplog: pytest.LogCaptureFixture):
    def work_that_takes_too_long() -> None:
        time.sleep(0.5)

    watch = StallWatch(asyncio.get_running_loop(), seconds=0.1)
    try:
        await asyncio.sleep(0.3)
        assert "has not answered" not in caplog.text
        work_that_takes_too_long()
        await asyncio.sleep(0.1)
        wait_until(lambda: "goes on after" in caplog.text)
    finally:
        watch.stop()
    assert "in work_that_takes_too_long\n    time.sleep(0.5)" in caplog.text
    assert caplog.text.count("has not answered") == 1


async def test_the_log_rotates(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    errors = UnexpectedErrors(tmp_path / "log.txt")
    errors.install(asyncio.get_running_loop())
    before = list(log.handlers)
    for _ in range(50):
        log.warning("x" * 100_000)
    errors.uninstall()
    assert len(log.handlers) < len(before)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 1 + LOG_FILES
    assert all(file.stat().st_size <= LOG_BYTES for file in files)


async def test_steps_and_timers_come_in_their_order_from_any_thread():
    loop = asyncio.get_running_loop()
    seen: list[object] = []
    loop.call_later(0.03, seen.append, "late")
    loop.call_later(0.01, seen.append, "soon")
    loop.call_later(0.02, seen.append, "never").cancel()
    for number in range(3):
        loop.call_soon(seen.append, number)
    loop.call_soon(seen.append, "no").cancel()
    await asyncio.to_thread(loop.call_soon_threadsafe, seen.append, "from a thread")
    await wait_for(lambda: "late" in seen)
    # When a thread comes to its turn is nobody's to say.
    seen.remove("from a thread")
    assert seen == [0, 1, 2, "soon", "late"]


async def test_cancelled_timers_are_not_kept_until_their_time():
    loop = asyncio.get_running_loop()
    assert isinstance(loop, WindowLoop)
    for _ in range(10_000):
        loop.call_later(3_600, print).cancel()
    assert loop.timers < 200


async def test_a_loop_of_qts_within_a_step_goes_on_with_the_others():
    loop, seen = asyncio.get_running_loop(), list[str]()
    inner = QEventLoop()

    def end() -> None:
        seen.append("from a thread")
        inner.quit()

    thread = threading.Timer(0.02, lambda: loop.call_soon_threadsafe(end))
    loop.call_soon(thread.start)
    loop.call_soon(inner.exec)
    loop.call_soon(seen.append, "after it")
    await wait_for(lambda: "from a thread" in seen)
    assert seen == ["after it", "from a thread"]


async def test_qt_has_its_turn_while_there_is_much_to_do():
    loop, turns = asyncio.get_running_loop(), list[int]()
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: turns.append(1))
    timer.start()
    for _ in range(50):
        loop.call_soon(time.sleep, TURN_SECONDS)
    done = asyncio.Event()
    loop.call_soon(done.set)
    await done.wait()
    timer.stop()
    assert len(turns) >= 25


async def test_a_closed_loop_says_so_to_other_threads(qapp: QApplication):
    other = WindowLoop(qapp)
    other.close()
    with pytest.raises(RuntimeError, match="closed"):
        other.call_soon_threadsafe(print)
