"""How far lines are indented: in what steps a file does it, and where a new line begins."""

import re

from ptc_studio.ui.language.brackets import without_texts

FOUR_SPACES = "    "
_LEAVES = re.compile(r"\s*(?:return|pass|break|continue|raise)\b")
_CASE = re.compile(r"\s*(?:case\b.*|default\s*):$")
BRACES = {"javascript", "typescript", "go", "csharp"}


UNITS = {"go": "\t", "javascript": "  ", "typescript": "  ", "bash": "  ", "wat": "  "}
"""In what steps people indent; in other languages in four spaces."""


def unit_of(text: str, language: str = "python") -> str:
    """The step in which a file indents: its own if it has one, else that of its language."""
    found = re.search(r"^(\t| {2,8})(?=\S)", text[:20_000], re.MULTILINE)
    if not found:
        return UNITS.get(language, FOUR_SPACES)
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
