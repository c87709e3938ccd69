"""One quick question to a text: is any of these in it? Asked by RE2, in one pass however many they are."""

from collections.abc import Iterable
from typing import Any, Protocol, cast

import re2  # pyright: ignore[reportMissingTypeStubs]


class _Search(Protocol):
    def __call__(self, text: bytes) -> object | None: ...


class SubstringFilter:
    """Opens for a text in which any of the patterns matches."""

    def __init__(self, patterns: Iterable[str]) -> None:
        options = cast("Any", re2).Options()
        options.log_errors = False
        options.never_capture = True
        self._search = cast("_Search", cast("Any", re2).compile("|".join(patterns), options).search)

    def opens(self, text: bytes) -> bool:
        """Whether anything is there; the text in UTF-8."""
        return self._search(text) is not None


def literal(text: str) -> str:
    """A pattern for exactly this text."""
    return cast("str", cast("Any", re2).escape(text))


def utf8(text: str) -> bytes:
    """The text for a gate; half a surrogate pair, which has no UTF-8, becomes something that matches nothing."""
    return text.encode("utf-8", "surrogatepass")
