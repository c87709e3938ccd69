"""A function in a worker process as a tool that the executor can call."""

import contextvars
import threading
from collections.abc import Mapping
from typing import Any

from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.failures import failure_of, rebuilt
from ptc_studio.core.tools import Ticket, ToolSpec
from ptc_studio.sources.functions.context import Directories
from ptc_studio.sources.functions.invocation import Stdio
from ptc_studio.sources.functions.overrides import check_names
from ptc_studio.sources.functions.process.channel import Message
from ptc_studio.sources.functions.process.pool import WorkerPool
from ptc_studio.sources.functions.process.worker_process import WorkerEndedError, WorkerProcess


class ProcessFunctionTool:
    """Knows the function by its description only. Values are validated in the worker, where the types are."""

    def __init__(
        self, described: Message, spec: ToolSpec, pool: WorkerPool, directories: Directories, stdio: Stdio
    ) -> None:
        self._spec = spec
        self._pool = pool
        self._directories = directories
        self._stdio = stdio
        self.module: str = described["module"]
        self.function: str = described["function"]
        self.takes_any: bool = described["takes_any"]

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        check_names(self._spec, arguments)
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
            raise RuntimeError(f"Tool {self._spec.name!r} crashed its process ({ended})") from None
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
            work = contextvars.copy_context().run
            threading.Thread(target=work, args=(self._answer, message), daemon=True).start()

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
