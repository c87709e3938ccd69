"""Finds where a script calls an alias by its name, so that the name can follow when it changes. Knows no Qt."""

import ast
from collections.abc import Iterable

from ptc_studio.core.registry import identifier
from ptc_studio.ui.language.bindings import bindings_of
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.spoken_names import spoken_in
from ptc_studio.ui.language.uses import Use, uses_in, uses_in_python

Place = tuple[int, int, int]
"""Line and column of a name, counted from 0 in characters, and its length."""


def uses_of(name: str, text: str, language: str) -> list[Place]:
    """Every place where the alias is called or handed on, in order; not what only looks so in texts and comments."""
    if language == "wat":
        # Its texts have their lengths written elsewhere: another name would break them.
        return []
    written = dict.fromkeys((name, identifier(name)))
    hints = {each: ToolHint(each) for each in written}
    lines = text.split("\n")
    found = _in_python(text, lines, hints) if language == "python" else uses_in(text, language, hints)
    if found is None:
        return _in_unfinished(text, lines, written)
    spans = ((use.line - 1, use.column - 1, use.end_column - 1) for use in found)
    return [place for line, start, end in spans if (place := _within(lines[line], line, start, end, written))]


def _in_python(text: str, lines: list[str], hints: dict[str, ToolHint]) -> list[Use] | None:
    """None for a script that Python cannot read, such as one that is being typed."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return uses_in_python(tree, bindings_of(tree), lines, hints)


def _in_unfinished(text: str, lines: list[str], written: Iterable[str]) -> list[Place]:
    """As far as words tell it."""
    wanted = {*written, *(f"aio.{each}" for each in written)}
    places: list[Place] = []
    for spoken in sorted(spoken_in(text, "python"), key=lambda each: each.start):
        if spoken.name in wanted:
            line = text.count("\n", 0, spoken.start)
            start = spoken.start - (text.rfind("\n", 0, spoken.start) + 1)
            place = _within(lines[line], line, start, start + spoken.end - spoken.start, written)
            places += [place] if place else []
    return places


def _within(line: str, number: int, start: int, end: int, written: Iterable[str]) -> Place | None:
    """Where in `aio.team`, `tools.team` or `"team"` the name itself stands."""
    for name in written:
        at = line.rfind(name, start, end)
        if at >= 0:
            return number, at, len(name)
    return None
