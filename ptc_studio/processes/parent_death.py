"""How a worker process and all that it started come to an end. What only POSIX has is here, with a plain fallback."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """In the worker: the kernel kills it when the thread that started it ends, even while a tool is stuck in C."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def end_own_group() -> None:
    """In the worker: ends it at once, with the processes that its tools started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """In the host: ends the worker and the processes that its tools started."""
    if hasattr(os, "killpg"):
        # Also when the worker itself is gone: its group lives on with its children.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def ending(return_code: int) -> str:
    """How a process ended, in words."""
    if return_code >= 0:
        return f"exit code {return_code}"
    try:
        return f"killed by {signal.Signals(-return_code).name}"
    except ValueError:
        return f"killed by signal {-return_code}"
