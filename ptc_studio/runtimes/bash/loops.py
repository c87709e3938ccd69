"""Tells scripts apart in which what a command finds on its standard input may not be meant for it."""

import re

_READING_LOOP = re.compile(r"\b(?:while|until)\b[^\n]*\bread\b")


def reads_in_loops(code: str) -> bool:
    """Whether the script reads lines in a loop: a command in its body finds the lines that are still to be read."""
    return _READING_LOOP.search(code) is not None
