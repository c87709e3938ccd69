"""Finds what is wrong in a script before it runs: its syntax, the names of tools, their arguments and their grants."""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from ptc_studio.core.names import free_name, is_displaced
from ptc_studio.core.python_text import parsed, read_steadily
from ptc_studio.locations import load_python_kit
from ptc_studio.ui.language.hints import ToolHint, by_name
from ptc_studio.ui.language.tool_mentions import (
    Bindings,
    ToolUse,
    bindings_of,
    path_of,
    place_in,
    unknown_in,
    uses_in,
    uses_in_python,
)

Finding = tuple[ast.AST, str]


def argument_problems(hint: ToolHint, call: ast.Call, given: ast.Dict | None = None) -> Iterator[Finding]:
    """What is missing, unknown or too much; `given` is the dict of a `call_tool`.

    Whatever `*` or `**` may bring is never reported.
    """
    found = _named(call, given)
    positional = [] if given else [each for each in call.args if not isinstance(each, ast.Starred)]
    starred = not given and len(positional) < len(call.args)
    by_place = [parameter.name for parameter in hint.parameters if not parameter.keyword_only]
    if not starred:
        yield from _too_many(hint, positional, by_place)
    yield from _unknown(hint, found)
    placed = [] if starred else by_place[: len(positional)]
    yield from ((found[name], f"{hint.name} is given {name!r} twice") for name in placed if name in found)
    if not starred and not _has_stars(call, given):
        yield from _missing(hint, call.func if given is None else call, {*placed, *found})


def _named(call: ast.Call, given: ast.Dict | None) -> dict[str, ast.AST]:
    if given is None:
        return {each.arg: each for each in call.keywords if each.arg is not None}
    return {key.value: key for key in given.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}


def _has_stars(call: ast.Call, given: ast.Dict | None) -> bool:
    """Whether more may come than what is written; a computed key counts as well."""
    if given is None:
        return any(each.arg is None for each in call.keywords)
    return any(not isinstance(key, ast.Constant) for key in given.keys)


def _too_many(hint: ToolHint, positional: list[ast.expr], by_place: list[str]) -> Iterator[Finding]:
    if len(positional) > len(by_place):
        takes = f"takes {len(by_place)}" if by_place else "takes none"
        yield positional[len(by_place)], f"{hint.name} {takes} by position, {len(positional)} given"


def _unknown(hint: ToolHint, found: dict[str, ast.AST]) -> Iterator[Finding]:
    names = [parameter.name for parameter in hint.parameters]
    for name, node in found.items():
        if name not in names:
            close = get_close_matches(name, names, n=1, cutoff=0.6)
            better = f": did you mean {close[0]!r}?" if close else ""
            yield node, f"{hint.name} has no parameter {name!r}{better}"


def _missing(hint: ToolHint, where: ast.AST, have: set[str]) -> Iterator[Finding]:
    missing = [each.name for each in hint.parameters if each.required and each.name not in have]
    if missing:
        yield where, f"{hint.name} needs {', '.join(map(repr, missing))}"


Severity = Literal["error", "warning"]
ALWAYS_KNOWN = frozenset({"call_tool", "call_tool_async", "aio", "__file__", "__builtins__", *dir(builtins)})
CLOSE = 0.75
FILE_NAME = "<script>"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to mend, and where. Lines and columns count from 1, columns in characters."""

    line: int
    column: int
    end_column: int
    """Just after the last character."""
    severity: Severity
    message: str
    ungranted: str = ""
    """The tool that the script would have to be granted, where that would mend it."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a look at a script brings."""

    problems: list[Problem]
    uses: list[ToolUse] | None = None
    """The tools that it uses; None if it cannot be read as it is now."""
    note: str = ""
    """What would let more be found, where something is missing for that."""


def find_problems(code: str, language: str, hints: Iterable[ToolHint] = ()) -> list[Problem]:
    """Everything that is wrong; whatever is no tool's is found in Python alone, other languages have compilers."""
    return look_over(code, language, hints).problems


def look_over(
    code: str,
    language: str,
    hints: Iterable[ToolHint] = (),
    names: Iterable[str] = (),
    *,
    conventions: bool = True,
) -> Findings:
    """The problems of a script, and the tools that it uses; `names`: what else it finds defined.

    Without `conventions`, how it calls tools is not looked at: where it is going, that is another.
    """
    known = by_name(hints)
    if language != "python":
        uses = uses_in(code, language, known)
        unknown = [
            Problem(*place, "error", _no_tool(name, known, 0.5))
            for name, place in (unknown_in(code, language, known) if conventions else ())
        ]
        return Findings(sorted([*unknown, *_unusable(uses)], key=lambda found: (found.line, found.column)), uses)
    try:
        tree = parsed(code, FILE_NAME)
        # As the kit does: a script may return at its top level, and await there.
        load_python_kit()
        from ptc_kit import script

        read_steadily(script.compile_script, code, FILE_NAME)
    except SyntaxError as error:
        return Findings([_syntax_problem(error, code)], None)
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return Findings([Problem(1, 1, 2, "error", f"Python cannot read this script: {error}")], None)
    # What Python has keeps its name, whatever tool has it as well.
    free = {name: hint for name, hint in known.items() if not is_displaced(name)}
    return _ScriptCheck(tree, code, free, names, known).findings(conventions)


def _unusable(uses: Iterable[ToolUse]) -> list[Problem]:
    """Those that are not granted, or cannot be called by anybody."""
    return [
        Problem(use.line, use.column, use.end_column, "error", use.fault)
        if use.fault
        else Problem(
            use.line, use.column, use.end_column, "warning", f"uses `{use.tool}`, not granted", ungranted=use.tool
        )
        for use in uses
        if use.fault or not use.granted
    ]


