"""What all tests share."""

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator

import pytest

from tests.support import Engine

# Whoever starts the tests in the background has them ignore this signal, and so would every program that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What the tests run is none of the past runs of whoever starts them.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="ptc-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)


@pytest.fixture
def engine() -> Engine:
    """A registry and an executor with whatever tools a test gives it."""
    return Engine()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Where skips are forbidden, a skipped test has failed."""
    report = yield
    if report.skipped and os.environ.get("PTC_FORBID_SKIPS"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and skips are forbidden here: {report.longrepr}"
    return report
