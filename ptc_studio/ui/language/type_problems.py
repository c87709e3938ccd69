"""Finds what a compiler of TypeScript refuses in a script; slow, so never for the thread of the window."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.ui.language.declarations import declarations
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.problems import Problem, find_problems

if TYPE_CHECKING:
    from ptc_studio.runtimes.type_check import TypeChecker

TYPED = frozenset({"typescript"})
"""The languages that are checked."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in a script."""

    problems: list[Problem]
    note: str = ""
    """What would let more be found, where something is missing for that."""


@dataclass(frozen=True, slots=True)
class Look:
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

    def findings(self, look: Look, unwanted: Callable[[], bool] = lambda: False) -> Findings:
        """All problems: those that are found in every language, and the compiler's."""
        from ptc_studio.runtimes.type_check import Question

        problems = find_problems(look.code, look.language, look.hints)
        if self._checker is None:
            self._checker = self._make()
        if self._checker.compiler(look.folder) is None:
            return Findings(problems, _remedy())
        question = Question(look.code, declarations(look.code, look.hints), look.folder)
        for found in self._checker.check(question, unwanted) or ():
            problems.append(Problem(found.line, found.column, found.end_column, "error", found.message))
        return Findings(sorted(problems, key=lambda each: (each.line, each.column)))


def _type_checker() -> "TypeChecker":
    from ptc_studio.runtimes.type_check import TypeChecker

    return TypeChecker()


def _remedy() -> str:
    from ptc_studio.runtimes.type_check import how_to_install

    command = how_to_install()
    return f"Types are not checked, for neither Deno nor tsc is installed{f': {command}' if command else '.'}"
