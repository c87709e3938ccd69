"""Slow work of the editor in a thread, with the answer brought back to the window's thread."""

import logging
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from threading import Lock
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from ptc_studio.core.workers import SerialWorker
from ptc_studio.ui.language.python_completion import PythonCompletion
from ptc_studio.ui.language.target_problems import ScriptTypes

log = logging.getLogger(__name__)
Job = Callable[[], None]


class Background:
    """Runs jobs one after the other in a thread of its own, which starts with the first job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._worker = SerialWorker(name)
        self._waiting: dict[Hashable, Job] = {}
        self._lock = Lock()
        self._closed = False
        self._last: Future[None] | None = None

    def submit(self, key: Hashable, job: Job) -> None:
        """Queues the job; one that waits under the same key is dropped for it."""
        with self._lock:
            if not self._closed:
                self._waiting.pop(key, None)
                self._waiting[key] = job
                self._last = self._worker.submit(self._do_next)

    def wait(self, seconds: float) -> bool:
        """Whether all work was done within that time."""
        return self._last is None or bool(wait([self._last], seconds).done)

    def close(self, seconds: float = 0.0) -> None:
        """Drops what waits, and gives the job under way that long to end."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
        self._worker.close()
        self.wait(seconds)

    def _do_next(self) -> None:
        with self._lock:
            if not self._waiting:
                return
            job = self._waiting.pop(next(iter(self._waiting)))
        try:
            job()
        except Exception:
            log.exception("work in %s failed", self._name)


Answer = Callable[[Any], None]


class BackgroundWorker(QObject):
    """A thread whose answers arrive as calls in the thread of the window.

    Signals: _answered: for itself, to change threads.
    """

    _answered = Signal(object, object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background = Background(name)
        self._answered.connect(self._on_answered)
        self.destroyed.connect(lambda: background.close())

    def run(self, owner: QObject, job: Callable[[], Any], then: Answer, key: Hashable = None) -> None:
        """Does the job, then hands its answer over if the owner is still there; newer work replaces waiting one."""

        def work() -> None:
            answer = job()
            if isValid(self):
                self._answered.emit(owner, then, answer)

        self._background.submit((id(owner), key), work)

    def wait(self, seconds: float) -> bool:
        """Whether all work was done within that time; blocks, so only for the end of the program and for tests."""
        return self._background.wait(seconds)

    def close(self, seconds: float = 0.0) -> None:
        """Ends the thread."""
        self._background.close(seconds)

    def _on_answered(self, owner: QObject, then: Answer, answer: object) -> None:
        if isValid(owner):
            then(answer)


class CompletionWorker(BackgroundWorker):
    """One question at a time, all to one process, which ends with it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("completion", parent)
        self.python = python = PythonCompletion()
        self.destroyed.connect(lambda: python.close())

    def close(self, seconds: float = 0.0) -> None:
        """Ends the process, and the thread with what it waits for."""
        self.python.close()
        super().close(seconds)


class TypeWorker(BackgroundWorker):
    """One script at a time."""

    def __init__(self, parent: QObject | None = None, types: ScriptTypes | None = None) -> None:
        super().__init__("types", parent)
        self.types = types or ScriptTypes()
        self.is_closed = False

    def close(self, seconds: float = 0.0) -> None:
        """Ends the thread; what is being checked is not wanted any longer."""
        self.is_closed = True
        super().close(seconds)
