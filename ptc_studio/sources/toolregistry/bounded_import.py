"""Lets a user's module take its time, but not for ever."""

import ctypes
import threading
from collections.abc import Callable
from typing import Any

from ptc_studio.sources.source import SourceFailed


class ImportTakesTooLong(BaseException):
    """Raised in the thread that imports, so that it ends if it can."""


class BoundedImport:
    """Has the work done in a thread of its own, one at a time."""

    def __init__(self, what: str, seconds: float) -> None:
        self._what = what
        self._seconds = seconds
        self._thread: threading.Thread | None = None

    def run(self, work: Callable[[], Any]) -> Any:
        """What the work gives or raises; raises SourceFailed when it takes too long."""
        if self._thread is not None and self._thread.is_alive():
            raise SourceFailed(f"{self._what} is still being imported: end what it waits for, or restart the studio.")
        outcome: list[tuple[bool, Any]] = []

        def do() -> None:
            try:
                outcome.append((True, work()))
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                outcome.append((False, error))

        thread = self._thread = threading.Thread(target=do, name="ptc-import", daemon=True)
        thread.start()
        thread.join(self._seconds)
        if not outcome:
            _interrupt(thread)
            raise SourceFailed(
                f"{self._what} was not imported within {self._seconds:g} s: "
                "move what takes long out of the module's top level, or raise `start_timeout`."
            )
        good, value = outcome[0]
        if good:
            return value
        raise value


def _interrupt(thread: threading.Thread) -> None:
    """Others may wait for the import's lock. Works on Python code; what waits in the system ends when it returns."""
    if thread.ident is not None and thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(ImportTakesTooLong))
