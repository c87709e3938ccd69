"""Executes a script as Python would: its own line numbers, its last expression's value, its own traceback."""

import ast
import os
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

CO_NEWLOCALS, CO_COROUTINE = 0x2, 0x80
"""The marks of a function's code, and of code that awaits. `inspect`, which knows them, takes long to import."""
VALUE = "__ptc_value__"
OWN_FOLDERS = [os.path.dirname(os.path.abspath(__file__)) + os.sep]
"""Frames of files below these are none of the user's business and left out of tracebacks."""


class Ending:
    """How a script ended."""

    def __init__(
        self, code: int = 0, value: Any = None, error: "dict[str, Any] | None" = None, report: Any = None
    ) -> None:
        self.code = code
        self.value = value
        self.error = error
        self.report = report
        """What the frame of a target tells of it, as JSON."""


def execute(
    source: str, filename: str, namespace: dict[str, Any], compiled: "Callable[[str, str], Any] | None" = None
) -> Ending:
    """Runs the script in the namespace; whatever it raises is part of the ending. `compiled` as `compile_script`."""
    remember(source, filename)
    try:
        parts, docstring, names = (compiled or compile_script)(source, filename)
        namespace.update(names)
        _run(parts, namespace)
    except SystemExit as error:
        return exit_of(error, filename)
    except BaseException as error:
        _note_hidden_tools(error, namespace)
        return Ending(1, error=describe(error, filename))
    return Ending(value=namespace.pop(VALUE, docstring))


def _note_hidden_tools(error: BaseException, namespace: dict[str, Any]) -> None:
    """Tells where the tools are that a module of their namespace's name has hidden."""
    module: Any = getattr(error, "obj", None)
    if not isinstance(error, AttributeError) or not isinstance(module, type(sys)):
        return
    twin = f"{module.__name__}_"
    if error.name in getattr(namespace.get(twin), "__dict__", ()):
        error.add_note(f"The module has the name of tools, which are {twin} beside it: {twin}.{error.name}")


def compile_script(source: str, filename: str) -> "tuple[list[Any], str | None, dict[str, Any]]":
    """The parts to execute, keeping the value of a last expression; the docstring, if that is all there is; and what
    the parts need among their globals."""
    tree = ast.parse(source, filename)
    last = tree.body[-1] if tree.body else None
    only = last.value.value if isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant) else None
    docstring = only if len(tree.body) == 1 and isinstance(only, str) else None
    if isinstance(last, ast.Expr) and docstring is None:
        name = ast.copy_location(ast.Name(VALUE, ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign([name], last.value), last)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    names: dict[str, Any] = {}
    # Both are imported for the scripts that may need them alone.
    if "await" in source or "asyncio" in source:
        from ptc_kit import awaited

        if awaited.ask_for_twins(tree):
            names[awaited.AWAITABLE] = awaited.awaitable
    if "return" in source:
        from ptc_kit import returns

        if returns.are_in(tree):
            return returns.compile_parts(tree, filename, flags), docstring, names
    return [compile(tree, filename, "exec", flags=flags, dont_inherit=True)], docstring, names


def remember(source: str, filename: str) -> None:
    """Lets tracebacks show the script's lines though it may be in no file."""
    import io
    import linecache

    # Lines as the compiler counts them: `splitlines` would also split at form feeds and the like.
    linecache.cache[filename] = (len(source), None, io.StringIO(source, None).readlines(), filename)


def await_threads(threads: "Callable[[], list[Any]]") -> None:
    """As the interpreter does at its end: waits for the threads that are no daemons, also for those they start."""
    while waited_for := [thread for thread in threads() if thread.is_alive() and not thread.daemon]:
        for thread in waited_for:
            _let_pool_end(thread)
            thread.join()


def _let_pool_end(thread: Any) -> None:
    """The threads of a ThreadPoolExecutor wait for work for ever, unless it is told that there will be no more."""
    pools = sys.modules.get("concurrent.futures.thread")
    if pools is None or thread not in pools._threads_queues:
        return
    executor = thread._args[0]() if getattr(thread, "_args", None) else None
    if executor is not None:
        executor.shutdown(wait=False)


def describe(error: BaseException, filename: str) -> dict[str, Any]:
    """The error as the record has it: the user's frames only."""
    import traceback

    told = traceback.TracebackException.from_exception(error)
    line = _line(error, filename)
    _drop_way_in(told, filename)
    _drop_own_frames(told)
    return {
        "type": type(error).__name__,
        "message": _message(error),
        "traceback": "".join(told.format()),
        "line": line,
    }


def _run(parts: "list[Any]", namespace: dict[str, Any]) -> None:
    if any(part.co_flags & CO_COROUTINE for part in parts):
        import asyncio
        import inspect

        awaiting = _run_awaiting(parts, namespace)
        try:
            asyncio.run(awaiting)
        finally:
            # What is stopped before it began must not be told as a mistake of the script's.
            if inspect.getcoroutinestate(awaiting) == inspect.CORO_CREATED:
                awaiting.close()
        return
    for part in parts:
        if _returned(_execute(part, namespace), namespace):
            return


async def _run_awaiting(parts: "list[Any]", namespace: dict[str, Any]) -> None:
    for part in parts:
        given = _execute(part, namespace)
        if _returned(await given if part.co_flags & CO_COROUTINE else given, namespace):
            return


def _execute(part: Any, namespace: dict[str, Any]) -> Any:
    if part.co_flags & CO_NEWLOCALS:
        return FunctionType(part, namespace)()
    return eval(part, namespace)  # noqa: S307 - executing the script is the point


def _returned(given: "tuple[Any] | None", namespace: dict[str, Any]) -> bool:
    """Whether a part of the script returned something: that is its value then."""
    if given is not None:
        namespace[VALUE] = given[0]
    return given is not None


def exit_of(error: SystemExit, filename: str) -> Ending:
    """As the interpreter does it: nothing is 0, a number is itself, anything else is printed and 1."""
    if error.code is None or error.code == 0:
        return Ending(0)
    if not isinstance(error.code, int):
        print(error.code, file=sys.stderr)
    code = error.code & 0xFF if isinstance(error.code, int) else 1
    return Ending(code, error=describe(error, filename))


def _line(error: BaseException, filename: str) -> "int | None":
    """The deepest line of the script that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno
    line, tb = None, error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == filename:
            line = tb.tb_lineno
        tb = tb.tb_next
    return line


def _drop_way_in(told: Any, filename: str) -> None:
    """Takes out what led into the script; a syntax error has nothing but that."""
    first = next((i for i, frame in enumerate(told.stack) if frame.filename == filename), len(told.stack))
    del told.stack[:first]


def _drop_own_frames(told: Any, seen: int = 0) -> None:
    """Takes the kit's frames out of the traceback and of those chained to it."""
    if told is None or seen > 50:
        return
    told.stack[:] = [frame for frame in told.stack if not _is_own(frame.filename)]
    for chained in (told.__cause__, told.__context__, *(getattr(told, "exceptions", None) or ())):
        _drop_own_frames(chained, seen + 1)


def _is_own(filename: str) -> bool:
    return filename.startswith(tuple(OWN_FOLDERS))


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return f"<{type(error).__name__} whose text cannot be shown>"
