"""Executes a script as a deployment target does: with the target's frame around it, which the host sends as text.

A frame is a module with one function, `run(guest)`, that gives the script's `Ending`; `Guest` has what they need.
"""

import ast
import builtins
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

    def execute(self, compiled: "Callable[[str, str], Any] | None" = None) -> script.Ending:
        """The script as a module, and nothing that Python's own compiler refuses; unless `compiled` makes it otherwise,
        top-level await works. Its last expression is its value."""
        return script.execute(self.code, self.filename, self.namespace, compiled or awaiting_module)

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


def awaiting_module(source: str, filename: str) -> "tuple[list[Any], str | None, dict[str, Any]]":
    """A module whose top level may await."""
    return module_of(ast.parse(source, filename), filename, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def plain_module(source: str, filename: str) -> "tuple[list[Any], str | None, dict[str, Any]]":
    """A module as Python has it."""
    return module_of(ast.parse(source, filename), filename, 0)


def module_of(tree: ast.Module, filename: str, flags: int) -> "tuple[list[Any], str | None, dict[str, Any]]":
    """The code of a module that keeps the value of its last expression, as `script.execute` wants it."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        name = ast.copy_location(ast.Name(script.VALUE, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([name], last.value), last)
    return [compile(tree, filename, "exec", flags=flags, dont_inherit=True)], None, {}


def function_body(source: str, filename: str) -> "tuple[list[Any], str | None, dict[str, Any]]":
    """The body of a plain function, whose `return` gives the script's value: its names are local, it cannot await."""
    tree = ast.parse(source, filename)
    (function,) = ast.parse("def script(): pass").body
    assert isinstance(function, ast.FunctionDef)
    function.body = tree.body or function.body
    call = ast.parse(f"{script.VALUE} = script()").body[0]
    for node in (function, *ast.walk(call)):
        for field in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
            if field in node._attributes:
                setattr(node, field, 1 if field.endswith("lineno") else 0)
    tree.body = [function, call]
    return [compile(tree, filename, "exec", dont_inherit=True)], None, {}


def failed(guest: Guest, error: BaseException, report: Any = None, code: int = 1) -> script.Ending:
    """The ending of a script that the error ends."""
    return script.Ending(code, error=script.describe(error, guest.filename), report=report)


def text_of(value: Any) -> str:
    """A tool's value where a target gives text: a text as it is, anything else as JSON."""
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _module(frame: "dict[str, Any]") -> Any:
    place = f"<frame of {frame['target']}>"
    if place not in script.OWN_FOLDERS:
        # Tracebacks leave it out as they do the kit.
        script.OWN_FOLDERS.append(place)
    module = type(sys)("ptc_frame")
    compiled = frame.get("compiled") or {}
    if compiled.get("python") == sys.version:
        import base64
        import marshal

        # The host's own code, compiled there by the very same Python: compiling takes longer than a run.
        code = marshal.loads(base64.b64decode(compiled["code"]))  # noqa: S302
    else:
        code = compile(frame["code"], place, "exec", dont_inherit=True)
    exec(code, module.__dict__)
    return module
