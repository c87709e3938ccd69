"""The ticket of a call within a worker process: what the tool calls in turn goes back over the pipe."""

import asyncio
import concurrent.futures
from collections.abc import Callable, Mapping
from typing import Any

from ptc_studio.core.failures import rebuilt
from ptc_studio.sources.functions.process.channel import Message

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
