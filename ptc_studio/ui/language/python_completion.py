"""Completes Python with jedi, which is told of the tools by stubs; slow, so never for the thread of the window."""

import ast
import keyword
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.suggestions import MOST, Kind, Suggestion

KINDS: dict[str, Kind] = {
    "function": "function",
    "class": "class",
    "module": "module",
    "keyword": "keyword",
    "namespace": "module",
    "param": "parameter",
}
FIXED_STUBS = (
    "def call_tool(name: str, arguments: dict | None = None, timeout: float | None = None): ...",
    "async def call_tool_async(name: str, arguments: dict | None = None, timeout: float | None = None): ...",
)


def warm_up() -> None:
    """Loads jedi and what it needs; takes seconds the first time."""
    complete("import asyncio\nasyncio.", 2, 8, ())


def complete(code: str, line: int, column: int, hints: tuple[ToolHint, ...]) -> list[Suggestion]:
    """What may stand at that place; the line counts from 1, the column from 0."""
    import jedi

    prefix = stubs(hints)
    script = jedi.Script(prefix + code, environment=jedi.InterpreterEnvironment())
    found: list[Any] = script.complete(line + prefix.count("\n"), column)
    return [_suggestion(each) for each in found[:MOST]]


@lru_cache(maxsize=4)
def stubs(hints: tuple[ToolHint, ...]) -> str:
    """Definitions of the tools, as text to put before a script."""
    plain = [hint for hint in hints if _is_name(hint.name)]
    lines = [*FIXED_STUBS, *(f"def {_stub(hint)}" for hint in plain), "class aio:", "    pass"]
    lines += [f"    @staticmethod\n    async def {_stub(hint)}" for hint in plain]
    return "\n".join([*lines, *_namespace_stubs(hints), ""])


def _namespace_stubs(hints: Iterable[ToolHint]) -> list[str]:
    """Namespaces of one level, as classes; deeper ones are left to the list of tools."""
    rooms: dict[str, list[str]] = {}
    for hint in hints:
        room, _, name = hint.name.rpartition(".")
        if _is_name(room) and _is_name(name):
            rooms.setdefault(room, []).append(f"    @staticmethod\n    def {_stub(hint, name)}")
    return [f"class {room}:\n" + "\n".join(functions) for room, functions in rooms.items()]


def _stub(hint: ToolHint, name: str = "") -> str:
    parameters = [_stub_parameter(each) for each in hint.parameters if _is_name(each.name)]
    return f"{name or hint.name}(*, {', '.join(parameters)}): ..." if parameters else f"{name or hint.name}(): ..."


def _stub_parameter(parameter: ParameterHint) -> str:
    annotation = f": {parameter.annotation}" if _is_expression(parameter.annotation) else ""
    return parameter.name + annotation + ("" if parameter.required else " = ...")


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return "\n" not in text


def _suggestion(found: Any) -> Suggestion:
    kind = KINDS.get(found.type, "name")
    return Suggestion(found.name_with_symbols, kind, found.type)
