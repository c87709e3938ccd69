"""The JSON codec of every frame and record: pydantic's, in JSON mode, with NaN and integers of any size."""

import re
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from ptc_studio.core.errors import UnserialisableValue

_UNKNOWN_TYPE = re.compile(r"unknown type: <class '([^']*)'>")


def encode(value: Any) -> bytes:
    """The value as compact JSON; dates, decimals, paths, sets, dataclasses and models in their JSON form."""
    try:
        return to_json(value)
    except UnicodeDecodeError:
        return _encode_bytes(value)
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        if "invalid utf-8" in str(error):
            return _encode_bytes(value)
        raise UnserialisableValue(_reason(value, error)) from None


def decode(data: bytes | str) -> Any:
    """The value that the JSON text stands for; raises ValueError for anything else."""
    return from_json(data)


def displayable(value: Any) -> Any:
    """The value in JSON form whatever it is: what JSON cannot carry becomes its `repr`."""
    try:
        return to_jsonable_python(value, fallback=repr, bytes_mode="base64", inf_nan_mode="constants")
    except (PydanticSerializationError, ValueError, RecursionError):
        return repr(value)


def _encode_bytes(value: Any) -> bytes:
    """Once more for a value that holds bytes which are no text."""
    try:
        return to_json(value, bytes_mode="base64")
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        raise UnserialisableValue(_reason(value, error)) from None


def _reason(value: Any, error: Exception) -> str:
    found = _UNKNOWN_TYPE.search(str(error))
    if found:
        inside = "" if found[1].rpartition(".")[2] == type(value).__name__ else f" (inside a {type(value).__name__})"
        return f"a value of type {found[1]!r}{inside} cannot be turned into JSON: return plain data instead"
    if "ircular" in str(error) or isinstance(error, RecursionError):
        return f"a {type(value).__name__} that contains itself, or is nested too deeply, cannot be turned into JSON"
    return f"a {type(value).__name__} cannot be turned into JSON: {error}"
