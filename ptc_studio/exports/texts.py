"""Texts of the user's as they may stand in a file of code."""

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
LINE = 200


def clean(text: str) -> str:
    """Without what no file of code may hold."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def one_line(text: str) -> str:
    """The beginning of it as one line."""
    line = " ".join(clean(text).split())
    return line if len(line) <= LINE else line[: LINE - 1] + "…"
