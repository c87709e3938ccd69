"""Keeps worker processes: idle ones for the next call, new ones when all are busy."""

import concurrent.futures
import threading
from collections.abc import Sequence

from ptc_studio.sources.functions.process.channel import Message
from ptc_studio.sources.functions.process.worker_process import COMMAND, WorkerProcess
from ptc_studio.sources.warden import Warden

KEPT = 4


class WorkerPool:
    """The workers of one functions folder."""

    def __init__(self, greeting: Message, command: Sequence[str] = COMMAND, kept: int = KEPT) -> None:
        self._greeting = greeting
        self._command = command
        self._kept = kept
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._generation = 0
        self._closed = False
        self._warden = Warden()
        # A worker dies with the thread that started it (see `die_with_parent`), so that has to be one that stays.
        self._starter = concurrent.futures.ThreadPoolExecutor(1, "ptc-function-workers")

    def take(self) -> WorkerProcess:
        """A worker for one call, to be given back."""
        while True:
            with self._lock:
                if self._closed:
                    raise RuntimeError("The functions folder is closed.")
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                self._warden.watch()
                worker = self._starter.submit(WorkerProcess, self._command, self._generation).result()
            if worker.alive:
                break
            worker.close()
        with self._lock:
            self._busy.add(worker)
        return worker

    def load(self, worker: WorkerProcess) -> Message:
        """Has a new worker load the folder; gives what it found."""
        return worker.load(self._greeting)

    def give_back(self, worker: WorkerProcess) -> None:
        """Keeps the worker for the next call, unless it is dead, outdated or one too many."""
        with self._lock:
            self._busy.discard(worker)
            useful = worker.alive and worker.loaded is not None and worker.generation == self._generation
            if useful and not self._closed and len(self._idle) < self._kept:
                self._idle.append(worker)
                return
        worker.close()

    def renew(self) -> None:
        """The files have changed: whoever is idle goes now, whoever is busy when the call is over."""
        with self._lock:
            self._generation += 1
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()

    def close(self) -> None:
        """Ends all workers, busy ones too."""
        self.renew()
        with self._lock:
            self._closed = True
            busy = list(self._busy)
        for worker in busy:
            worker.kill()
        self._starter.shutdown()
        self._warden.close()
