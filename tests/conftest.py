"""What all tests share."""

import atexit
import errno
import faulthandler
import gc
import os
import platform
import shutil
import signal
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import PurePath

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from hypothesis import settings

from ptc_studio.runtimes.catalog import UnknownRuntime
from tests.support import Engine

# Whoever starts the tests in the background has them ignore this signal, and so would every program that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# What the tests run is none of the past runs of whoever starts them.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="ptc-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    """A crash is told with the thread that crashed: of all threads Python tells the newest hundred, and that is an old one."""
    faulthandler.enable(session.config.stash[fault_handler_stderr_fd_key], all_threads=False)


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: the collector need not go through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def engine() -> Engine:
    """A registry and an executor with whatever tools a test gives it."""
    return Engine()


def lack_of_the_machine(error: BaseException) -> str:
    """What is missing here, if that is why a test failed; empty if it is not."""
    if isinstance(error, UnknownRuntime) and "is not available" in str(error):
        return str(error)
    if isinstance(error, FileNotFoundError) and _came_from(error) == "subprocess.py":
        return f"there is no program {error.filename!r}"
    if isinstance(error, OSError | ImportError) and "cannot open shared object file" in str(error):
        return str(error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EMFILE, errno.ENFILE):
        return str(error.strerror)
    return ""


def _came_from(error: BaseException) -> str:
    """The name of the file that raised it."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return PurePath(frames[-1].f_code.co_filename).name if frames else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What is worth knowing of the machine where something failed, in one line."""
    if terminalreporter.stats.get("failed") or terminalreporter.stats.get("error"):
        names = ("LANG", "LC_ALL", "TZ", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY")
        told = [f"{name}={os.environ[name]}" for name in names if name in os.environ]
        user = f"user {os.getuid()}" if hasattr(os, "getuid") else ""
        terminalreporter.write_line(
            f"machine: {platform.platform()}, Python {platform.python_version()}, {user}, {os.cpu_count()} processors, "
            + ", ".join(told)
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Iterator[None]:
    """Where skips are forbidden, a skipped test has failed. What the machine lacks is said in one line."""
    report = yield
    if report.failed and call.excinfo is not None and (lack := lack_of_the_machine(call.excinfo.value)):
        report.longrepr = f"cannot pass on this machine: {lack}"
    if report.skipped and os.environ.get("PTC_FORBID_SKIPS"):
        report.outcome = "failed"
        report.longrepr = f"was skipped, and skips are forbidden here: {report.longrepr}"
    return report
