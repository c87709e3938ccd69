"""Finds what a compiler of TypeScript refuses in a script; slow, so never for the thread of the window."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.ui.language.hints import ToolHint, known_by_name, shown_hint
from ptc_studio.ui.language.problems import Findings, Problem, look_over

if TYPE_CHECKING:
    from ptc_studio.runtimes.type_check import TypeChecker


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


TYPED = frozenset({"typescript"})
"""The languages that are checked."""


@dataclass(frozen=True, slots=True)
class TypeCheckInput:
    """A text to look at."""

    code: str
    language: str
    hints: tuple[ToolHint, ...]
    folder: Path | None = None
    """Where its file lies, if it has one."""


class ScriptTypes:
    """Has scripts checked; the compiler is looked for at the first."""

    def __init__(self, make: "Callable[[], TypeChecker] | None" = None) -> None:
        self._make = make or _type_checker
        self._checker: TypeChecker | None = None

    def findings(self, refresh: TypeCheckInput, unwanted: Callable[[], bool] = lambda: False) -> Findings:
        """All problems: those that are found in every language, and the compiler's."""
        from ptc_studio.runtimes.type_check import TypeCheckRequest

        found = look_over(refresh.code, refresh.language, refresh.hints)
        if self._checker is None:
            self._checker = self._make()
        if self._checker.compiler(refresh.folder) is None:
            return replace(found, note=_remedy())
        question = TypeCheckRequest(refresh.code, declarations(refresh.code, refresh.hints), refresh.folder)
        refused = [
            Problem(each.line, each.column, each.end_column, "error", each.message)
            for each in self._checker.check(question, unwanted) or ()
        ]
        # What the compiler says of a line that is wrong is the better word.
        own = [
            each for each in found.problems if each.severity != "error" or each.line not in {r.line for r in refused}
        ]
        return replace(found, problems=sorted([*own, *refused], key=lambda each: (each.line, each.column)))


def _type_checker() -> "TypeChecker":
    from ptc_studio.runtimes.type_check import TypeChecker

    return TypeChecker()


def _remedy() -> str:
    from ptc_studio.runtimes.type_check import how_to_install

    command = how_to_install()
    return f"Types are not checked, for neither Deno nor tsc is installed{f': {command}' if command else '.'}"
