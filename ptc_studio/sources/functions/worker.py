"""The worker process: loads a functions folder and answers one call at a time.

The pipes of its messages are not its stdin and stdout any more once it runs: nothing that a tool prints or reads can
get between them.
"""

import asyncio
import concurrent.futures
import contextlib
import io
import itertools
import os
import queue
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.failures import failure_of, rebuilt
from ptc_studio.core.permissions import Decision
from ptc_studio.core.tools import InputRequest, Ticket
from ptc_studio.processes.json_pipe import JsonPipe, Message
from ptc_studio.processes.process_tree import die_with_parent, kill_process_tree
from ptc_studio.sources.functions.catalog import FunctionCatalog
from ptc_studio.sources.functions.definitions import FunctionTool
from ptc_studio.sources.functions.modules import Reach

Ask = Callable[[str, Mapping[str, Any]], tuple[int, "concurrent.futures.Future[Message]"]]


class PipeTicket:
    """Knows which exceptions came from the host, so that they can return there as the very objects they were."""

    def __init__(self, run_id: str, call_id: str, ask: Ask) -> None:
        self.run_id = run_id
        self.call_id = call_id
        self._ask = ask
        self._received: dict[int, BaseException] = {}

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        number, answer = self._ask(name, arguments)
        return self._value(number, answer.result())

    async def call_async(self, name: str, arguments: Mapping[str, Any]) -> Any:
        number, answer = self._ask(name, arguments)
        return self._value(number, await asyncio.wrap_future(answer))

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        """Never happens here: functions are given no way to say how far they are."""

    def environment(self) -> Mapping[str, str]:
        return {}

    def request_input(
        self,
        request: InputRequest,
        beside: "Sequence[Ticket]" = (),  # noqa: ARG002 - named by the protocol
    ) -> "concurrent.futures.Future[Decision]":
        """Never happens here: functions are given no way to ask a person."""
        refused: concurrent.futures.Future[Decision] = concurrent.futures.Future()
        refused.set_result(Decision(allowed=False, reason=f"{request.by} runs in a process that can ask nobody."))
        return refused

    def on_abandon(self, stop: Callable[[], None]) -> None:
        """Never happens here: the host kills the whole process."""

    def reference_to(self, error: BaseException) -> int | None:
        """The number of the nested call that failed with this very exception."""
        return next((number for number, received in self._received.items() if received is error), None)

    def _value(self, number: int, answer: Message) -> Any:
        if "error" not in answer:
            return answer["value"]
        error = rebuilt(answer["error"])
        self._received[number] = error
        raise error


class FunctionWorker:
    """Reads messages in a thread of its own, so that it notices the host's end while a tool runs."""

    def __init__(self, channel: JsonPipe) -> None:
        self._channel = channel
        self._requests: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._answers: dict[int, concurrent.futures.Future[Any]] = {}
        self._numbers = itertools.count(1)
        self._directories: tuple[Path, Path] = (Path.cwd(), Path.cwd())
        self._tools: dict[tuple[str, str], FunctionTool] = {}

    def serve(self) -> None:
        """Answers requests until the host is gone."""
        # Of its own: it reads as long as the process lives, and ends it.
        threading.Thread(target=self._receive, daemon=True).start()
        while True:
            request = self._requests.get()
            if request["op"] == "load":
                self._load(request)
            else:
                self._call(request)

    def _receive(self) -> None:
        while message := self._channel.receive():
            if message["op"] == "answer":
                self._answers.pop(message["id"]).set_result(message)
            else:
                self._requests.put(message)
        kill_process_tree(os.getpid())
        os._exit(0)

    def _load(self, request: Message) -> None:
        sys.path.extend(entry for entry in request["path"] if entry not in sys.path)
        folder = Path(request["folder"])
        reach = Reach(request["nested"], request["run_modules"])
        catalog = FunctionCatalog(folder, request["source"], directories=lambda _: self._directories, reach=reach)
        loaded = catalog.load()
        tools = [tool for tool in loaded.tools if isinstance(tool, FunctionTool)]
        self._tools = {(tool.definition.module, tool.definition.name): tool for tool in tools}
        described = [
            {"module": module, "function": function, "takes_any": tool.takes_any, "spec": tool.spec}
            for (module, function), tool in self._tools.items()
        ]
        self._channel.send({"op": "loaded", "tools": described, "errors": loaded.errors})

    def _call(self, request: Message) -> None:
        ticket = PipeTicket(request["run_id"], request["call_id"], self._ask)
        self._directories = (Path(request["workspace"]), Path(request["graph"]))
        try:
            tool = self._tools[request["module"], request["function"]]
            with contextlib.redirect_stdout(_ForwardedOutput(self._channel)):
                arguments = request["arguments"] if request["unbound"] else tool.bind(request["arguments"])
                value = tool.invoke(arguments, ticket)
            self._send_value(tool.spec.name, value)
        except BaseException as error:  # noqa: BLE001 - a tool may raise anything, even SystemExit
            self._channel.send({"op": "error", "ref": ticket.reference_to(error), "error": failure_of(error)})

    def _send_value(self, tool: str, value: Any) -> None:
        try:
            self._channel.send({"op": "value", "value": value})
        except UnserialisableValue as error:
            raise TypeError(f"The result of tool {tool!r} has no JSON form: {error}") from None

    def _ask(self, name: str, arguments: Any) -> "tuple[int, concurrent.futures.Future[Any]]":
        number = next(self._numbers)
        answer: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self._answers[number] = answer
        self._channel.send({"op": "call", "id": number, "name": name, "arguments": arguments})
        return number, answer


class _ForwardedOutput(io.TextIOBase):
    """What a tool prints goes to the host, which knows whose it is."""

    def __init__(self, channel: JsonPipe) -> None:
        self._channel = channel

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return "utf-8"

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if text:
            # Half a surrogate pair cannot be sent; a print must not fail for it.
            self._channel.send({"op": "output", "text": text.encode("utf-8", "replace").decode("utf-8")})
        return len(text)


def private_channel() -> JsonPipe:
    """Moves the pipes away from the standard streams, which become /dev/null and stderr."""
    incoming, outgoing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return JsonPipe(os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb"))


def main() -> None:
    """Entry of the process."""
    die_with_parent()
    FunctionWorker(private_channel()).serve()


if __name__ == "__main__":
    main()
