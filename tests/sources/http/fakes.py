"""What the tests of requests and commands share."""

from typing import Any

from ptc_studio.core.tools import Tool
from tests.sources.fake_ticket import FakeTicket


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
