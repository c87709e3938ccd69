"""What a script sees of its tools: functions, namespaces of functions, `call_tool` and their async twins."""

import builtins
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

TWIN = "__ptc_async__"
"""The attribute of a tool function that holds what the script calls where it awaits the result."""


class Caller(Protocol):
    """How calls leave the script."""

    def call(self, name: str, args: Any, kwargs: Any, line: "int | None", timeout: "float | None" = None) -> Any: ...
    def call_async(
        self, name: str, args: Any, kwargs: Any, line: "int | None", timeout: "float | None" = None
    ) -> Awaitable[Any]: ...


class Namespace:
    """Tools that share a beginning of their names, such as `calc` of `calc.mul`."""

    _name = "?"

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __repr__(self) -> str:
        names = ", ".join(name for name in self.__dict__ if not name.startswith("_"))
        return f"<tools {self._name}: {names}>"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no tool {self._name}.{name}; try {self!r}")


class CallableNamespace(Namespace):
    """A tool that has the name of a namespace, too: `price(...)` beside `price.history(...)`."""

    def __init__(self, name: str, tool: Callable[..., Any]) -> None:
        super().__init__(name)
        self.__dict__.update(_tool=tool, **{TWIN: getattr(tool, TWIN, tool)})
        self.__dict__.update(__doc__=tool.__doc__, __signature__=tool.__signature__)  # type: ignore[attr-defined]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._tool(*args, **kwargs)


def tool_namespace(tools: list[dict[str, Any]], caller: Caller, filename: str) -> dict[str, Any]:
    """Everything that a script of that file name finds among its globals."""

    def call_tool(
        name: str, arguments: Any = None, timeout: "float | None" = None, *, timeout_secs: "float | None" = None
    ) -> Any:
        """Calls a tool by its name, with a dict of arguments; `timeout_secs` is another word for `timeout`."""
        timeout = timeout_secs if timeout is None else timeout
        _check_request(name, arguments, timeout)
        return caller.call(name, (), arguments or {}, line_in(filename), timeout)

    def call_tool_async(
        name: str, arguments: Any = None, timeout: "float | None" = None, *, timeout_secs: "float | None" = None
    ) -> Awaitable[Any]:
        """The same as something to await, so that several calls can be under way."""
        timeout = timeout_secs if timeout is None else timeout
        _check_request(name, arguments, timeout)
        return caller.call_async(name, (), arguments or {}, line_in(filename), timeout)

    setattr(call_tool, TWIN, call_tool_async)
    found: dict[str, Any] = {}
    aio = Namespace("aio")
    for tool in tools:
        for name in tool["names"]:
            function = _function(name, tool, caller.call, filename)
            twin = _function(name, tool, caller.call_async, filename)
            setattr(function, TWIN, twin)
            # What Python has keeps its name: such a tool has another beside it, `print_`.
            if not hasattr(builtins, name.partition(".")[0]):
                place(found, name, function)
            place(aio.__dict__, name, twin)
    return {**found, "aio": aio, "call_tool": call_tool, "call_tool_async": call_tool_async}


def _check_request(name: Any, arguments: Any, timeout: Any) -> None:
    """What a model gets wrong easily is told at once, and alike in every runtime."""
    if not isinstance(name, str):
        raise TypeError(f"a tool's name must be a text, not {type(name).__name__}")
    if arguments is not None and not isinstance(arguments, dict):
        raise TypeError(f"Invalid parameters for tool {name!r}: they must be a dict, not {type(arguments).__name__}")
    if any(not isinstance(key, str) for key in arguments or ()):
        raise TypeError(f"Invalid parameters for tool {name!r}: the keys of the dict must be texts")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, (int, float))):
        raise TypeError(f"the timeout of a call must be a number, not {type(timeout).__name__}")
    if timeout is not None and not timeout > 0:
        raise ValueError("the timeout of a call must be above 0")


def line_in(filename: str) -> "int | None":
    """The line of the script that is being executed, seen from the tool function that asks."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename == filename:
            return frame.f_lineno
        frame = frame.f_back
    return None


def _function(name: str, tool: dict[str, Any], call: Callable[..., Any], filename: str) -> Callable[..., Any]:
    own_name = tool["names"][0]

    def function(*args: Any, **kwargs: Any) -> Any:
        return call(own_name, args, kwargs, line_in(filename))

    function.__name__ = function.__qualname__ = name
    function.__module__ = "tools"
    function.__doc__ = tool["doc"]
    function.__signature__ = _signature(tool["params"])  # type: ignore[attr-defined]
    return function


def _signature(params: list[list[Any]]) -> Any:
    from inspect import Parameter, Signature

    def parameter(name: str, required: bool, default: Any, annotation: str, keyword_only: bool) -> Parameter:
        return Parameter(
            name,
            Parameter.KEYWORD_ONLY if keyword_only else Parameter.POSITIONAL_OR_KEYWORD,
            default=Parameter.empty if required else default,
            annotation=_Annotation(annotation) if annotation else Parameter.empty,
        )

    try:
        return Signature([parameter(*param) for param in params])
    except ValueError:
        # A parameter whose name is no identifier, as foreign schemas have: `**{"odd-name": 1}` still works.
        return Signature([Parameter("arguments", Parameter.VAR_KEYWORD)])


class _Annotation(str):
    """An annotation that shows itself without quotes in a signature."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def place(room: dict[str, Any], name: str, function: Callable[..., Any]) -> None:
    """Puts the function under its dotted name, making namespaces on the way."""
    first, dot, rest = name.partition(".")
    there = room.get(first)
    if not dot:
        room[first] = _merged(first, there, function) if isinstance(there, Namespace) else function
        return
    if not isinstance(there, Namespace):
        there = room[first] = CallableNamespace(first, there) if there is not None else Namespace(first)
    place(there.__dict__, rest, function)


def _merged(name: str, namespace: Namespace, function: Callable[..., Any]) -> CallableNamespace:
    merged = CallableNamespace(name, function)
    merged.__dict__.update({key: value for key, value in namespace.__dict__.items() if key != "_name"})
    return merged
