"""Which commands of a script neither the shell, nor the script itself, nor a tool has; nothing is executed."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

from bashkit import AnalyzedCommand, Bash, BashError

_AT = re.compile(r"line (\d+), column (\d+): (.*)", re.DOTALL)
_ANYTHING = frozenset(("eval", "source", ".", "alias", "enable", "hash", "chmod"))
"""What may make commands of any name."""
_ASKS = frozenset(("command", "type", "which", "hash"))
_OWN = frozenset(("tools", "help", "call_tool", "exit"))
"""The studio's."""


@dataclass(frozen=True, slots=True)
class WrongCommand:
    """A place in the text; lines and columns count from 1, columns in characters."""

    line: int
    column: int
    end_column: int
    name: str
    """The command that nobody has; empty: the shell cannot read the script."""
    text: str = ""
    """What the shell says of it."""


def wrong_commands(code: str, tools: Collection[str]) -> list[WrongCommand]:
    """The first mistake of a script that the shell cannot read, else each command that there is not, where that is
    certain."""
    try:
        # Read by the very shell that would execute it.
        found = _reader().analyze(code)
    except BashError as error:
        return list(_mistake(str(error), code))
    names = [command.name for command in found.commands if command.name]
    if found.truncated or _ANYTHING.intersection(names) or "PATH=" in code or "command_not_found_handle" in code:
        return []
    known = {*shell_commands(), *_OWN, *found.functions, *tools, *_asked_for(found.commands)}
    # A name with a slash is a file's, which the script may have made.
    missing = dict.fromkeys(name for name in names if name not in known and "/" not in name)
    return sorted((place for name in missing for place in _places(code, name)), key=lambda each: each.line)


@cache
def _reader() -> Bash:
    """A shell that only reads: to make one takes a hundred times as long as to read a script."""
    return Bash()


@cache
def shell_commands() -> frozenset[str]:
    """Everything that the shell has by itself, words such as `if` among it."""
    return frozenset(Bash(python=True).execute_sync("compgen -c").stdout.split())


def _asked_for(commands: Collection[AnalyzedCommand]) -> Iterator[str]:
    """What the script itself looks for, as by `command -v x`."""
    for command in commands:
        if command.name in _ASKS:
            yield from (word for word in command.args if word)


def _mistake(error: str, code: str) -> Iterator[WrongCommand]:
    found = _AT.search(error)
    if found is not None:
        lines = code.split("\n")
        line = min(int(found[1]), len(lines))
        column = min(int(found[2]), len(lines[line - 1]) + 1) if line == int(found[1]) else len(lines[line - 1]) + 1
        yield WrongCommand(line, column, column + 1, "", found[3].removeprefix("syntax error: "))


def _places(code: str, name: str) -> Iterator[WrongCommand]:
    """Where the command stands: where a command can begin, if the word is there at all."""
    word = rf"(?<![\w./$-]){re.escape(name)}(?![\w./=-])"
    begins = re.compile(
        rf"(?:^|[|;&({{!`]|\b(?:then|do|else|elif|if|while|until|time)\s)\s*(?P<name>{word})", re.MULTILINE
    )
    match = begins.search(code) or re.search(rf"(?P<name>{word})", code)
    if match is not None:
        start = match.start("name")
        column = start - code.rfind("\n", 0, start)
        yield WrongCommand(code.count("\n", 0, start) + 1, column, column + len(name), name)
