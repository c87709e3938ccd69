"""Makes the guest's process one that leaves nothing behind and says where it was when it ended suddenly."""

import atexit
import contextlib
import faulthandler
import functools
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from ptc_kit import plain

POSITION_SIGNAL = getattr(signal, "SIGUSR2", None)
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
exit_now = os._exit


def prepare(fds: tuple[int, int, int]) -> None:
    """Before anything of the script's is there."""
    for fd in fds:
        if fd >= 0:
            os.set_inheritable(fd, False)
    if fds[2] >= 0:
        _report_faults(fds[2])
    if sys.platform == "linux":
        _bind_to_family()


def report_sudden_ends(channel: Any, filename: "Callable[[], str]") -> None:
    """Tells the host the line of the script that ends its own process without an exception."""

    def tell(message: str) -> None:
        frame, script = sys._getframe(2), filename()
        while frame is not None and frame.f_code.co_filename != script:
            frame = frame.f_back
        if frame is not None:
            channel.send(plain.encode({"type": "position", "line": frame.f_lineno, "message": message}))

    own = os.getpid()

    def announced(function: Any, message: Any, concerns_us: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            if own == os.getpid() and concerns_us(*args, *kwargs.values()):
                tell(message(*args, *kwargs.values()))
            return function(*args, **kwargs)

        return functools.wraps(function)(call)

    # Wrapped rather than watched with an audit hook, which would cost every tool call several microseconds.
    os._exit = announced(os._exit, lambda code: f"the script called os._exit({code})", lambda _code: True)
    os.kill = announced(os.kill, _signal_message, lambda pid, _number: pid in (0, own, -own))
    signal.raise_signal = announced(signal.raise_signal, lambda n: _signal_message(own, n), lambda _number: True)
    if hasattr(os, "killpg"):
        os.killpg = announced(os.killpg, _signal_message, lambda group, _number: group in (0, own))


def _signal_message(_pid: int, number: int) -> str:
    return f"the script sent itself {getattr(number, 'name', f'signal {number}')}"


def run_exit_handlers() -> None:
    """What the script registered with `atexit`, and the last of its output."""
    atexit._run_exitfuncs()
    flush_output()


def flush_output() -> None:
    """Has everything written that the script has printed."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()


def _report_faults(fd: int) -> None:
    """A crash in C code writes its traceback there, and so does the script when the host asks where it is."""
    faulthandler.enable(file=fd, all_threads=True)
    if POSITION_SIGNAL is not None:
        faulthandler.register(POSITION_SIGNAL, file=fd, all_threads=True, chain=False)


def _bind_to_family() -> None:
    """The process dies with its parent, and adopts the orphans of its children, so that the host finds them all."""
    with contextlib.suppress(ImportError, OSError, AttributeError):
        import ctypes

        libc = ctypes.CDLL(None)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
