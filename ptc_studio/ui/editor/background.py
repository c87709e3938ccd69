"""Slow work of the editor in a thread, with the answer brought back to the window's thread."""

import logging
from collections.abc import Callable, Hashable
from threading import Condition, Thread
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from ptc_studio.ui.language.python_completion import PythonCompletion
from ptc_studio.ui.language.type_problems import ScriptTypes

log = logging.getLogger(__name__)
Job = Callable[[], None]


class Background:
    """Runs jobs one after the other in a thread of its own, which starts with the first job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: dict[Hashable, Job] = {}
        self._changed = Condition()
        self._closed = False
        self._busy = False
        self._thread: Thread | None = None

    def submit(self, key: Hashable, job: Job) -> None:
        """Queues the job; one that waits under the same key is dropped for it."""
        with self._changed:
            if self._closed:
                return
            self._waiting.pop(key, None)
            self._waiting[key] = job
            if self._thread is None:
                self._thread = Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Whether all work was done within that time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, seconds)

    def close(self, seconds: float = 0.0) -> None:
        """Drops what waits, and gives the job under way that long to end."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        if self._thread is not None and seconds:
            self._thread.join(seconds)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except Exception:
                log.exception("work in %s failed", self._name)

    def _next(self) -> Job | None:
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            self._busy = True
            return self._waiting.pop(next(iter(self._waiting)))


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
