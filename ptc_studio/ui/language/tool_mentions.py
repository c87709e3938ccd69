"""Which tools a script uses, and where, in every language that the editor knows."""

import ast
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ptc_studio.core.python_text import parsed
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.line_lexer import ROOT, LineLexer, Piece


@dataclass(frozen=True, slots=True)
class Bindings:
    """What a script defines."""

    names: frozenset[str]
    by_star: bool
    """It imports everything from somewhere, so that any name may be defined."""


def bindings_of(tree: ast.AST) -> Bindings:
    """All scopes together: a name that is defined somewhere is never called unknown."""
    names: set[str] = set()
    for node in ast.walk(tree):
        names.update(_bound_by(node))
    return Bindings(frozenset(names), "*" in names)


def _bound_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.arg(arg=name):
            return [name]
        case ast.alias(name=name, asname=alias):
            return [alias or name.split(".")[0]]
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            return [name]
        case _:
            return []


# Begins only where a word does and gives nothing back, or a long word that is no call would be tried at every letter.
_CALL = re.compile(r"(?<!\w)((?:[A-Za-z_]\w*+\s*+\.\s*+)*+)([A-Za-z_]\w*+)(?=\s*\()")
_WORDS = "then|do|else|elif|if|while|until|time"
_COMMAND = re.compile(rf"(?:^|[|;&(`{{!]|\b(?:{_WORDS})\b)\s*+(?!(?:{_WORDS})\b)([A-Za-z_][\w.-]*+)(?!=)")
"""A command follows what ends the one before it, or a word of the shell's own, which is none itself."""
SOLID = frozenset({"string", "comment"})


def tool_spans(line: str, pieces: list[Piece], names: AbstractSet[str], language: str) -> Iterator[tuple[int, int]]:
    """Start and length of the name of each tool that is called, with `aio.` or its namespace before it."""
    if not names:
        return
    for start, end in _candidates(line, names, language):
        if not any(at <= start < at + length for at, length, kind in pieces if kind in SOLID):
            yield start, end - start


def command_spans(line: str) -> Iterator[tuple[int, int]]:
    """Where the words of a line of bash stand that are commands."""
    return (match.span(1) for match in _COMMAND.finditer(line))


def _candidates(line: str, names: AbstractSet[str], language: str) -> Iterator[tuple[int, int]]:
    if language == "bash":
        yield from ((start, end) for start, end in command_spans(line) if line[start:end] in names)
        return
    for match in _CALL.finditer(line):
        before = re.sub(r"\s", "", match[1])
        if before.removeprefix("aio.") + match[2] in names:
            yield match.span()
        elif match[2] in names:
            yield match.span(2)


_NAMED_CALL = re.compile(
    r"\b(?:must_?)?call_?tool(?:_?async|_timeout)?\b[^\"'()`]{0,200}\(\s*([\"'`])(?P<name>[^\"'`\\\n]+)\1",
    re.IGNORECASE,
)
"""`CallTool[[]Row]("x"`, `call_tool::<Value>("x"`, `callTool('x'`: whatever stands between the word and its bracket."""
_TOOLS = re.compile(r"(?<![\w.$])tools((?:\s*\??\.\s*[A-Za-z_$][\w$]*|\s*\[\s*(?:\"[^\"\n]+\"|'[^'\n]+')\s*\]){1,9})")
_STEP = re.compile(r"\.\s*([A-Za-z_$][\w$]*)|\[\s*[\"']([^\"'\n]+)[\"']\s*\]")
_COMMAND_BY_NAME = re.compile(r"\bcall_tool\s+([\"']?)(?P<name>[\w./-]+)\1")
_DATA = re.compile(r"\(data\b[^\"\n(]{0,40}(?:\([^\"\n)]{0,80}\))?[^\"\n(]{0,40}\"(?P<name>[\w.-]+)(?=\"|\{)")
_PLAIN_CALL = re.compile(r"(?<![\w.])(?P<name>[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)*+)(?=\s*\()")


