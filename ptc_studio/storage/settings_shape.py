"""What each setting must look like: a file that somebody edited must not keep the window from opening."""

import math
from collections.abc import Callable, Mapping
from typing import Any

LONGEST_TIMEOUT = 1e6


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_time(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= LONGEST_TIMEOUT


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_ascii(value: Any) -> bool:
    return isinstance(value, str) and value.isascii()


def _is_mode(value: Any) -> bool:
    return value in ("system", "light", "dark")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_pair(value: Any) -> bool:
    return _is_texts(value) and len(value) == 2


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_texts_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _is_choices_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, bool) for each in value.values())


_SHAPES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "breakpoints": (_is_mapping, "a mapping"),
    "code_font": (_is_text, "the name of a font"),
    "docks": (_is_ascii, "a text as the window wrote it"),
    "geometry": (_is_ascii, "a text as the window wrote it"),
    "grants": (_is_mapping, "a mapping"),
    "interface_font": (_is_text, "the name of a font"),
    "recent": (_is_texts, "a list of folders"),
    "runtime": (_is_text, "the name of a runtime"),
    "runtime_shown": (_is_pair, "a list of two texts"),
    "runtimes": (_is_texts_by_name, "a mapping of languages to runtimes"),
    "theme": (_is_mode, "system, light or dark"),
    "timeout": (_is_time, "a number of seconds"),
    "trust": (_is_choices_by_name, "a mapping of folders to true or false"),
    "zoom": (_is_number, "a number"),
}


def misfits(values: Mapping[str, Any]) -> dict[str, str]:
    """Of every setting that is not as it must be: what is wrong with it. Unknown ones are somebody else's."""
    return {
        key: f"{key!r} must be {expected}"
        for key, (fits, expected) in _SHAPES.items()
        if key in values and not fits(values[key])
    }