def _no_tool(name: str, hints: Mapping[str, ToolHint], cutoff: float) -> str:
    close = get_close_matches(name, hints, n=1, cutoff=cutoff)
    return f"no tool {name!r}: did you mean {close[0]}?" if close else f"no tool {name!r}"


class _ScriptCheck:
    """Looks at every call of one script."""

    def __init__(
        self,
        tree: ast.AST,
        code: str,
        hints: dict[str, ToolHint],
        names: Iterable[str] = (),
        by_text: Mapping[str, ToolHint] | None = None,
    ) -> None:
        """`by_text`: what `call_tool` knows, if that is more."""
        self._tree = tree
        self._lines = code.split("\n")
        self._hints = hints
        self._by_text = by_text or hints
        self._bound: Bindings = bindings_of(tree)
        self._namespaces = frozenset(name.split(".")[0] for name in hints if "." in name)
        self._rooms = frozenset(name.rsplit(".", 1)[0] for name in hints if "." in name)
        self._known = ALWAYS_KNOWN | self._namespaces | frozenset(names)

    def findings(self, conventions: bool) -> Findings:
        uses = uses_in_python(self._tree, self._bound, self._lines, self._hints)
        problems = [*(self._problems() if conventions else ()), *_unusable(uses)]
        return Findings(sorted(problems, key=lambda found: (found.line, found.column)), uses)

    def _problems(self) -> Iterator[Problem]:
        called: set[ast.AST] = set()
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                found = list(self._in_call(node))
                called.update([_root(node.func)] if found else [])
                yield from found
            elif isinstance(node, ast.Import):
                yield from self._hidden_tools(node)
        yield from self._unknown_names(called)

    def _hidden_tools(self, node: ast.Import) -> Iterator[Problem]:
        """A module that takes the name of tools, which have another beside it."""
        for alias in node.names:
            name = alias.asname or alias.name
            if name in self._namespaces and (twin := free_name(f"{name}.x").partition(".")[0]) in self._namespaces:
                yield self._at(node, "warning", f"the module {name!r} has the name of tools, which are `{twin}` here")

    def _unknown_names(self, told: set[ast.AST]) -> Iterator[Problem]:
        """Names that neither Python nor a tool has; those that are told already are left out."""
        if not self._hints or self._bound.by_star:
            return
        for node in ast.walk(self._tree):
            known = not isinstance(node, ast.Name) or node.id in self._bound.names or node.id in self._known
            if isinstance(node, ast.Name) and not known and node not in told and node.id not in self._hints:
                close = get_close_matches(node.id, [*self._known, *self._bound.names, *self._hints], n=1, cutoff=CLOSE)
                why = (
                    f"did you mean {close[0]!r}?" if close else "neither Python nor a tool of this script has the name"
                )
                text = f"{node.id!r} is not known: {why}"
                yield self._at(node, "error", text)

    def _in_call(self, call: ast.Call) -> Iterator[Problem]:
        path = path_of(call.func)
        if not path or path[0] in self._bound.names:
            return
        if path in (["call_tool"], ["call_tool_async"]):
            yield from self._in_call_by_name(call)
            return
        name = ".".join(path[1:] if path[0] == "aio" and len(path) > 1 else path)
        hint = self._hints.get(name)
        if hint is not None:
            yield from self._reported(argument_problems(hint, call))
        elif path[0] == "aio" or (path[0] in self._namespaces and name not in self._rooms):
            yield from self._unknown(call.func, name, certain=bool(self._hints))
        elif not self._bound.by_star and path[0] not in self._known:
            yield from self._unknown(call.func, name, certain=False)

    def _in_call_by_name(self, call: ast.Call) -> Iterator[Problem]:
        first = call.args[0] if call.args else None
        if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
            return
        hint = self._by_text.get(first.value)
        if hint is None:
            yield from self._unknown(first, first.value, certain=bool(self._hints))
            return
        given = call.args[1] if len(call.args) > 1 else _keyword(call, "arguments")
        if given is None and not any(isinstance(each, ast.Starred) for each in call.args):
            given = ast.copy_location(ast.Dict([], []), call) if not call.keywords else None
        if isinstance(given, ast.Dict):
            yield from self._reported(argument_problems(hint, call, given))

    def _unknown(self, node: ast.expr, name: str, *, certain: bool) -> Iterator[Problem]:
        message = _no_tool(name, self._hints, CLOSE if not certain else 0.5)
        if certain or message.endswith("?"):
            yield self._at(node, "error", message)

    def _reported(self, found: Iterable[tuple[ast.AST, str]]) -> Iterator[Problem]:
        return (self._at(node, "error", message) for node, message in found)

    def _at(self, node: ast.AST, severity: Severity, message: str) -> Problem:
        return Problem(*place_in(self._lines, node), severity, message)


def _root(node: ast.expr) -> ast.expr:
    """The `a` of `a.b.c`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg == name), None)


def _syntax_problem(error: SyntaxError, code: str) -> Problem:
    lines: Sequence[str] = code.splitlines() or [""]
    line = min(max(error.lineno or 1, 1), len(lines))
    text = lines[line - 1]
    column = min(max(error.offset or 1, 1), len(text) + 1) if line == error.lineno else len(text) + 1
    same_line = error.end_lineno == error.lineno and (error.end_offset or 0) > column
    end = error.end_offset if same_line and error.end_offset else column + 1
    return Problem(line, column, end, "error", error.msg or "invalid syntax")