@dataclass(frozen=True, slots=True)
class ToolMention:
    """A name that may be a tool's; places count in characters from the start of the text."""

    name: str
    start: int
    end: int
    anchor: int
    """The word that makes it one: where that stands in a comment or a text, nothing is called."""


def mentions_in(code: str, language: str) -> list[ToolMention]:
    """All of them, comments and texts left out."""
    found = list(_FINDERS.get(language, _in_any)(code))
    solid = Solid(code, language) if found else None
    return [each for each in found if solid is not None and not solid.holds(each.anchor)]


class Solid:
    """The comments and texts of a script, in which nothing is called."""

    def __init__(self, code: str, language: str) -> None:
        lexer, stack, start = LineLexer(language), ROOT, 0
        places: list[tuple[int, int]] = []
        for line in code.split("\n"):
            pieces, stack = lexer.lex(line, stack)
            places += [(start + at, start + at + length) for at, length, kind in pieces if kind in SOLID]
            start += len(line) + 1
        self._places = sorted(places)
        self._starts = [start for start, _ in self._places]

    def holds(self, location: int) -> bool:
        before = bisect_right(self._starts, location) - 1
        return before >= 0 and location < self._places[before][1]


def _by_pattern(pattern: re.Pattern[str]) -> Callable[[str], Iterator[ToolMention]]:
    def found(code: str) -> Iterator[ToolMention]:
        return (ToolMention(match["name"], *match.span("name"), match.start()) for match in pattern.finditer(code))

    return found


_by_name, _as_data = _by_pattern(_NAMED_CALL), _by_pattern(_DATA)
_by_itself, _by_command = _by_pattern(_PLAIN_CALL), _by_pattern(_COMMAND_BY_NAME)


def _in_javascript(code: str) -> Iterator[ToolMention]:
    yield from _by_name(code)
    for match in _TOOLS.finditer(code):
        path: list[str] = []
        # `tools.calc.mul.name` may mean `calc`, `calc.mul` or more: those that there are will be known.
        for step in _STEP.finditer(code, match.start(1), match.end(1)):
            path.append(step[1] or step[2])
            yield ToolMention(".".join(path), match.start(), step.end(), match.start())


def _in_bash(code: str) -> Iterator[ToolMention]:
    yield from _by_command(code)
    start = 0
    for line in code.split("\n"):
        yield from (
            ToolMention(line[first:last], start + first, start + last, start + first)
            for first, last in command_spans(line)
        )
        start += len(line) + 1


def _in_any(code: str) -> Iterator[ToolMention]:
    """A language of the user's own: its kit may make functions of tools, or call them by name."""
    yield from _by_name(code)
    yield from _by_itself(code)


_FINDERS: dict[str, Callable[[str], Iterator[ToolMention]]] = {
    "javascript": _in_javascript,
    "typescript": _in_javascript,
    "go": _by_name,
    "rust": _by_name,
    "csharp": _by_name,
    "bash": _in_bash,
    # No calls by name here, only texts in the memory: one that is a tool's name is taken for it.
    "wat": _as_data,
}


CERTAIN = frozenset({"javascript", "typescript", "go", "rust", "csharp"})
"""Languages in which what looks like a tool can be nothing else."""
BY_NAME = (["call_tool"], ["call_tool_async"])
Place = tuple[int, int, int]
"""Line, column and the column behind it."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One place at which a tool is named. Lines and columns count from 1, columns in characters."""

    tool: str
    """The tool's or alias's own name, whatever name is written."""
    granted: bool
    fault: str
    """Why nobody can call it; mostly empty."""
    line: int
    column: int
    end_column: int
    """Just after the last character."""


def uses_in(code: str, language: str, hints: Mapping[str, ToolHint]) -> list[ToolUse]:
    """The uses in a script that is not Python, in their order."""
    found = {each.start: each for each in mentions_in(code, language) if each.name in hints}
    starts = _line_starts(code) if found else []
    return [_use(hints[found[start].name], _location(starts, start, found[start].end)) for start in sorted(found)]


