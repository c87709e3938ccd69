"""smolagents' CodeAgent with its own interpreter."""

import ast
from collections.abc import Iterator
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import python_checks
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note, TargetLimits

IMPORTS = (
    "collections", "datetime", "itertools", "math", "queue", "random", "re", "stat", "statistics", "time",
    "unicodedata",
)  # fmt: skip
FUNCTIONS = (
    "ceil", "floor", "log", "exp", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "degrees", "radians", "sqrt",
)  # fmt: skip
BUILTINS = (
    "isinstance", "range", "float", "int", "bool", "str", "set", "list", "dict", "tuple", "round", "pow", "len", "sum",
    "max", "min", "abs", "enumerate", "zip", "reversed", "sorted", "all", "any", "map", "filter", "ord", "chr", "next",
    "iter", "divmod", "callable", "hasattr", "setattr", "issubclass", "type", "complex",
)  # fmt: skip
OPERATIONS, ITERATIONS = 10_000_000, 1_000_000
MOST_PRINTED, MOST_SHOWN = 50_000, 20_000
_UNSUPPORTED = {
    "AsyncFor": "async for", "AsyncFunctionDef": "async def", "AsyncWith": "async with", "Global": "global",
    "Match": "match", "NamedExpr": ":=", "Nonlocal": "nonlocal", "Yield": "yield", "YieldFrom": "yield from",
}  # fmt: skip
NOTES = (
    Note("Tools are plain functions of positional or keyword arguments; a failing one raises its exception", "S"),
    Note("`final_answer(x)` ends the run, and is its value; inputs of the task are variables", "S"),
    Note("Names stay from one step to the next", "S"),
    Note("Few built-ins; ceil floor log exp sin cos tan asin acos atan atan2 degrees radians sqrt pow besides", "S"),
    Note("Imports: collections datetime itertools math queue random re stat statistics time unicodedata", "S"),
    Note("30 s, 10 million operations (estimated here), one million iterations of a while loop", "S"),
    Note("The model sees `Execution logs:`, what was printed (cut at 50,000), `Last output from code snippet:` and the "
         "value of the last statement (cut at 20,000); or why the code failed, with the statement", "S"),
    Note("A wrong index is no KeyError or IndexError there, but an InterpreterError, which is a ValueError", "S"),
    Note("A misspelt variable is taken for the one most like it there; here it fails", "S"),
)  # fmt: skip


def check(script: CheckedScript) -> Iterator[Finding]:
    yield from _imports(script)
    yield from python_checks.awaits(script, "its interpreter knows no await; tools are plain functions")
    yield from python_checks.returns(script, "end the run with final_answer(...)")
    taken = {name.partition(".")[0] for name in script.names} | {"final_answer", "print", *BUILTINS, *FUNCTIONS}
    for node in ast.walk(script.tree):
        word = _UNSUPPORTED.get(type(node).__name__)
        if word:
            yield Finding(getattr(node, "lineno", None), f"`{word}` is not supported there", "S")
        if isinstance(node, ast.Attribute) and node.attr.startswith("__") and node.attr.endswith("__"):
            yield Finding(node.lineno, f"`{node.attr}` is forbidden there", "S")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in taken:
            yield Finding(node.lineno, f"`{node.id}` cannot be assigned to there: it is a tool", "S")
        if isinstance(node, ast.ExceptHandler) and _names(node.type) & {"KeyError", "IndexError"}:
            text = (
                "A wrong index raises InterpreterError there, which this does not catch; a tool's own KeyError it does"
            )
            yield Finding(node.lineno, text, "S", fails=False)
    yield from _forbidden(script)
    yield from python_checks.unknown_names(script, ("final_answer", *FUNCTIONS))


def _imports(script: CheckedScript) -> Iterator[Finding]:
    for line, name in python_checks.imports(script.tree):
        if name not in IMPORTS:
            yield Finding(line, f"`{name}` cannot be imported there; what can is {', '.join(IMPORTS)}", "S")


def _forbidden(script: CheckedScript) -> Iterator[Finding]:
    """Built-in functions that are none there."""
    there = {*BUILTINS, *FUNCTIONS, "print", "getattr", "super"} | python_checks.defined_names(script.tree)
    for node in ast.walk(script.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in there:
            known = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
            value = known.get(node.func.id)
            if value is not None and node.func.id not in script.names and not _is_error(value):
                yield Finding(node.lineno, f"`{node.func.id}()` is no function there", "S")


def _is_error(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _names(node: ast.AST | None) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} if node else set()


def reply(record: RunRecord, report: Any) -> str:
    logs = cut(record["stdout"], MOST_PRINTED)
    before = f"Execution logs:\n{logs}\n" if logs else ""
    if record["status"] == "timeout":
        return f"{before}Code execution exceeded the maximum execution time of 30 seconds"
    if report and "output" in report:
        return f"Execution logs:\n{logs}Last output from code snippet:\n{cut(report['output'], MOST_SHOWN)}"
    error = record["error"]
    told = (report or {}).get("error") or (f"{error['type']}: {error['message']}" if error else "")
    return f"{before}{told}"


def cut(text: str, most: int) -> str:
    """The beginning and the end of what is too long."""
    if len(text) <= most:
        return text
    note = f"\n..._This content has been truncated to stay below {most} characters_...\n"
    return text[: most // 2] + note + text[-most // 2 :]


def sign(script: CheckedScript) -> str | None:
    call = next(python_checks.calls_by(script, "final_answer"), None)
    if call:
        return f"`final_answer(` in line {call.lineno}"
    # `log` may be anybody's.
    own = (
        call for call in python_checks.strangers(script) if python_checks.dotted(call.func) in {*FUNCTIONS} - {"log"}
    )
    found = next(own, None)
    return f"`{python_checks.dotted(found.func)}(` without an import in line {found.lineno}" if found else None


TARGET = DeploymentTarget(
    id="smolagents",
    name="smolagents CodeAgent",
    language="python",
    runtime="python",
    notes=NOTES,
    call=CallStyle("{name}({keywords})"),
    limits=TargetLimits(seconds=30, output=MOST_PRINTED),
    frame="frame.py",
    keeps_state=True,
    options=lambda _tools: {
        "imports": IMPORTS,
        "functions": FUNCTIONS,
        "builtins": BUILTINS,
        "operations": OPERATIONS,
        "iterations": ITERATIONS,
    },
    reply=reply,
    check=check,
    sign=sign,
)
