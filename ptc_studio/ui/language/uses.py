"""Which tools a script uses, and where, in every language that the editor knows."""

import ast
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ptc_studio.ui.language.bindings import Bindings
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.spoken_names import spoken_in

BY_NAME = (["call_tool"], ["call_tool_async"])
Place = tuple[int, int, int]
"""Line, column and the column behind it."""


@dataclass(frozen=True, slots=True)
class Use:
    """One place at which a tool is named. Lines and columns count from 1, columns in characters."""

    tool: str
    """The tool's or alias's own name, whatever name is written."""
    granted: bool
    line: int
    column: int
    end_column: int
    """Just after the last character."""


def uses_in(code: str, language: str, hints: Mapping[str, ToolHint]) -> list[Use]:
    """The uses in a script that is not Python, in their order."""
    found = {each.start: each for each in spoken_in(code, language) if each.name in hints}
    starts = _line_starts(code) if found else []
    return [_use(hints[found[start].name], _place(starts, start, found[start].end)) for start in sorted(found)]


def uses_in_python(tree: ast.AST, bound: Bindings, lines: list[str], hints: Mapping[str, ToolHint]) -> list[Use]:
    """The same of a script that Python has read: calls, and tools that are handed on, as in `map(add, ...)`."""
    found: dict[tuple[int, int], Use] = {}
    for node, name in _named_in(tree, bound):
        hint = hints.get(name)
        if hint is not None:
            use = _use(hint, place_in(lines, node))
            found.setdefault((use.line, use.column), use)
    return [found[place] for place in sorted(found)]


def place_in(lines: list[str], node: ast.AST) -> Place:
    """Of what ends on another line, all of its first one."""
    line = getattr(node, "lineno", 1)
    text = lines[line - 1] if line <= len(lines) else ""
    start = _characters(text, getattr(node, "col_offset", 0))
    one_line = getattr(node, "end_lineno", line) == line
    end = _characters(text, getattr(node, "end_col_offset", 0)) if one_line else len(text)
    return line, start + 1, max(end, start + 1) + 1


def path_of(node: ast.expr) -> list[str]:
    """The names of `a.b.c`, or nothing if it is something else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []


def _named_in(tree: ast.AST, bound: Bindings) -> Iterator[tuple[ast.expr, str]]:
    """Every name that is read, and every text that names a tool to `call_tool`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and path_of(node.func) in BY_NAME:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first, first.value
        elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
            path = path_of(node)
            if path and path[0] not in bound.names:
                yield node, ".".join(path[1:] if path[0] == "aio" else path)


def _use(hint: ToolHint, place: Place) -> Use:
    return Use(hint.own_name, hint.granted, *place)


def _line_starts(code: str) -> list[int]:
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _place(starts: list[int], start: int, end: int) -> Place:
    line = bisect_right(starts, start)
    return line, start - starts[line - 1] + 1, end - starts[line - 1] + 1


def _characters(text: str, octets: int) -> int:
    """A column as the parser counts it, in bytes, as characters."""
    return octets if text.isascii() else len(text.encode()[:octets].decode(errors="ignore"))
