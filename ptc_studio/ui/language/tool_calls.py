"""Where tools are called in a line of code, so that their names can be drawn as such."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ptc_studio.ui.language.line_lexer import Piece

# Begins only where a word does and gives nothing back, or a long word that is no call would be tried at every letter.
_CALL = re.compile(r"(?<!\w)((?:[A-Za-z_]\w*+\s*+\.\s*+)*+)([A-Za-z_]\w*+)(?=\s*\()")
_WORDS = "then|do|else|elif|if|while|until|time"
_COMMAND = re.compile(rf"(?:^|[|;&(`{{!]|\b(?:{_WORDS})\b)\s*+(?!(?:{_WORDS})\b)([A-Za-z_][\w.-]*+)(?!=)")
"""A command follows what ends the one before it, or a word of the shell's own, which is none itself."""
SOLID = frozenset({"string", "comment"})


def tool_spans(line: str, pieces: list[Piece], names: AbstractSet[str], language: str) -> Iterator[tuple[int, int]]:
    """Start and length of the name of each tool that is called, with `aio.` or its namespace before it."""
    if not names:
        return
    for start, end in _candidates(line, names, language):
        if not any(at <= start < at + length for at, length, kind in pieces if kind in SOLID):
            yield start, end - start


def command_spans(line: str) -> Iterator[tuple[int, int]]:
    """Where the words of a line of bash stand that are commands."""
    return (match.span(1) for match in _COMMAND.finditer(line))


def _candidates(line: str, names: AbstractSet[str], language: str) -> Iterator[tuple[int, int]]:
    if language == "bash":
        yield from ((start, end) for start, end in command_spans(line) if line[start:end] in names)
        return
    for match in _CALL.finditer(line):
        before = re.sub(r"\s", "", match[1])
        if before.removeprefix("aio.") + match[2] in names:
            yield match.span()
        elif match[2] in names:
            yield match.span(2)
