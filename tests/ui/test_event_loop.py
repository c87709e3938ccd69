"""What the loop writes down of itself."""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from ptc_studio.ui.event_loop import LOG_BYTES, LOG_FILES, StallWatch, UnexpectedErrors
from tests.support import wait_until

log = logging.getLogger("ptc_studio")


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
