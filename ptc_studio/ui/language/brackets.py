"""Which brackets and quotes belong together."""

import re
from collections.abc import Callable
from functools import cache

PAIRS = {"(": ")", "[": "]", "{": "}"}
OPENING = {closing: opening for opening, closing in PAIRS.items()}
FARTHEST = 300
"""Lines that are searched for the other bracket."""
_DOUBLE, _SINGLE, _BACKTICK = r'"(?:\\.|[^"\\])*"', r"'(?:\\.|[^'\\])*'", r"`(?:\\.|[^`\\])*`"
_LETTER = r"'(?:\\[^']+|[^'\\])'"
"""In Rust a single quote alone begins a lifetime."""
_SLASHES = r"//.*$|/\*.*?(?:\*/|$)"
_TEXTS = {
    "python": (_DOUBLE, _SINGLE, r"#.*$"),
    "bash": (_DOUBLE, _SINGLE, r"(?:^|\s)#.*$"),
    "javascript": (_DOUBLE, _SINGLE, _BACKTICK, _SLASHES),
    "typescript": (_DOUBLE, _SINGLE, _BACKTICK, _SLASHES),
    "go": (_DOUBLE, _SINGLE, r"`[^`]*`", _SLASHES),
    "rust": (_DOUBLE, _LETTER, _SLASHES),
    "csharp": (r'@"(?:""|[^"])*"', _DOUBLE, _SINGLE, _SLASHES),
    "wat": (_DOUBLE, r";;.*$"),
}
_OTHERS = (_DOUBLE, r"(?:^|\s)(?:#|//).*$")
Place = tuple[int, int]
"""A line and a column, both from 0."""
Lines = Callable[[int], str | None]


def matching(lines: Lines, location: Place, language: str = "python") -> Place | None:
    """Where the partner of the bracket at that place is."""
    line, column = location
    text = lines(line)
    bracket = text[column] if text and column < len(text) else ""
    if bracket not in PAIRS and bracket not in OPENING:
        return None
    step = 1 if bracket in PAIRS else -1
    other = PAIRS.get(bracket) or OPENING[bracket]
    return _search(lambda number: _code_of(lines(number), language), location, bracket, other, step)


def _code_of(line: str | None, language: str) -> str | None:
    return None if line is None else without_texts(line, language)


def _search(lines: Lines, location: Place, bracket: str, other: str, step: int) -> Place | None:
    depth, (line, column) = 0, location
    for number in range(line, line + step * FARTHEST, step):
        text = lines(number)
        if text is None:
            return None
        first = column if number == line else 0 if step > 0 else len(text) - 1
        for index in range(first, len(text) if step > 0 else -1, step):
            depth += (text[index] == bracket) - (text[index] == other)
            if depth == 0:
                return number, index
    return None


def without_texts(line: str, language: str = "python") -> str:
    """The line with strings and comments blanked out, as long as before."""
    return _pattern(language).sub(lambda match: " " * len(match[0]), line)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    return re.compile("|".join(_TEXTS.get(language, _OTHERS)))


def closes_itself(opening: str, before: str, after: str, quotes: str) -> bool:
    """Whether the closing partner should come by itself when the opening one is typed between the two texts."""
    free = not after or after[0] in " \t)]},;:"
    if opening in PAIRS:
        return free
    if opening not in quotes or not free:
        return False
    if before.endswith(opening * 2):
        return True
    last = before[-1:]
    prefix = re.search(r"(?:^|\W)[rRbBfFuU]{1,2}$", before) is not None
    return last != opening and last != "\\" and (prefix or not (last.isalnum() or last == "_"))


FOUR_SPACES = "    "
_LEAVES = re.compile(r"\s*(?:return|pass|break|continue|raise)\b")
_CASE = re.compile(r"\s*(?:case\b.*|default\s*):$")
BRACES = {"javascript", "typescript", "go", "csharp"}


UNITS = {"go": "\t", "javascript": "  ", "typescript": "  ", "bash": "  ", "wat": "  "}
"""In what steps people indent; in other languages in four spaces."""


def unit_of(text: str, language: str = "python", columns: int = 0) -> str:
    """The step in which a file indents: its own if it has one, else so many columns, or 0: that of its language."""
    found = re.search(r"^(\t| {2,8})(?=\S)", text[:20_000], re.MULTILINE)
    if not found:
        unit = UNITS.get(language, FOUR_SPACES)
        return " " * columns if columns and unit != "\t" else unit
    if found[1] == FOUR_SPACES:
        return FOUR_SPACES
    return "\t" if found[1] == "\t" else found[1] if len(found[1]) in (2, 3, 8) else FOUR_SPACES


def indent_of(line: str) -> str:
    """The blanks at the start of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def indent_after(line: str, unit: str, language: str) -> str:
    """The indent of the line to follow; `line` ends where the cursor is."""
    indent = indent_of(line)
    code = without_texts(line, language).rstrip()
    if language == "wat":
        # The rest of an expression stands on lines of its own, one step further in.
        return indent + unit if code.count("(") > code.count(")") else indent
    if code.endswith(("(", "[", "{")) or (language == "python" and code.endswith(":")):
        return indent + unit
    if language == "bash" and re.search(r"(?:\bthen|\bdo|\belse)$", code):
        return indent + unit
    if language in BRACES and _CASE.match(code):
        return indent + unit
    if language == "python" and _LEAVES.match(code):
        return outdented(indent, unit)
    return indent


def outdented(line: str, unit: str) -> str:
    """The line one step further left."""
    if line.startswith("\t"):
        return line[1:]
    width = len(FOUR_SPACES) if unit == "\t" else len(unit)
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(blanks, blanks % width or width) :] if blanks else line


def toggled_comments(lines: list[str], mark: str) -> list[str]:
    """Comments the lines out, or in if all of them are; empty lines stay as they are."""
    full = [line for line in lines if line.strip()]
    if full and all(line.lstrip().startswith(mark) for line in full):
        return [re.sub(rf"^(\s*){re.escape(mark)} ?", r"\1", line, count=1) for line in lines]
    column = min((len(indent_of(line)) for line in full), default=0)
    return [f"{line[:column]}{mark} {line[column:]}" if line.strip() else line for line in lines]
