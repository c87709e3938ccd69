"""Fakes and short ways that several tests use."""

import inspect
import itertools
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.errors import UnfitArguments
from ptc_studio.core.events import CallFinished, CallStarted, Event
from ptc_studio.core.executor import Executor
from ptc_studio.core.registry import EVERYTHING, Alias, Grant, Registry
from ptc_studio.core.run import Limits, Run
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.core.tools import Parameter, Ticket, ToolSpec
from ptc_studio.core.trace import CallRecord, RunRecord, call_record

PROGRAM = [os.environ["PTC_PROGRAM"]] if os.environ.get("PTC_PROGRAM") else [sys.executable, "-m", "ptc_studio"]
"""What starts the program: this environment's, or the frozen one that `make test-package` names."""


class FakeTool:
    """A tool made of a function. A first parameter named `ticket` is given the ticket."""

    def __init__(self, function: Callable[..., Any], **spec: Any) -> None:
        self._function = function
        parameters = inspect.signature(function).parameters
        self._wants_ticket = "ticket" in parameters
        names = [name for name in parameters if name != "ticket"]
        signature = tuple(
            Parameter(name, parameters[name].default is inspect.Parameter.empty, _default(parameters[name]))
            for name in names
        )
        schema = {
            "type": "object",
            "properties": {name: {} for name in names},
            "required": [parameter.name for parameter in signature if parameter.required],
            "additionalProperties": False,
        }
        defaults = {"name": function.__name__, "description": function.__doc__ or "", "source": "fake"}
        self.spec = ToolSpec(**{**defaults, "parameters": schema, "signature": signature, **spec})

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        missing = [name for name in self.spec.parameters["required"] if name not in arguments]
        if missing:
            raise UnfitArguments(self.spec.name, f"missing {', '.join(map(repr, missing))}")
        return dict(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        if self._wants_ticket:
            return self._function(ticket=ticket, **arguments)
        return self._function(**arguments)


class Engine:
    """Registry, executor and everything that was published."""

    def __init__(self, **options: Any) -> None:
        self.registry = Registry()
        self.executor = Executor(self.registry, **options)
        self.events: list[Event] = []
        self._numbers = itertools.count(1)
        self.own_run = self.run()
        """The run of calls that name none."""
        self._disposers: list[Callable[[], None]] = []
        self.executor.bus.subscribe(self.events.extend)

    def add(self, function: Callable[..., Any], **spec: Any) -> FakeTool:
        tool = FakeTool(function, **spec)
        self._disposers.append(self.registry.register(tool))
        return tool

    def alias(self, name: str, tool: str, **options: Any) -> None:
        self._disposers.append(self.registry.register_alias(Alias(name, tool, **options)))

    def forget_tools(self) -> None:
        """Takes away all tools and aliases, as where a workspace has none of its sources."""
        while self._disposers:
            self._disposers.pop()()

    def run(self, grant: Grant = EVERYTHING, **limits: Any) -> Run:
        return Run(f"r{next(self._numbers)}", grant=grant, limits=Limits(**limits))

    def call(self, name: str, *args: Any, run: Run | None = None, timeout: float | None = None, **kwargs: Any) -> Any:
        request = CallRequest(run or self.own_run, name, args, kwargs, timeout=timeout)
        return self.executor.call(request)

    def records(self) -> list[CallRecord]:
        """The records of all calls so far, once every one of them has been reported."""
        started: dict[tuple[str, str], CallStarted] = {}
        finished: dict[tuple[str, str], CallFinished] = {}

        def settled() -> bool:
            self.executor.bus.flush()
            started.update({(e.run_id, e.call_id): e for e in self.events if isinstance(e, CallStarted)})
            finished.update({(e.run_id, e.call_id): e for e in self.events if isinstance(e, CallFinished)})
            return len(started) == len(finished)

        wait_until(settled)
        return [call_record(event, finished[call_id]) for call_id, event in started.items()]

    async def execute(self, code: str, runtime: Any, grant: Grant = EVERYTHING, **limits: Any) -> RunRecord:
        session = Session(self.executor, grant=grant, limits=Limits(**limits))
        return await session.execute(Script(code), runtime)


def wait_until(condition: Callable[[], Any], seconds: float = 30.0) -> None:
    """Waits for the condition, with a bound."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s in vain"
        time.sleep(0.002)


def _default(parameter: inspect.Parameter) -> Any:
    return None if parameter.default is inspect.Parameter.empty else parameter.default
