"""Has a compiler check the types of a script against the declarations of its tools."""

from ptc_studio.runtimes.type_check.checker import TypeChecker
from ptc_studio.runtimes.type_check.compilers import Diagnostic, TypeCheckRequest, how_to_install

__all__ = ["Diagnostic", "TypeCheckRequest", "TypeChecker", "how_to_install"]