_DOTTED_CALL = re.compile(r"(?<![\w.$])([A-Za-z_$][\w$]*+(?:\s*+\??\.\s*+[A-Za-z_$][\w$]*+)*+)(?=\s*\()")
_IMPORT = re.compile(
    r"""\bimport\s+(?:\*\s*as\s+(?P<space>[\w$]+)|\{(?P<members>[^{}]*)\})\s*from\s*["'](?P<module>[^"'\n]+)["']"""
)


def uses_there(code: str, language: str, hints: Mapping[str, ToolHint], root: str = "") -> list[ToolUse]:
    """The uses in a script whose target has names of its own for tools, by which `hints` has them.

    `root` stands before the names there; what is imported is followed to the module's last part.
    """
    if language == "python":
        try:
            tree = parsed(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        return uses_in_python(tree, bindings_of(tree), code.split("\n"), hints)
    imported = dict(_imported(code))
    found: dict[int, ToolMention] = {each.start: each for each in mentions_in(code, language) if each.name in hints}
    solid = Solid(code, language)
    for match in _DOTTED_CALL.finditer(code):
        first, dot, rest = re.sub(r"[\s?]", "", match[1]).partition(".")
        path = f"{imported.get(first, first)}{dot}{rest}"
        name = path.removeprefix(f"{root}.") if root else path
        if name in hints and not solid.holds(match.start()):
            found.setdefault(match.start(), ToolMention(name, *match.span(1), match.start()))
    starts = _line_starts(code) if found else []
    return [_use(hints[found[start].name], _location(starts, start, found[start].end)) for start in sorted(found)]


def _imported(code: str) -> Iterator[tuple[str, str]]:
    """What a script of JavaScript imports, by the name that it gives it: `shop.price`, or a whole `shop`."""
    for match in _IMPORT.finditer(code):
        parts = [part for part in match["module"].split("/") if part not in ("", ".", "..", "servers", "index.ts")]
        space = re.sub(r"\.[mc]?[jt]s$", "", parts[0]) if parts else ""
        if match["space"]:
            yield match["space"], space
        for member in (match["members"] or "").split(","):
            name, _, alias = member.strip().partition(" as ")
            if name:
                yield (alias or name).strip(), f"{space}.{name.strip()}"


def unknown_in(code: str, language: str, hints: Mapping[str, ToolHint]) -> Iterator[tuple[str, Place]]:
    """The names that such a script takes for a tool's, and where, that are none; only where that is certain."""
    if language not in CERTAIN or not hints:
        return
    spaces = {name[:at] for name in hints for at, letter in enumerate(name) if letter == "."}
    found: dict[int, list[ToolMention]] = {}
    for each in mentions_in(code, language):
        found.setdefault(each.start, []).append(each)
    starts = _line_starts(code) if found else []
    for mentions in found.values():
        if not any(each.name in hints for each in mentions):
            wrong = next((each for each in mentions if each.name not in spaces), None)
            if wrong is not None:
                yield wrong.name, _location(starts, wrong.start, wrong.end)


def uses_in_python(tree: ast.AST, bound: Bindings, lines: list[str], hints: Mapping[str, ToolHint]) -> list[ToolUse]:
    """The same of a script that Python has read: calls, and tools that are handed on, as in `map(add, ...)`."""
    found: dict[tuple[int, int], ToolUse] = {}
    for node, name in _named_in(tree, bound):
        hint = hints.get(name)
        if hint is not None:
            use = _use(hint, place_in(lines, node))
            found.setdefault((use.line, use.column), use)
    return [found[location] for location in sorted(found)]


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


def _use(hint: ToolHint, location: Place) -> ToolUse:
    return ToolUse(hint.own_name, hint.granted, hint.fault, *location)


def _line_starts(code: str) -> list[int]:
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _location(starts: list[int], start: int, end: int) -> Place:
    line = bisect_right(starts, start)
    return line, start - starts[line - 1] + 1, end - starts[line - 1] + 1


def _characters(text: str, octets: int) -> int:
    """A column as the parser counts it, in bytes, as characters."""
    return octets if text.isascii() else len(text.encode()[:octets].decode(errors="ignore"))
