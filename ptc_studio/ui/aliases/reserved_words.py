"""Words that the languages of the runtimes keep for themselves, and names that scripts know already. Knows no Qt."""

import builtins
import keyword

from ptc_studio.runtimes.bash.reserved import RESERVED as SHELL_WORDS

_SHELL_GRAMMAR = "if then elif else fi for while until do done case esac in select function time coproc"
_JAVASCRIPT = """
arguments await break case catch class const continue debugger default delete do else enum eval export extends false
finally for function if implements import in instanceof interface let new null package private protected public return
static super switch this throw true try typeof var void while with yield
"""
_GO = """
break case chan const continue default defer else fallthrough for func go goto if import interface map package range
return select struct switch type var
"""
_RUST = """
as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub
ref return self static struct super trait true type unsafe use where while
"""
_CSHARP = """
abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else
enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock
long namespace new null object operator out override params private protected public readonly ref return sbyte sealed
short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using
virtual void volatile while
"""
KEYWORDS: dict[str, frozenset[str]] = {
    "Python": frozenset(keyword.kwlist),
    "bash": frozenset(_SHELL_GRAMMAR.split()),
    "JavaScript": frozenset(_JAVASCRIPT.split()),
    "Go": frozenset(_GO.split()),
    "Rust": frozenset(_RUST.split()),
    "C#": frozenset(_CSHARP.split()),
}
STUDIO_NAMES = frozenset(("aio", "call_tool", "call_tool_async", "callTool", "tools"))
"""What scripts have beside their tools."""
PYTHON_BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_")) - KEYWORDS["Python"]
SHELL_COMMANDS = SHELL_WORDS - KEYWORDS["bash"]


def language_with(word: str) -> str | None:
    """The first language of which it is a keyword."""
    return next((language for language, words in KEYWORDS.items() if word in words), None)
