"""JSON as text: read strictly, with the line of a mistake, and written so that reading it gives the same value."""

import json
import re
from decimal import Decimal
from typing import Any

from ptc_studio.ui.forms.schema.formats import is_number, number_of, numeral_of
from ptc_studio.ui.forms.schema.values import Path, Step

SHORT = 60
"""A list or an object of plain values that is no longer than this stands on one line."""


class JsonMistake(Exception):
    """Text that is no JSON: where, and why."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"Line {line}: {message}")
        self.line = line
        self.column = column
        self.message = message


def read_json(text: str) -> Any:
    """The value that the text says; raises `JsonMistake`."""
    try:
        return json.loads(
            text, parse_float=_number, parse_int=_number, parse_constant=_no_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise JsonMistake(error.lineno, error.colno, _plain(error, text)) from None
    except RecursionError:
        raise JsonMistake(1, 1, "It is nested too deeply to be read.") from None
    except ValueError as error:
        raise JsonMistake(1, 1, str(error)) from None


def write_json(value: Any) -> str:
    """The value as indented text."""
    return _written(value, "\n")


def one_line(value: Any) -> str:
    """The value on one line."""
    return _written(value, "")


def _written(value: Any, newline: str) -> str:
    if isinstance(value, dict):
        inner = newline and newline + "  "
        parts = [f"{_string(str(key))}: {_written(item, inner)}" for key, item in value.items()]
        return _joined("{", parts, "}", newline)
    if isinstance(value, list | tuple):
        inner = newline and newline + "  "
        return _joined("[", [_written(item, inner) for item in value], "]", newline)
    if isinstance(value, str):
        return _string(value)
    if is_number(value):
        return numeral_of(value)
    return json.dumps(value)


def _string(text: str) -> str:
    """Escaped where a text editor could not hold it: lone surrogates, and separators that editors take for newlines."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(
        f"\\u{ord(char):04x}" if char in _UNSAFE or "\ud800" <= char <= "\udfff" else char for char in quoted
    )


_UNSAFE = frozenset("\x7f\x85\u2028\u2029\ufdd0\ufdd1\ufffc\ufeff")


def _joined(begin: str, parts: list[str], end: str, newline: str) -> str:
    plain = all("\n" not in part and part[0] not in "{[" for part in parts)
    if not parts or not newline or (plain and begin == "[" and sum(map(len, parts)) + 2 * len(parts) <= SHORT):
        return begin + ", ".join(parts) + end
    inner = newline + "  "
    return f"{begin}{inner}{f',{inner}'.join(parts)}{newline}{end}"


def _number(text: str) -> int | float | Decimal:
    number = number_of(text)
    if number is None:
        raise ValueError("A number has too many digits.")
    return number


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON; use null or a number.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"The key {twice!r} appears twice in one object.")
    return made


_MESSAGES = {
    "Expecting value": "a value is missing here",
    "Expecting ',' delimiter": "a comma is missing here",
    "Expecting ':' delimiter": "a colon is missing after the key",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing here",
    "Illegal trailing comma before end of object": "there is a comma too many",
    "Illegal trailing comma before end of array": "there is a comma too many",
    "Unterminated string starting at": "this text has no closing quote",
    "Invalid control character at": "a text cannot go on in the next line; write \\n",
    "Extra data": "there is something after the end of the value",
}


def _plain(error: json.JSONDecodeError, text: str) -> str:
    rest = text[error.pos : error.pos + 12].split("\n")[0].strip()
    said = _MESSAGES.get(error.msg, error.msg[:1].lower() + error.msg[1:])
    if not text.strip():
        return "There is no value yet."
    if error.msg == "Expecting value" and rest[:1].isalpha():
        said = "text needs double quotes"
    return f"{said[:1].upper()}{said[1:]}{f', at {rest!r}' if rest else ''}."


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+|\n', re.DOTALL)


def line_of(text: str, path: Path) -> int:
    """The line of the value, or of the nearest one around it, counted from 1. The text must be JSON."""
    best, best_depth, line = 1, 0, 1
    stack: list[list[Any]] = []
    """Per open container: the step that is being read; a key is None until it was read."""
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if piece == "\n":
            line += 1
        elif piece in "}]":
            stack.pop()
        elif piece == ",":
            stack[-1][0] = stack[-1][0] + 1 if isinstance(stack[-1][0], int) else None
        elif stack and stack[-1][0] is None:
            stack[-1][0] = _key(piece)
        elif piece != ":":
            depth = _shared([frame[0] for frame in stack], path)
            if depth > best_depth:
                best, best_depth = line, depth
                if depth == len(path):
                    return best
            if piece in "{[":
                stack.append([None if piece == "{" else 0])
    return best


def _shared(steps: list[Step], path: Path) -> int:
    """How many steps lead towards the path, if all of them do."""
    return len(steps) if tuple(steps) == path[: len(steps)] else 0


def _key(piece: str) -> str:
    return json.loads(piece)
