"""Has a compiler check the types of a script against the declarations of its tools."""

from ptc_studio.runtimes.type_check.checker import TypeChecker
from ptc_studio.runtimes.type_check.compilers import how_to_install
from ptc_studio.runtimes.type_check.diagnostics import Diagnostic
from ptc_studio.runtimes.type_check.question import Question

__all__ = ["Diagnostic", "Question", "TypeChecker", "how_to_install"]
