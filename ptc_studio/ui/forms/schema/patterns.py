"""Regular expressions of schemas, which anyone may have written: matched in linear time, or not at all."""

from functools import lru_cache
from typing import Any

import re2


def is_match(pattern: Any, text: str) -> bool | None:
    """Whether the pattern is found in the text; None where that cannot be told quickly."""
    compiled = _compiled(pattern) if isinstance(pattern, str) else None
    if compiled is None:
        return None
    try:
        return compiled.search(text) is not None
    except (UnicodeError, re2.error):
        return None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError):
        return None
