"""A folder of Python functions as a source of tools that run in processes of their own."""

import contextlib
import contextvars
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ptc_studio.bounded_files import Stamp
from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.failures import failure_of, rebuilt
from ptc_studio.core.tools import LoadedTools, LoadError, Ticket, ToolSpec
from ptc_studio.core.workers import SerialWorker, Workers
from ptc_studio.locations import IMPORT_FOLDER, PYTHON
from ptc_studio.processes.json_pipe import JsonPipe, Message
from ptc_studio.processes.process_tree import VARIABLE, OrphanReaper, kill_process_tree, new_mark, signal_name
from ptc_studio.sources.functions import catalog
from ptc_studio.sources.functions.catalog import FolderCatalog, check_names, refuse_on_event_loop
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.definitions import Stdio, unchanged_stdio
from ptc_studio.sources.functions.folder_files import folder_error, python_files, stamps_of
from ptc_studio.sources.functions.modules import WHOLE, Reach

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
            with self._lock:
                # The folder may have been closed while the worker started: then nobody would end it.
                useful = worker.alive and not self._closed
                if useful:
                    self._busy.add(worker)
            if useful:
                return worker
            worker.close()

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


_NESTED_CALLS = Workers("ptc-nested-call")


class ProcessFunctionTool:
    """Knows the function by its description only. Values are validated in the worker, where the types are."""

    def __init__(
        self, described: Message, spec: ToolSpec, pool: FunctionWorkerPool, directories: Directories, stdio: Stdio
    ) -> None:
        self.spec = spec
        self._pool = pool
        self._directories = directories
        self._stdio = stdio
        self.module: str = described["module"]
        self.function: str = described["function"]
        self.takes_any: bool = described["takes_any"]

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        check_names(self.spec, arguments)
        return dict(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return self._invoke(arguments, ticket, unbound=False)

    def invoke_unbound(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """The same with arguments that the worker does not convert."""
        return self._invoke(arguments, ticket, unbound=True)

    def _invoke(self, arguments: dict[str, Any], ticket: Ticket, *, unbound: bool) -> Any:
        request = self._request(arguments, ticket, unbound)
        worker = self._pool.take()
        lease = _Lease(worker)
        ticket.on_abandon(lease.abandon)
        exchange = _Exchange(worker, ticket, self._stdio)
        try:
            self._pool.load(worker)
            return exchange.value(worker.request(request, exchange.handle))
        except WorkerEndedError as ended:
            raise RuntimeError(f"Tool {self.spec.name!r} crashed its process ({ended})") from None
        finally:
            lease.end()
            self._pool.give_back(worker)

    def _request(self, arguments: dict[str, Any], ticket: Ticket, unbound: bool) -> Message:
        workspace, graph = self._directories(ticket.run_id)
        return {
            "op": "call",
            "module": self.module,
            "function": self.function,
            "arguments": arguments,
            "unbound": unbound,
            "run_id": ticket.run_id,
            "call_id": ticket.call_id,
            "workspace": workspace,
            "graph": graph,
        }


class _Lease:
    """The time in which a worker is this call's: a late stop must not hit the next one."""

    def __init__(self, worker: WorkerProcess) -> None:
        self._worker: WorkerProcess | None = worker
        self._lock = threading.Lock()

    def abandon(self) -> None:
        with self._lock:
            if self._worker is not None:
                self._worker.kill()

    def end(self) -> None:
        with self._lock:
            self._worker = None


class _Exchange:
    """What goes back and forth while the worker answers a call."""

    def __init__(self, worker: WorkerProcess, ticket: Ticket, stdio: Stdio) -> None:
        self._worker = worker
        self._ticket = ticket
        self._stdio = stdio
        self._raised: dict[int, BaseException] = {}

    def handle(self, message: Message) -> None:
        if message["op"] == "output":
            with self._stdio(self._ticket.run_id):
                print(message["text"], end="", flush=True)
        else:
            # A thread each, for an async tool may have several calls under way.
            context = contextvars.copy_context()
            _NESTED_CALLS.submit(lambda: context.run(self._answer, message))

    def value(self, message: Message) -> Any:
        if message["op"] == "value":
            return message["value"]
        raise self._raised.get(message["ref"]) or rebuilt(message["error"])

    def _answer(self, message: Message) -> None:
        number = message["id"]
        try:
            value = self._ticket.call(message["name"], message["arguments"])
            self._worker.send({"op": "answer", "id": number, "value": value})
        except UnserialisableValue as error:
            self._worker.send({"op": "answer", "id": number, "error": failure_of(TypeError(str(error)))})
        except BaseException as error:  # noqa: BLE001 - the tool that called is told, whatever it is
            self._raised[number] = error
            self._worker.send({"op": "answer", "id": number, "error": failure_of(error)})


_SPEC = TypeAdapter(ToolSpec)
_ERRORS = TypeAdapter(tuple[LoadError, ...])
LOAD_SECONDS = 60.0


class ProcessFunctionCatalog(FolderCatalog):
    """Never imports a user's file itself; its workers do."""

    def __init__(
        self,
        folder: Path,
        source: str = "functions",
        *,
        directories: Directories = working_directories,
        stdio: Stdio = unchanged_stdio,
        reach: Reach = WHOLE,
        command: Sequence[str] = COMMAND,
        load_seconds: float = LOAD_SECONDS,
    ) -> None:
        super().__init__(folder, source)
        self._directories = directories
        self._stdio = stdio
        self._load_seconds = load_seconds
        self._reach = reach
        greeting: Message = {
            "op": "load",
            "folder": self.folder,
            "source": source,
            "path": [*filter(None, sys.path)],
            "nested": reach.nested,
            "run_modules": reach.run_modules,
        }
        self._pool = FunctionWorkerPool(greeting, command)
        self._lock = threading.Lock()
        self._stamps: dict[Path, Stamp] = {}
        self._tools: tuple[ProcessFunctionTool, ...] = ()

    def load(self) -> LoadedTools:
        """Has every file imported by a new worker; in a worker thread."""
        refuse_on_event_loop()
        self._loaded = None
        return self.refresh()

    def refresh(self) -> LoadedTools:
        """Starts over with new workers if any file has changed; tools with the same spec stay the same objects."""
        refuse_on_event_loop()
        with self._lock:
            error = folder_error(self.folder)
            if error is not None:
                self._tools, self._loaded = (), None
                return self._failed(error)
            stamps = stamps_of(python_files(self.folder, nested=self._reach.nested))
            if self._loaded is None or stamps != self._stamps:
                self._stamps = stamps
                self._loaded = self._describe()
            return self._loaded

    def close(self) -> None:
        """Ends all workers."""
        self._pool.close()

    def _describe(self) -> LoadedTools:
        self._pool.renew()
        worker = self._pool.take()
        watch = threading.Timer(self._load_seconds, worker.kill)
        watch.daemon = True
        watch.start()
        try:
            found = self._pool.load(worker)
        except WorkerEndedError as ended:
            self._tools = ()
            return self._failed(
                f"Loading the folder ended its process ({ended}): look for a file that hangs or crashes."
            )
        finally:
            watch.cancel()
            self._pool.give_back(worker)
        before = {(tool.module, tool.function): tool for tool in self._tools}
        self._tools = tuple(self._tool(described, before) for described in found["tools"])
        return LoadedTools(self._tools, _ERRORS.validate_python(found["errors"]))

    def _tool(self, described: Message, before: dict[tuple[str, str], ProcessFunctionTool]) -> ProcessFunctionTool:
        spec = _SPEC.validate_python(described["spec"])
        known = before.get((described["module"], described["function"]))
        if known is not None and known.spec == spec and known.takes_any == described["takes_any"]:
            return known
        return ProcessFunctionTool(described, spec, self._pool, self._directories, self._stdio)

    def _entries(self) -> list[catalog.FunctionPick]:
        return [catalog.FunctionPick(tool.module, tool.function, tool) for tool in self._tools]
