"""Has a compiler check the types of a script against the declarations of its tools."""

from ptc_studio.runtimes.type_check.checker import TypeChecker
from ptc_studio.runtimes.type_check.compilers import Diagnostic, Question, how_to_install

__all__ = ["Diagnostic", "Question", "TypeChecker", "how_to_install"]
