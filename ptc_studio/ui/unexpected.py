"""The one place where unexpected errors arrive: logged, shown, and the window lives on."""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal

from ptc_studio.core.redaction import Redactor

log = logging.getLogger("ptc_studio")


class UnexpectedErrors(QObject):
    """Catches what nobody else caught, in the interpreter, its threads and the event loop.

    Signals: happened(str): one line for the user.
    """

    happened = Signal(str)

    def __init__(self, log_file: Path) -> None:
        super().__init__()
        self.log_file = log_file
        self._redactor = Redactor()
        self._restore: list[Callable[[], None]] = []

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on nothing goes unseen."""
        self._log_to_file()
        hook, thread_hook = sys.excepthook, threading.excepthook
        sys.excepthook = self._on_exception
        threading.excepthook = lambda args: self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)
        loop.set_exception_handler(self._on_loop_error)
        self._restore = [
            lambda: setattr(sys, "excepthook", hook),
            lambda: setattr(threading, "excepthook", thread_hook),
        ]

    def uninstall(self) -> None:
        for restore in self._restore:
            restore()

    def report(self, error: BaseException) -> None:
        """Logs the error and tells the user."""
        message = self._redactor.text(f"{type(error).__name__}: {error}", "error").value
        log.error("Unexpected: %s", message, exc_info=error)
        self.happened.emit(f"Something went wrong: {message} (details in {self.log_file})")

    def _on_exception(
        self, kind: type[BaseException], error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt | SystemExit):
            self.report(error or kind())

    def _on_loop_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.report(context.get("exception") or RuntimeError(context.get("message", "unknown")))

    def _log_to_file(self) -> None:
        try:
            self.log_file.parent.mkdir(parents=True, exist_ok=True)
            handler = logging.FileHandler(self.log_file, encoding="utf-8")
        except OSError:
            return
        handler.setFormatter(_RedactingFormatter(self._redactor))
        log.addHandler(handler)


class _RedactingFormatter(logging.Formatter):
    """A secret in a traceback must not reach the log either."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.text(super().format(record), "log").value
