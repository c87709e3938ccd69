"""A user's function as a tool that the executor can call."""

import contextlib
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core.tools import Ticket, ToolSpec
from ptc_studio.sources.functions.async_thread import AsyncThread
from ptc_studio.sources.functions.context import Directories, context_of, working_directories
from ptc_studio.sources.functions.definitions import FunctionDefinition

Stdio = Callable[[str], AbstractContextManager[None]]
"""From a run's id to what is entered while a function of its runs, so that its prints go where they belong."""


def unchanged_stdio(_run_id: str) -> AbstractContextManager[None]:
    """Lets prints go where they go."""
    return contextlib.nullcontext()


@dataclass(frozen=True)
class CallEnvironment:
    """What functions find around them when they are called."""

    directories: Directories = working_directories
    stdio: Stdio = unchanged_stdio
    async_thread: AsyncThread = field(default_factory=AsyncThread)


class FunctionTool:
    """A function of a user's file."""

    def __init__(self, spec: ToolSpec, definition: FunctionDefinition, environment: CallEnvironment) -> None:
        self._spec = spec
        self._environment = environment
        self._bind = definition.shape.bind
        self._plan = definition.plan
        self.definition = definition

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    @property
    def takes_any(self) -> bool:
        """Whether the function has `**kwargs`."""
        return self._plan.takes_any

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return self._bind(self._spec.name, arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        if self._plan.is_async:
            return self._environment.async_thread.run(self._invoke_async(arguments, ticket), ticket)
        with self._environment.stdio(ticket.run_id):
            value = self._call(arguments, ticket)
        if inspect.isawaitable(value):
            return self._environment.async_thread.run(self._finish(value, ticket), ticket)
        return value

    def invoke_unbound(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """The same with arguments that were not converted."""
        return self.invoke(arguments, ticket)

    def _call(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        plan = self._plan
        if plan.takes_context:
            context = context_of(ticket, self._environment.directories, is_async=plan.is_async)
            arguments = {**arguments, "_context": context}
        return plan.call(arguments)

    async def _invoke_async(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        with self._environment.stdio(ticket.run_id):
            value = self._call(arguments, ticket)
            return await value if inspect.isawaitable(value) else value

    async def _finish(self, value: Awaitable[Any], ticket: Ticket) -> Any:
        with self._environment.stdio(ticket.run_id):
            return await value
