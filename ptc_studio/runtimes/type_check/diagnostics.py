"""Reads what compilers say of a script."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

_DENO_HEAD = re.compile(r"(?:error: )?(TS\d+) \[ERROR\]: (.*)")
_DENO_SYNTAX = re.compile(r"error: SyntaxError: (.*)")
_DENO_PLACE = re.compile(r" +at (file://\S+):(\d+):(\d+)")
_UNDERLINE = re.compile(r"[ |]*([~^]+)\s*")
_TSC_HEAD = re.compile(r"(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)")
_WORD = re.compile(r"[\w$]+|\"[^\"]*\"|'[^']*'|.")
_BARE_MODULE = re.compile(r"Cannot find module '(?!\.|file:)")
_NOT_THE_SCRIPTS = frozenset({"TS1007", "TS2580", "TS2591"})
"""Where a bracket was opened, which belongs to another error; and that the types of Node.js are not installed."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that the compiler refuses. Lines and columns count from 1, columns in characters."""

    line: int
    column: int
    end_column: int
    """Just after the last character."""
    message: str
    code: str = ""
    """The compiler's number for it, such as `TS2345`; empty for what is no TypeScript at all."""


def read_deno(output: str, address: str, code: str) -> list[Diagnostic]:
    """What `deno check` printed of the file at the address, whose text is given."""
    found: list[Diagnostic] = []
    block: list[str] = []
    for line in output.splitlines():
        if _DENO_HEAD.match(line) or _DENO_SYNTAX.match(line):
            block = [line]
        elif block:
            place = _DENO_PLACE.fullmatch(line)
            if place is None:
                block.append(line)
                continue
            if place[1] == address:
                found.append(_deno_block(block, int(place[2]), int(place[3])))
            # What follows tells of other places.
            block = []
    return _placed(found, code)


def read_tsc(output: str, file: str, code: str) -> list[Diagnostic]:
    """What `tsc` printed of the file of that name, whose text is given."""
    found: list[Diagnostic] = []
    own = False
    for line in output.splitlines():
        head = _TSC_HEAD.fullmatch(line)
        if head is not None:
            own = head[1].replace("\\", "/").rpartition("/")[2] == file
            if own:
                place = int(head[2]), int(head[3])
                found.append(Diagnostic(*place, place[1], head[5], head[4]))
        elif own and line.startswith("  "):
            found[-1] = replace(found[-1], message=f"{found[-1].message} {line.strip()}")
    return _placed(found, code)


def _deno_block(block: list[str], line: int, column: int) -> Diagnostic:
    head = _DENO_HEAD.match(block[0])
    if head is None:
        # A picture of the place follows, between bars.
        message = block[0].removeprefix("error: SyntaxError: ")
        return Diagnostic(line, column, column, message)
    details, length = block[1:], 0
    underline = _UNDERLINE.fullmatch(details[-1]) if details else None
    if underline is not None:
        # The line before it is the script's own.
        details, length = details[:-2], len(underline[1])
    told = (text for text in map(str.strip, details) if not text.startswith("hint: "))
    return Diagnostic(line, column, column + length, " ".join([head[2].strip(), *told]), head[1])


def _placed(found: list[Diagnostic], code: str) -> list[Diagnostic]:
    lines = code.split("\n")
    return [_in_characters(each, lines) for each in found if not _is_beside_the_point(each)]


def _is_beside_the_point(found: Diagnostic) -> bool:
    """Packages are the runtime's to find, and it looks in other places than the compiler."""
    if found.code == "TS2307":
        return "not in import map" in found.message or _BARE_MODULE.match(found.message) is not None
    return found.code in _NOT_THE_SCRIPTS


def _in_characters(found: Diagnostic, lines: list[str]) -> Diagnostic:
    """Columns are counted in the units of UTF-16, but by Deno's parser; where no end is told, the word ends it."""
    line = min(max(found.line, 1), len(lines))
    text = lines[line - 1]
    start, end = found.column - 1, found.end_column - 1
    if found.code:
        start, end = _characters(text, start), _characters(text, end)
    if end <= start:
        word = _WORD.match(text, start)
        end = word.end() if word else start + 1
    return replace(found, line=line, column=start + 1, end_column=end + 1)


def _characters(text: str, units: int) -> int:
    if text.isascii():
        return min(units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def problems_in_order(found: list[Diagnostic]) -> Iterator[Diagnostic]:
    """From top to bottom, each once."""
    return iter(sorted(dict.fromkeys(found), key=lambda each: (each.line, each.column)))
