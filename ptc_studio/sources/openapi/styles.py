"""Writes values as the styles of OpenAPI want them: in paths, queries, headers and cookies."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from ptc_studio.core import codec
from ptc_studio.sources.openapi.plans import Argument
from ptc_studio.sources.placeholders import as_text

_RESERVED = ":/?#[]@!$&'()*+,;="
_JOINTS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C"}
Pair = tuple[str, str]


def path_text(argument: Argument, value: Any) -> str:
    """What stands in the path in place of `{name}`, percent-encoded."""
    if argument.as_json:
        return _percent(_json(value))
    if argument.style == "matrix":
        return _matrix(argument, value)
    prefix, joint = (".", "." if argument.explode else ",") if argument.style == "label" else ("", ",")
    return prefix + _joined(value, joint, argument.explode, _percent)


def query_pairs(argument: Argument, value: Any) -> Iterator[Pair]:
    """Names and values of the query, percent-encoded; none for an empty list."""
    name = _percent(argument.wire_name)

    def written(item: Any) -> str:
        return quote(as_text(item), safe=_RESERVED if argument.reserved else "")

    if argument.as_json:
        yield name, _percent(_json(value))
    elif argument.style == "deepObject" and isinstance(value, dict):
        yield from _deep(name, value, written)
    elif isinstance(value, list) and argument.explode:
        yield from ((name, written(item)) for item in value)
    elif isinstance(value, dict) and argument.explode:
        for key, item in value.items():
            for one in item if isinstance(item, list) else [item]:
                yield _percent(str(key)), written(one)
    elif value not in ([], {}):
        yield name, _joined(value, _JOINTS.get(argument.style, ","), False, written)


def header_text(argument: Argument, value: Any) -> str:
    """The value of a header."""
    return _json(value) if argument.as_json else _joined(value, ",", argument.explode, as_text)


def cookie_text(argument: Argument, value: Any) -> str:
    """`name=value`, with what would end a cookie percent-encoded."""
    written = _percent(_json(value)) if argument.as_json else _joined(value, ",", False, _percent)
    return f"{argument.wire_name}={written}"


def _matrix(argument: Argument, value: Any) -> str:
    name = _percent(argument.wire_name)
    if isinstance(value, list) and argument.explode:
        return "".join(f";{name}={_percent(item)}" for item in value)
    if isinstance(value, dict) and argument.explode:
        return "".join(f";{_percent(key)}={_percent(item)}" for key, item in value.items())
    return f";{name}={_joined(value, ',', False, _percent)}"


def _joined(value: Any, joint: str, explode: bool, written: Any) -> str:
    if isinstance(value, list):
        return joint.join(written(item) for item in value)
    if isinstance(value, dict):
        pairs = [(written(key), written(item)) for key, item in value.items()]
        return joint.join(f"{key}={item}" if explode else f"{key}{joint}{item}" for key, item in pairs)
    return written(value)


def _deep(name: str, value: dict[str, Any], written: Any) -> Iterator[Pair]:
    for key, item in value.items():
        inner = f"{name}%5B{_percent(key)}%5D"
        if isinstance(item, dict):
            yield from _deep(inner, item, written)
        else:
            yield from ((inner, written(one)) for one in (item if isinstance(item, list) else [item]))


def _percent(value: Any) -> str:
    return quote(as_text(value), safe="")


def _json(value: Any) -> str:
    return codec.encode(value).decode()
