"""Executes a script as a deployment target does: with the target's frame around it, which the host sends as text.

A frame is a module with one function, `run(guest)`, that gives the script's `Ending`; `Guest` has what they need.
"""

import builtins
import os
import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from ptc_kit import script, tools


class Guest:
    """What a frame has to work with."""

    def __init__(self, start: "dict[str, Any]", channel: tools.Caller, namespace: "dict[str, Any]") -> None:
        frame = start["frame"]
        self.code: str = start["code"]
        self.filename: str = start["filename"]
        self.namespace = namespace
        """The script's globals; those of the run before, where the container keeps them."""
        self.tools: list[dict[str, Any]] = start["tools"]
        self.names: dict[str, str] = frame["names"]
        """What each tool is called here, and the name that it is called by."""
        self.options: dict[str, Any] = frame["options"]
        self._channel = channel

    def line(self) -> "int | None":
        """The line of the script that is being executed."""
        return tools.line_in(self.filename)

    def call(self, tool: str, args: Any, kwargs: Any, timeout: "float | None" = None) -> Any:
        """Calls a tool and waits; raises what it fails with."""
        return self._channel.call(tool, args, kwargs, tools.line_in(self.filename), timeout)

    def call_async(
        self, tool: str, args: Any, kwargs: Any, line: "int | None", timeout: "float | None" = None
    ) -> Awaitable[Any]:
        """The same to await. The line is taken when the script calls: a task does not know who made it."""
        return self._channel.call_async(tool, args, kwargs, line, timeout)

    def define(self, name: str, function: "Callable[..., Any]") -> None:
        """Puts a function under its name among the script's globals; a dot separates namespaces."""
        function.__name__ = function.__qualname__ = name
        function.__module__ = "tools"
        tools.place(self.namespace, name, function)

    def execute(self) -> script.Ending:
        """The script as a module: top-level await works, and its last expression is its value."""
        return script.execute(self.code, self.filename, self.namespace)

    def allow_imports(self, allowed: "Iterable[str]", refusal: "Callable[[str], BaseException]") -> None:
        """Has the script's own imports of anything else fail; modules import what they need."""
        known = frozenset(allowed)

        def guarded(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:  # noqa: A002
            if level or name.partition(".")[0] not in known:
                raise refusal(name)
            return builtins.__import__(name, globals, locals, fromlist, level)

        self.namespace["__builtins__"] = {**vars(builtins), "__import__": guarded}


def execute(start: "dict[str, Any]", channel: tools.Caller, namespace: "dict[str, Any]") -> script.Ending:
    """Runs the script inside the frame that the host sent with it."""
    return _module(start["frame"]).run(Guest(start, channel, namespace))


def _module(frame: "dict[str, Any]") -> Any:
    # Below the kit's own folder, so that tracebacks leave it out as they do the kit.
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"frame-of-{frame['target']}.py")
    module = type(sys)("ptc_frame")
    exec(compile(frame["code"], place, "exec", dont_inherit=True), module.__dict__)
    return module
