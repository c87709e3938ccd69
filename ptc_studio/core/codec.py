"""The JSON codec of every frame and record: pydantic's, in JSON mode, with NaN and integers of any size."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from ptc_studio.core import binary
from ptc_studio.core.errors import UnserialisableValue

_UNKNOWN_TYPE = re.compile(r"unknown type: <class '([^']*)'>")


SLICE = 2_000
"""So many items are encoded or copied at once: pydantic-core holds the GIL all the while, and others wait for it."""
LONG_BYTES = 200_000
"""JSON from this length on is better copied in slices than decoded in one go."""
_CONTAINERS = frozenset((dict, list, tuple))
_DEPTH = 3
"""Long lists are looked for so deep in dictionaries."""


def encode(value: Any) -> bytes:
    """The value as compact JSON; dates, decimals, paths, sets, dataclasses, models and bytes in their JSON form."""
    return encode_placed(value)[0]


def encode_placed(value: Any) -> tuple[bytes, list[binary.Place]]:
    """The same, and where in it texts stand for bytes."""
    try:
        plain, places = binary.as_texts(value)
    except RecursionError as error:
        raise UnserialisableValue(_reason(value, error)) from None
    return b"".join(_pieces(plain, _DEPTH)) if _is_long(plain, _DEPTH) else _encode(plain), places


def plain_copy(value: Any) -> Any:
    """A copy of the value in its JSON form, which nobody else can change."""
    return _plain_copy(binary.as_texts(value)[0], _DEPTH)


def _plain_copy(value: Any, depth: int) -> Any:
    if not _is_long(value, depth):
        return decode(_encode(value))
    if type(value) is dict:
        pairs = cast("dict[Any, Any]", value).items()
        return {from_json(_key(key)): _plain_copy(item, depth - 1) for key, item in pairs}
    copied: list[Any] = []
    for part in _slices(value):
        copied += decode(_encode(part))
    return copied


INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What a terminal obeys, and what turns the direction of a text or is not seen in it."""


def visible(text: str) -> str:
    r"""The text with control and direction characters as what they are, `\u202e`: it may come from anybody."""
    return text if text.isprintable() else INVISIBLE.sub(_escaped, text)


def _escaped(found: "re.Match[str]") -> str:
    code = ord(found[0])
    # As JSON has it, so that a document stays what it was.
    pair = found[0].encode("utf-16-be").hex() if code > 0xFFFF else f"{code:04x}"
    return "".join(f"\\u{pair[at : at + 4]}" for at in range(0, len(pair), 4))


def decode(data: bytes | str) -> Any:
    """The value that the JSON text stands for; raises ValueError for anything else."""
    try:
        return from_json(data)
    except ValueError as error:
        return _decode_odd(data, error)


def displayable(value: Any) -> Any:
    """The value in JSON form whatever it is: what JSON cannot carry becomes its `repr`."""
    try:
        plain, _ = binary.as_texts(value)
        shown = to_jsonable_python(plain, fallback=safe_repr, bytes_mode="base64", inf_nan_mode="constants")
        try:
            to_json(shown)
        except (PydanticSerializationError, ValueError):
            shown = _whole(shown)
            to_json(shown)
    except Exception:  # noqa: BLE001 - a value of the user's may do anything when it is looked at
        return printable(safe_repr(value))
    return shown


def _whole(value: Any) -> Any:
    """Plain data with half surrogate pairs escaped, in keys, too."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in cast("dict[Any, Any]", value).items()}
    return [_whole(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value


def showable(value: Any) -> Any:
    """The value as it is, if it can be shown and stored; half surrogate pairs in it are escaped."""
    try:
        encode(value)
    except UnserialisableValue:
        return displayable(value)
    return value


def printable(text: str) -> str:
    """The text with half surrogate pairs escaped, which UTF-8 and hence JSON cannot carry."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def safe_repr(value: Any) -> str:
    """The value's `repr`, or what is to be said instead of one that fails."""
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a user's __repr__ may be broken
        return f"<{type(value).__name__} whose repr fails>"


def _decode_odd(data: bytes | str, error: ValueError) -> Any:
    """Once more with Python's own reader: it takes what is nested deeper than 200 and half a surrogate pair."""
    try:
        return json.loads(data.decode() if isinstance(data, bytes) else data)
    except (ValueError, RecursionError):
        raise error from None


def _is_long(value: Any, depth: int) -> bool:
    """Whether encoding it in one go would hold up others; asked for every value, so it looks at little."""
    kind = cast("type[Any]", type(value))
    if kind is list or kind is tuple:
        return len(value) > SLICE
    if kind is not dict:
        return False
    if len(value) > SLICE:
        return True
    for item in cast("dict[Any, Any]", value).values():
        if type(item) in _CONTAINERS and depth and _is_long(item, depth - 1):
            return True
    return False


def _slices(value: Any) -> Iterator[Any]:
    for at in range(0, len(value), SLICE):
        yield value[at : at + SLICE]


def _pieces(value: Any, depth: int) -> Iterator[bytes]:
    """The JSON of a long value, bit by bit."""
    if not _is_long(value, depth):
        yield _encode(value)
    elif type(value) is dict:
        opening = b"{"
        for key, item in cast("dict[Any, Any]", value).items():
            yield opening + _key(key) + b":"
            yield from _pieces(item, depth - 1)
            opening = b","
        yield b"}"
    else:
        opening = b"["
        for part in _slices(value):
            yield opening + _encode(part)[1:-1]
            opening = b","
        yield b"]"


def _key(key: Any) -> bytes:
    """The key as JSON has it: always a text."""
    return _encode({key: 0})[1:-3]


def _encode(value: Any) -> bytes:
    try:
        return to_json(value)
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        raise UnserialisableValue(_reason(value, error)) from None


def _reason(value: Any, error: Exception) -> str:
    found = _UNKNOWN_TYPE.search(str(error))
    if found:
        inside = "" if found[1].rpartition(".")[2] == type(value).__name__ else f" (inside a {type(value).__name__})"
        return f"a value of type {found[1]!r}{inside} cannot be turned into JSON: return plain data instead"
    if "ircular" in str(error) or "depth exceeded" in str(error) or isinstance(error, RecursionError):
        return f"a {type(value).__name__} that contains itself, or is nested too deeply, cannot be turned into JSON"
    return f"a {type(value).__name__} cannot be turned into JSON: {error}"
