"""Writes plain JSON-like data as YAML that comes back exactly, in the style of the file it goes into."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

WIDTH = 100
"""A collection that fits into a line of this length may be written in one."""
_LONGEST_KEY = 1000
"""YAML looks no further than 1024 characters for the colon."""
_MISREAD = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "nan", "inf"}
_PLAIN_START = re.compile(r"[^\W\d]|\.{1,2}/|/|~/")
_UNSAFE = re.compile(r"[\[\]{}#*&|>\"`\\]|:(?=\s|$)|^\s|\s$|[\t\n\r]")
_UNSAFE_IN_FLOW = re.compile(r"[,:?]")
_TROUBLE_IN_BLOCK = re.compile(r"^[ \t]|[ \t]$|^---|^\.\.\.", re.MULTILINE)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


class NotData(ValueError):
    """A value that JSON has not."""


@dataclass(frozen=True, slots=True)
class YamlStyle:
    """How a file is written."""

    indent: int = 2
    """Of a mapping in a mapping."""
    dash: int = 2
    """Of a list's dashes below its key."""
    gap: int = 2
    """From a dash to what follows it."""
    flow: bool = True
    """Whether short collections stand in one line."""
    blocks: bool = True
    """Whether text of several lines may be written as such."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A value in a block: what follows the colon or dash, and the lines below it."""

    head: str
    body: tuple[str, ...] = ()


def inline(value: Any, *, flow: bool = True, quote: str | None = None) -> str:
    """The value on one line; `flow` if it stands within brackets."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value, flow=flow, quote=quote)
        case int():
            return str(int(value))
        case float():
            if not math.isfinite(value):
                raise NotData(f"{value} is no number that can be written")
            return repr(float(value))
        case Mapping():
            return "{" + ", ".join(f"{key_text(key, flow=True)}: {inline(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(inline(item) for item in value) + "]"
    raise NotData(f"a value of type {type(value).__name__} cannot be written")


def key_text(key: Any, *, flow: bool) -> str:
    """A key; one that is text comes back as text. A very long one needs a mark, within brackets only."""
    text = inline(key, flow=flow)
    return f"? {text} " if flow and len(text) > _LONGEST_KEY else text


def rendered(value: Any, column: int, style: YamlStyle, *, old: str | None = None, in_block: bool = False) -> Rendered:
    """The value of a key at the column; `old` is the style of the text that was there, `in_block` asks for lines."""
    if isinstance(value, str):
        return _rendered_text(value, column, style, old)
    if not isinstance(value, Mapping | list | tuple) or not value:
        return Rendered(inline(value, flow=False))
    if _has_long_keys(value) or (not in_block and style.flow and fits(value, column + style.indent)):
        return Rendered(inline(value))
    if isinstance(value, Mapping):
        return Rendered("", tuple(mapping_lines(value, column + style.indent, style)))
    dash = column + style.dash
    return Rendered("", tuple(line for item in value for line in entry_lines(item, dash, style, in_block=in_block)))


def mapping_lines(value: Mapping[Any, Any], column: int, style: YamlStyle) -> list[str]:
    """The pairs, one a line, with their values below them where they need it."""
    lines: list[str] = []
    for key, item in value.items():
        part = rendered(item, column, style)
        lines.append(" " * column + f"{key_text(key, flow=False)}: {part.head}".rstrip(" "))
        lines += part.body
    return lines


def entry_lines(value: Any, dash: int, style: YamlStyle, *, in_block: bool = False) -> list[str]:
    """One item of a list whose dashes stand at the column."""
    start = " " * dash + "-" + " " * (style.gap - 1)
    if _has_long_keys(value):
        return [start + inline(value)]
    if isinstance(value, Mapping) and value and (in_block or not (style.flow and fits(value, dash + style.gap))):
        first, *others = mapping_lines(value, dash + style.gap, style)
        return [start + first[dash + style.gap :], *others]
    if isinstance(value, list | tuple) and value:
        return [start + inline(value)]
    part = rendered(value, dash, style)
    return [(start + part.head).rstrip(" "), *part.body]


def fits(value: Any, column: int) -> bool:
    """Whether a collection is short and flat enough for one line."""
    if isinstance(value, list | tuple) and len(value) > 1 and any(isinstance(item, Mapping) for item in value):
        return False
    return _depth(value) <= 2 and not _has_lines(value) and column + len(inline(value)) <= WIDTH


def nested(value: Any) -> bool:
    """Whether a collection holds others."""
    return _depth(value) > 1


def _depth(value: Any) -> int:
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else None
    return 0 if items is None else 1 + max(map(_depth, items), default=0)


def _has_long_keys(value: Any) -> bool:
    return isinstance(value, Mapping) and any(len(inline(key)) > _LONGEST_KEY for key in value)


def _has_lines(value: Any) -> bool:
    if isinstance(value, str):
        return "\n" in value.rstrip("\n")
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return any(map(_has_lines, items))


def _rendered_text(value: str, column: int, style: YamlStyle, old: str | None) -> Rendered:
    wanted = "\n" in value.rstrip("\n") or (old in ("|", ">") and value.endswith("\n"))
    if not (wanted and style.blocks and _fits_a_block(value)):
        return Rendered(inline(value, flow=False, quote=old if old in ('"', "'") else None))
    indent = " " * (column + style.indent)
    lines = value.removesuffix("\n").split("\n")
    return Rendered("|" if value.endswith("\n") else "|-", tuple(indent + line if line else "" for line in lines))


def _fits_a_block(value: str) -> bool:
    """Blank lines at either end and spaces at a line's would be lost or need marks that few people know."""
    if value.startswith("\n") or value.endswith("\n\n") or _TROUBLE_IN_BLOCK.search(value):
        return False
    return all(character == "\n" or character.isprintable() for character in value)


def _text(value: str, *, flow: bool, quote: str | None) -> str:
    if quote is None and _is_plain(value, flow=flow):
        return str(value)
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _is_plain(value: str, *, flow: bool) -> bool:
    if not value.isprintable() or not _PLAIN_START.match(value) or value.lower() in _MISREAD or _UNSAFE.search(value):
        return False
    return not (flow and _UNSAFE_IN_FLOW.search(value))


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
