"""Bytes in JSON: base64 in the common alphabet, and what tells such a text from any other.

The host tells a guest the places of such texts (`bytes` of a `result` or `start` frame), so that a kit that knows
nothing of them still has a text. A guest marks its own (`{"\\u0000bytes": "..."}`), which no value of a script
looks like.
"""

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

Place = tuple[str | int, ...]
"""The keys and positions that lead to a part of a value."""
KEY = "\0bytes"
MARK = b'"\\u0000bytes"'
"""How the key stands in a frame."""
_ATOMS = frozenset((str, int, float, bool, type(None)))
_are_atoms = _ATOMS.issuperset
_LISTS = (list, tuple, set, frozenset)
_BINARY = (bytes, bytearray, memoryview)


def text_of(data: Any) -> str:
    """The bytes as JSON has them."""
    return base64.b64encode(data).decode("ascii")


def holds_bytes(value: Any) -> bool:
    """Whether there are bytes in the value; asked for every value, so it looks at little where there are none."""
    kind = cast("type[Any]", type(value))
    # Most hold nothing but texts and numbers, which is found out without a loop of ours.
    if kind is dict:
        return not _are_atoms(map(type, value.values())) and _is_in(value)
    return kind not in _ATOMS and _is_in(value)


def _is_in(value: Any) -> bool:
    # A value may contain itself, or the same part many times.
    seen: set[int] = set()
    left = [value]
    while left:
        item = left.pop()
        kind = cast("type[Any]", type(item))
        if kind is dict:
            parts = item.values()
        elif kind is list or kind is tuple:
            parts = item
        elif isinstance(item, _BINARY):
            return True
        else:
            parts = parts_of(item)
        if _are_atoms(map(type, parts)) or id(item) in seen:
            continue
        seen.add(id(item))
        left += [part for part in parts if type(part) not in _ATOMS]
    return False


def parts_of(value: Any) -> Iterable[Any]:
    """What a value that is neither plain nor bytes holds, as far as it has a JSON form."""
    if isinstance(value, Mapping):
        return list(cast("Mapping[Any, Any]", value).values())
    if isinstance(value, _LISTS):
        return cast("Sequence[Any]", value)
    if isinstance(value, Enum):
        return (value.value,)
    return _fields_of(value).values()


def _fields_of(value: Any) -> Mapping[str, Any]:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name, None) for field in fields(value)}
    # A model of pydantic's, told by what it has, for not everybody who has values has pydantic's models.
    return vars(value) if hasattr(cast("type[Any]", type(value)), "__pydantic_fields__") else {}


def as_texts(value: Any) -> tuple[Any, list[Place]]:
    """The value with texts for bytes, and where they stand; the very value if there are none."""
    if not holds_bytes(value):
        return value, []
    places: list[Place] = []
    return _as_texts(value, (), places), places


def _as_texts(value: Any, at: Place, places: list[Place]) -> Any:
    if isinstance(value, _BINARY):
        places.append(at)
        return text_of(value)
    if not holds_bytes(value):
        return value
    if isinstance(value, Enum):
        return _as_texts(value.value, at, places)
    if isinstance(value, _LISTS):
        return [_as_texts(item, (*at, number), places) for number, item in enumerate(cast("Sequence[Any]", value))]
    named = cast("Mapping[Any, Any]", value) if isinstance(value, Mapping) else _fields_of(value)
    return {key: _as_texts(item, (*at, str(key)), places) for key, item in named.items()}


def with_bytes(value: Any, places: Iterable[Sequence[str | int]]) -> Any:
    """The value, changed, with bytes in the place of the texts there; a place that leads nowhere is left alone."""
    for place in places:
        if not place:
            return _bytes_of(value)
        room = value
        for step in place[:-1]:
            room = _part(room, step)
        text = _part(room, place[-1])
        if isinstance(text, str):
            room[place[-1]] = _bytes_of(text)
    return value


def _part(room: Any, step: str | int) -> Any:
    try:
        return room[step]
    except (KeyError, IndexError, TypeError):
        return None


def _bytes_of(text: Any) -> Any:
    try:
        return base64.b64decode(text, validate=True) if isinstance(text, str) else text
    except (binascii.Error, ValueError):
        # Something was hidden in it.
        return text


def unmarked(value: Any) -> Any:
    """What a guest sent, with its bytes."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value)
        if items.keys() == {KEY}:
            return _bytes_of(items[KEY])
        return {key: unmarked(item) for key, item in items.items()}
    return [unmarked(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value
