"""Completes Python with jedi, which is told of the tools by stubs; slow, so never for the thread of the window."""

import re
from functools import lru_cache
from typing import Any

from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.shown_hints import shown_hint
from ptc_studio.ui.language.suggestions import MOST, Kind, Suggestion

KINDS: dict[str, Kind] = {
    "function": "function",
    "class": "class",
    "module": "module",
    "keyword": "keyword",
    "namespace": "module",
    "param": "parameter",
}
_WORD = re.compile(r"[^\W\d]\w*")


def warm_up() -> None:
    """Loads jedi and what it needs; takes seconds the first time."""
    complete("import asyncio\nasyncio.", 2, 8, ())


def complete(code: str, line: int, column: int, hints: tuple[ToolHint, ...]) -> list[Suggestion]:
    """What may stand at that place; the line counts from 1, the column from 0."""
    import jedi

    words = set(_WORD.findall(code))
    # Of two thousand tools a script speaks of few, and jedi reads what stands before it anew at every word.
    prefix = stubs(tuple(hint for hint in hints if hint.name.partition(".")[0] in words))
    script = jedi.Script(prefix + code, environment=jedi.InterpreterEnvironment())
    found: list[Any] = script.complete(line + prefix.count("\n"), column)
    return [_suggestion(each) for each in found[:MOST]]


@lru_cache(maxsize=4)
def stubs(hints: tuple[ToolHint, ...]) -> str:
    """Definitions of the tools, as text to put before a script: the same that are exported for type checkers."""
    from ptc_studio.exports.pyi import pyi

    return pyi([shown_hint(hint) for hint in hints])


def _suggestion(found: Any) -> Suggestion:
    kind = KINDS.get(found.type, "name")
    return Suggestion(found.name_with_symbols, kind, found.type)
