"""The JSON codec of every frame and record: pydantic's, in JSON mode, with NaN and integers of any size.

Bytes are base64 in the common alphabet. The host tells a guest the places of such texts (`bytes` of a `result` or
`start` frame), so that a kit that knows nothing of them still has a text. A guest marks its own
(`{"\\u0000bytes": "..."}`), which no value of a script looks like.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from ptc_studio.core.errors import UnserialisableValue

Place = tuple[str | int, ...]
"""The keys and positions that lead to a part of a value."""
_UNKNOWN_TYPE = re.compile(r"unknown type: <class '([^']*)'>")
SLICE = 2_000
"""So many items are encoded or copied at once: pydantic-core holds the GIL all the while, and others wait for it."""
LONG_BYTES = 200_000
"""JSON from this length on is better copied in slices than decoded in one go."""
_CONTAINERS = frozenset((dict, list, tuple))
_DEPTH = 3
"""Long lists are looked for so deep in dictionaries."""
_SCAN = json.JSONDecoder().raw_decode
_BLANKS = frozenset(" \t\n\r")
_BLANK = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r"[^\[\]{}\"]*,")
_RUN, _WORTH_IT = 20_000, 200
"""Letters that are read at one go at most; and at least, where it is numbers of a list."""


def encode(value: Any) -> bytes:
    """The value as compact JSON; dates, decimals, paths, sets, dataclasses, models and bytes in their JSON form."""
    return encode_placed(value)[0]


def encode_placed(value: Any) -> tuple[bytes, list[Place]]:
    """The same, and where in it texts stand for bytes."""
    if _is_simple(value):
        return _encode(value), []
    try:
        plain, places = as_texts(value)
    except RecursionError as error:
        raise UnserialisableValue(_reason(value, error)) from None
    return encode_plain(plain), places


def encode_plain(value: Any) -> bytes:
    """The same of what has been in JSON before, as all that was redacted: nobody looks for bytes in it."""
    return b"".join(_pieces(value, _DEPTH)) if _is_long(value, _DEPTH) else _encode(value)


def plain_copy(value: Any) -> Any:
    """A copy of the value in its JSON form, which nobody else can change."""
    return _plain_copy(as_texts(value)[0], _DEPTH)


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


def decode_in_slices(data: bytes) -> Any:
    """The same for a long text, in a thread: others get the interpreter between its parts; raises ValueError."""
    try:
        text = data.decode()
        value, end = _read(text, _skipped(text, 0))
    except (IndexError, RecursionError):
        raise ValueError("it ends too early, or is nested too deeply") from None
    if _skipped(text, end) != len(text):
        raise ValueError("something follows the value")
    return value


def _read(text: str, at: int) -> tuple[Any, int]:
    """The value that begins there, and where it ends; a short one at one go, a long one by its parts."""
    if text[at] not in "[{":
        return _SCAN(text, at)
    try:
        # One that does not end within this is refused at the end of it.
        value, end = _SCAN(text[at : at + _RUN])
        return value, at + end
    except ValueError:
        read = _read_list if text[at] == "[" else _read_object
        return read(text, _skipped(text, at + 1))


def _read_list(text: str, at: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    if text[at] == "]":
        return found, at + 1
    while True:
        plain = _PLAIN.match(text, at, at + _RUN)
        if plain is not None and plain.end() - at >= _WORTH_IT:
            # Numbers and words, as many as a turn may take.
            found += decode(f"[{plain[0][:-1]}]")
            at = _skipped(text, plain.end())
        item, at = _read(text, at)
        found.append(item)
        at = _skipped(text, at)
        if text[at] == "]":
            return found, at + 1
        at = _after(text, at, ",")


def _read_object(text: str, at: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    if text[at] == "}":
        return found, at + 1
    while True:
        if text[at] != '"':
            raise ValueError("a key must be a text")
        key, at = _SCAN(text, at)
        found[key], at = _read(text, _after(text, _skipped(text, at), ":"))
        at = _skipped(text, at)
        if text[at] == "}":
            return found, at + 1
        at = _after(text, at, ",")


def _after(text: str, at: int, mark: str) -> int:
    if text[at] != mark:
        raise ValueError(f"{mark!r} is missing")
    return _skipped(text, at + 1)


def _skipped(text: str, at: int) -> int:
    """Behind the blanks that stand there."""
    return at if text[at : at + 1] not in _BLANKS else _BLANK.match(text, at).end()  # pyright: ignore[reportOptionalMemberAccess]


def displayable(value: Any) -> Any:
    """The value in JSON form whatever it is: what JSON cannot carry becomes its `repr`."""
    try:
        plain, _ = as_texts(value)
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
    """Whether encoding it in one go would hold up others; asked for many values, so it looks at little."""
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


def _is_simple(value: Any) -> bool:
    """Whether it is a short object of texts, numbers and short lists of them, as nearly all are: there is nothing to
    look for in it, be it bytes or length."""
    if type(value) is not dict:
        return False
    parts = cast("dict[Any, Any]", value).values()
    if len(parts) > SLICE:
        return False
    return _are_atoms(map(type, parts)) or all(type(part) in _ATOMS or _is_simple_list(part) for part in parts)


def _is_simple_list(value: Any) -> bool:
    if type(value) is not list:
        return False
    parts = cast("list[Any]", value)
    return len(parts) <= SLICE and _are_atoms(map(type, parts))


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
