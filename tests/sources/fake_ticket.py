"""What a tool is given of its call, in tests of sources whose tools call nothing in turn."""

from collections.abc import Callable
from typing import Any


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

    def environment(self) -> dict[str, str]:
        return {}

    def on_abandon(self, stop: Callable[[], None]) -> None:
        self._stops.append(stop)
        if self._abandoned:
            stop()

    def abandon(self) -> None:
        self._abandoned = True
        for stop in self._stops:
            stop()
