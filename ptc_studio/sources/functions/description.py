"""What a function's docstring gives: a short description for models and lists, and the whole for people."""

import inspect
from typing import Any

LIMIT = 600


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
