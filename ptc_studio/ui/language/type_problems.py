"""Finds what a compiler of TypeScript refuses in a script; slow, so never for the thread of the window."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.ui.language.declarations import declarations
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.problems import Findings, Problem, look_over

if TYPE_CHECKING:
    from ptc_studio.runtimes.type_check import TypeChecker

TYPED = frozenset({"typescript"})
"""The languages that are checked."""


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

        found = look_over(look.code, look.language, look.hints)
        if self._checker is None:
            self._checker = self._make()
        if self._checker.compiler(look.folder) is None:
            return replace(found, note=_remedy())
        question = Question(look.code, declarations(look.code, look.hints), look.folder)
        refused = [
            Problem(each.line, each.column, each.end_column, "error", each.message)
            for each in self._checker.check(question, unwanted) or ()
        ]
        return replace(found, problems=sorted([*found.problems, *refused], key=lambda each: (each.line, each.column)))


def _type_checker() -> "TypeChecker":
    from ptc_studio.runtimes.type_check import TypeChecker

    return TypeChecker()


def _remedy() -> str:
    from ptc_studio.runtimes.type_check import how_to_install

    command = how_to_install()
    return f"Types are not checked, for neither Deno nor tsc is installed{f': {command}' if command else '.'}"
