"""Where a text names tools, as far as words tell it: for the languages that are not parsed here."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ptc_studio.ui.language.line_lexer import ROOT, LineLexer
from ptc_studio.ui.language.tool_calls import SOLID, command_spans

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
class Spoken:
    """A name that may be a tool's; places count in characters from the start of the text."""

    name: str
    start: int
    end: int
    anchor: int
    """The word that makes it one: where that stands in a comment or a text, nothing is called."""


def spoken_in(code: str, language: str) -> list[Spoken]:
    """All of them, comments and texts left out."""
    found = list(_FINDERS.get(language, _in_any)(code))
    solid = _solid(code, language) if found else []
    starts = [start for start, _ in solid]

    def in_text(place: int) -> bool:
        before = bisect_right(starts, place) - 1
        return before >= 0 and place < solid[before][1]

    return [each for each in found if not in_text(each.anchor)]


def _solid(code: str, language: str) -> list[tuple[int, int]]:
    """Where comments and texts begin and end."""
    lexer, stack, start = LineLexer(language), ROOT, 0
    solid: list[tuple[int, int]] = []
    for line in code.split("\n"):
        pieces, stack = lexer.lex(line, stack)
        solid += [(start + at, start + at + length) for at, length, kind in pieces if kind in SOLID]
        start += len(line) + 1
    return sorted(solid)


def _by_pattern(pattern: re.Pattern[str]) -> Callable[[str], Iterator[Spoken]]:
    def found(code: str) -> Iterator[Spoken]:
        return (Spoken(match["name"], *match.span("name"), match.start()) for match in pattern.finditer(code))

    return found


_by_name, _as_data = _by_pattern(_NAMED_CALL), _by_pattern(_DATA)
_by_itself, _by_command = _by_pattern(_PLAIN_CALL), _by_pattern(_COMMAND_BY_NAME)


def _in_javascript(code: str) -> Iterator[Spoken]:
    yield from _by_name(code)
    for match in _TOOLS.finditer(code):
        path: list[str] = []
        # `tools.calc.mul.name` may mean `calc`, `calc.mul` or more: those that there are will be known.
        for step in _STEP.finditer(code, match.start(1), match.end(1)):
            path.append(step[1] or step[2])
            yield Spoken(".".join(path), match.start(), step.end(), match.start())


def _in_bash(code: str) -> Iterator[Spoken]:
    yield from _by_command(code)
    start = 0
    for line in code.split("\n"):
        yield from (
            Spoken(line[first:last], start + first, start + last, start + first) for first, last in command_spans(line)
        )
        start += len(line) + 1


def _in_any(code: str) -> Iterator[Spoken]:
    """A language of the user's own: its kit may make functions of tools, or call them by name."""
    yield from _by_name(code)
    yield from _by_itself(code)


_FINDERS: dict[str, Callable[[str], Iterator[Spoken]]] = {
    "javascript": _in_javascript,
    "typescript": _in_javascript,
    "go": _by_name,
    "rust": _by_name,
    "csharp": _by_name,
    "bash": _in_bash,
    # No calls by name here, only texts in the memory: one that is a tool's name is taken for it.
    "wat": _as_data,
}
