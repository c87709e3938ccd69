"""Turns values of a script into JSON; everyday types in the form in which the host sends them back."""

import json
from typing import Any

BYTES = "\0bytes"
"""The only key of an object that stands for bytes on their way to the host."""


def encode(value: Any) -> str:
    """Compact JSON; raises TypeError for what has no JSON form."""
    return _encoder.encode(value)


def encode_shown(value: Any) -> str:
    """The same for something that is only looked at: what has no JSON form becomes its `repr`."""
    try:
        text = _shown_encoder.encode(value)
    except Exception:
        # A value of the script's may do anything when it is looked at.
        text = _shown_encoder.encode(_safe_repr(value))
    # Half a surrogate pair cannot be shown.
    return text.encode("utf-8", "replace").decode()


def decode(text: str) -> Any:
    return _decode(text)


def _plain(value: Any) -> Any:
    """The JSON form of a value that `json` does not know. Tested by name, so as not to import what may not be used."""
    if hasattr(type(value), "__dataclass_fields__"):
        return {name: getattr(value, name) for name in type(value).__dataclass_fields__}
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {BYTES: _base64(value)}
    for base in type(value).__mro__:
        form = _FORMS.get(f"{base.__module__}.{base.__qualname__}")
        if form:
            return form(value)
    raise TypeError(f"a value of type {type(value).__name__!r} has no JSON form")


def _shown(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _base64(value)
    try:
        return _plain(value)
    except Exception:
        return _safe_repr(value)


def _base64(value: Any) -> str:
    import binascii

    return binascii.b2a_base64(value, newline=False).decode()


def with_bytes(value: Any, places: Any) -> Any:
    """The value with bytes in the place of the texts there."""
    import binascii

    for place in places:
        room = value
        for step in place[:-1]:
            room = room[step]
        text = room[place[-1]] if place else value
        try:
            data = binascii.a2b_base64(text)
        except (ValueError, TypeError):
            # Something was hidden in it.
            continue
        if not place:
            return data
        room[place[-1]] = data
    return value


def _duration(seconds: float) -> str:
    text = f"{abs(seconds):f}".rstrip("0").rstrip(".")
    return f"{'-' if seconds < 0 else ''}PT{text}S"


def _safe_repr(value: Any) -> str:
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__} whose repr fails>"


_FORMS: dict[str, Any] = {
    "datetime.date": lambda value: value.isoformat(),
    "datetime.time": lambda value: value.isoformat(),
    "datetime.timedelta": lambda value: _duration(value.total_seconds()),
    "decimal.Decimal": str,
    "uuid.UUID": str,
    "pathlib.PurePath": str,
    "pathlib._local.PurePath": str,
    "enum.Enum": lambda value: value.value,
    "collections.deque": list,
    "pydantic.main.BaseModel": lambda value: value.model_dump(mode="json"),
}
_encoder = json.JSONEncoder(default=_plain, separators=(",", ":"))
_shown_encoder = json.JSONEncoder(default=_shown, separators=(",", ":"), ensure_ascii=False)
_decode = json.JSONDecoder().decode
