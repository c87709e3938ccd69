"""Declarations of the tools for the compiler that checks a script."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.shown_hints import known_by_name, shown_hint

_WORD = re.compile(r"\w+")


def declarations(code: str, hints: Iterable[ToolHint]) -> str:
    """The text: what is exported for editors, whole for the tools that the script may mean.

    Of two thousand tools a script speaks of few; the others are there by name, so that no other name passes for one.
    """
    from ptc_studio.exports.dts import dts

    words = set(_WORD.findall(code))
    tools = []
    for first, *others in _by_tool(hints):
        names = [first.name, *(other.name for other in others)]
        spoken_of = any(words.issuperset(_WORD.findall(name)) for name in names)
        tools.append((shown_hint if spoken_of else known_by_name)(first, tuple(names[1:])))
    return dts(tools)


def _by_tool(hints: Iterable[ToolHint]) -> Iterator[list[ToolHint]]:
    """The hints of one tool stand together, that of its own name first, and have one schema."""
    for _, group in groupby(hints, key=lambda hint: id(hint.schema) if hint.schema is not None else hint.name):
        yield list(group)
