"""What the tests of requests and commands share."""

from collections.abc import Callable
from typing import Any

from ptc_studio.core.tools import Tool


class FakeTicket:
    """A call that can be given up."""

    run_id = "r1"
    call_id = "c1"

    def __init__(self) -> None:
        self._stops: list[Callable[[], None]] = []
        self._abandoned = False

    def call(self, name: str, arguments: Any) -> Any:
        raise NotImplementedError

    call_async = call

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        raise NotImplementedError

    def on_abandon(self, stop: Callable[[], None]) -> None:
        self._stops.append(stop)
        if self._abandoned:
            stop()

    def abandon(self) -> None:
        self._abandoned = True
        for stop in self._stops:
            stop()


class Client:
    """A source of any kind, and short ways to its tools."""

    def __init__(self, source: Any) -> None:
        self.source = source

    @property
    def tools(self) -> dict[str, Tool]:
        return {tool.spec.name: tool for tool in self.source.refresh().tools}

    @property
    def errors(self) -> list[str]:
        return [error.message for error in self.source.refresh().errors]

    def call(self, name: str, /, ticket: FakeTicket | None = None, **arguments: Any) -> Any:
        tool = self.tools[name]
        return tool.invoke(tool.bind(arguments), ticket or FakeTicket())
