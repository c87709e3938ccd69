"""Completes Python with jedi, which is told of the tools by stubs."""

import logging
import re
from collections.abc import Sequence
from functools import lru_cache

from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.jedi_process import JediFailed, JediProcess
from ptc_studio.ui.language.shown_hints import shown_hint
from ptc_studio.ui.language.suggestions import MOST, Kind, Suggestion

log = logging.getLogger(__name__)
KINDS: dict[str, Kind] = {
    "function": "function",
    "class": "class",
    "module": "module",
    "keyword": "keyword",
    "namespace": "module",
    "param": "parameter",
}
_WORD = re.compile(r"[^\W\d]\w*")


class PythonCompletion:
    """Asks a process of its own, so its answers take their time: never for the thread of the window."""

    def __init__(self, jedi: JediProcess | None = None) -> None:
        self._jedi = jedi or JediProcess()

    def warm_up(self) -> None:
        """Has jedi loaded and what it needs; takes seconds the first time, all of them in its own process."""
        self._ask("import asyncio\nasyncio.", 2, 8)

    def complete(self, code: str, line: int, column: int, hints: tuple[ToolHint, ...]) -> list[Suggestion]:
        """What may stand at that place; the line counts from 1, the column from 0. Nothing if jedi has no answer."""
        words = set(_WORD.findall(code))
        # Of two thousand tools a script speaks of few, and jedi reads what stands before it anew at every word.
        prefix = stubs(tuple(hint for hint in hints if hint.name.partition(".")[0] in words))
        found = self._ask(prefix + code, line + prefix.count("\n"), column)
        return [Suggestion(name, KINDS.get(kind, "name"), kind) for name, kind in found]

    def _ask(self, code: str, line: int, column: int) -> Sequence[tuple[str, str]]:
        try:
            return self._jedi.ask(code, line, column, MOST)
        except (JediFailed, OSError) as error:
            log.warning("Python is not completed: %s", error)
            return []

    def close(self) -> None:
        """Ends the process."""
        self._jedi.close()


@lru_cache(maxsize=4)
def stubs(hints: tuple[ToolHint, ...]) -> str:
    """Definitions of the tools, as text to put before a script: the same that are exported for type checkers."""
    from ptc_studio.exports.pyi import pyi

    return pyi([shown_hint(hint) for hint in hints])
