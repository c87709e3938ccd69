"""On which line of a JSON text each value begins."""

import json
import re
from typing import Any

from ptc_studio.ui.forms.schema.values import Path, Step

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
