"""The host's end of one worker process."""

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Sequence

from ptc_studio.core.workers import SerialWorker
from ptc_studio.locations import IMPORT_FOLDER, PYTHON
from ptc_studio.processes.json_pipe import JsonPipe, Message
from ptc_studio.processes.process_tree import VARIABLE, OrphanReaper, kill_process_tree, new_mark, signal_name

_FINAL = ("loaded", "value", "error")
# -P and a path at the end: a `json.py` in the working directory is not the worker's.
_START = "import sys; sys.path.append(sys.argv[1]); from ptc_studio.sources.functions.worker import main; main()"
COMMAND = (PYTHON, "-P", "-c", _START, str(IMPORT_FOLDER))


class WorkerEndedError(Exception):
    """The process is gone; the message says how."""


class WorkerProcess:
    """A process that answers one request at a time."""

    def __init__(self, command: Sequence[str], generation: int) -> None:
        self.generation = generation
        self.loaded: Message | None = None
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            # What its functions start has the mark, too, by which it is found if the studio is killed.
            env={**os.environ, VARIABLE: new_mark()},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._channel = JsonPipe(self._process.stdout, self._process.stdin)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def load(self, request: Message) -> Message:
        """Has the folder loaded, once."""
        if self.loaded is None:
            self.loaded = self.request(request, lambda _: None)
        return self.loaded

    def request(self, request: Message, handle: Callable[[Message], None]) -> Message:
        """Sends the request and waits for its end; what comes before that goes to `handle`."""
        try:
            self._channel.send(request)
        except OSError:
            raise self._ended() from None
        while message := self._channel.receive():
            if message["op"] in _FINAL:
                return message
            handle(message)
        raise self._ended()

    def send(self, message: Message) -> None:
        """An answer to what the worker asked; nothing happens if it is gone."""
        with contextlib.suppress(OSError, ValueError):
            self._channel.send(message)

    def kill(self) -> None:
        """Ends it for real; from any thread."""
        kill_process_tree(self.pid)

    def close(self) -> None:
        """Ends it and frees what it held; from the thread that uses it."""
        self.kill()
        self._process.wait()
        self._channel.close()

    def _ended(self) -> WorkerEndedError:
        # The pipe ends a little before the process; one that closed it on purpose would be waited for in vain.
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.wait()
        name = signal_name(code)
        return WorkerEndedError(f"killed by {name}" if name else f"exit code {code}")


IDLE_LIMIT = 4
_STARTER = SerialWorker("ptc-function-workers")
"""A worker dies with the thread that started it (see `die_with_parent`), so that has to be one that stays."""


class FunctionWorkerPool:
    """The workers of one functions folder."""

    def __init__(self, greeting: Message, command: Sequence[str] = COMMAND, idle_limit: int = IDLE_LIMIT) -> None:
        self._greeting = greeting
        self._command = command
        self._idle_limit = idle_limit
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._generation = 0
        self._closed = False
        self._reaper = OrphanReaper()

    def take(self) -> WorkerProcess:
        """A worker for one call, to be given back."""
        while True:
            with self._lock:
                if self._closed:
                    raise RuntimeError("The functions folder is closed.")
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                self._reaper.watch()
                worker = _STARTER.submit(lambda: WorkerProcess(self._command, self._generation)).result()
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
            if useful and not self._closed and len(self._idle) < self._idle_limit:
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
        self._reaper.close()
