"""Reads docstrings: what a function is for, and what is said of its parameters (Google, Sphinx and numpy style)."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

LIMIT = 600
_SECTIONS = ("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters")
_GOOGLE = re.compile(r"\*{0,2}(\w+)\s*(?:\(.*?\))?\s*:\s*(.*)")
_SPHINX = re.compile(
    r"[:@](?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}\\?\*{0,2}(\w+)\s*:\s*(.*)"
)
_NUMPY = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?")
_UNDERLINE = re.compile(r"-{3,}|={3,}")


def documentation_of(function: Any) -> str:
    """The whole docstring, without its indentation."""
    return (inspect.getdoc(function) or "").strip()


def first_paragraph(doc: str) -> str:
    """The beginning of a docstring as one line, of at most 600 characters."""
    lines: list[str] = []
    for line in doc.splitlines():
        if not line.strip():
            break
        lines.append(line.strip())
    text = " ".join(lines)
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


def parameter_descriptions(doc: str) -> dict[str, str]:
    """What the docstring says of each parameter, as one line each."""
    lines = doc.splitlines()
    found: dict[str, str] = {}
    for names, text in (*_sphinx(lines), *_sections(lines)):
        for name in names:
            if text and name not in found:
                found[name] = text
    return found


def _sphinx(lines: list[str]) -> Iterator[tuple[list[str], str]]:
    """`:param name: text`, and what is indented below it."""
    for number, line in enumerate(lines):
        if match := _SPHINX.fullmatch(line.strip()):
            yield [match[1]], _text(match[2], _indented(lines, number + 1, _indent(line)))


def _sections(lines: list[str]) -> Iterator[tuple[list[str], str]]:
    """What stands below `Args:`, or below an underlined `Parameters`."""
    for number, line in enumerate(lines):
        title, underlined = (
            line.strip().lower(),
            number + 1 < len(lines) and _UNDERLINE.fullmatch(lines[number + 1].strip()),
        )
        if underlined and title in _SECTIONS:
            yield from _numpy(lines, number + 2, _indent(line))
        elif title.endswith(":") and title[:-1] in _SECTIONS:
            yield from _google(_indented(lines, number + 1, _indent(line)))


def _google(block: list[str]) -> Iterator[tuple[list[str], str]]:
    least = min((_indent(line) for line in block if line.strip()), default=0)
    for number, line in enumerate(block):
        match = _GOOGLE.fullmatch(line.strip()) if _indent(line) == least else None
        if match:
            yield [match[1]], _text(match[2], _indented(block, number + 1, least))


def _numpy(lines: list[str], start: int, indent: int) -> Iterator[tuple[list[str], str]]:
    for number in range(start, len(lines)):
        line = lines[number]
        if number + 1 < len(lines) and _UNDERLINE.fullmatch(lines[number + 1].strip()):
            return
        match = _NUMPY.fullmatch(line.strip()) if line.strip() and _indent(line) == indent else None
        if match:
            names = [name.strip(" *") for name in match[1].split(",")]
            yield names, _text("", _indented(lines, number + 1, indent))


def _indented(lines: list[str], start: int, indent: int) -> list[str]:
    """The lines from there on that stand further in, up to the first that does not."""
    block: list[str] = []
    for line in lines[start:]:
        if line.strip() and _indent(line) <= indent:
            break
        block.append(line)
    return block


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _text(first: str, more: list[str]) -> str:
    text = " ".join(" ".join((first, *more)).split())
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"
