"""Query, headers and body of a request with the arguments in their places; what lacks its argument is left out."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from ptc_studio.core import codec
from ptc_studio.sources.placeholders import Convert, as_text, template

ABSENT = object()


def filled_value(value: Any, arguments: Mapping[str, Any], literal: Convert) -> Any:
    """A JSON value; a text that is one place takes its argument as it is, ABSENT if there is none."""
    if isinstance(value, str):
        text = template(value)
        if text.whole is not None:
            found = arguments.get(text.whole.name, ABSENT)
            return ABSENT if found is None and text.whole.optional else found
        return text.filled(arguments, literal)
    if isinstance(value, Mapping):
        pairs = ((key, filled_value(item, arguments, literal)) for key, item in value.items())
        return {key: item for key, item in pairs if item is not ABSENT}
    if isinstance(value, list | tuple):
        return [found for item in value if (found := filled_value(item, arguments, literal)) is not ABSENT]
    return value


def filled_pairs(pairs: Mapping[str, Any], arguments: Mapping[str, Any], literal: Convert) -> Iterator[tuple[str, str]]:
    """Names and texts, for queries and forms: a list gives its name once for each of its items."""
    for name, value in pairs.items():
        if isinstance(value, str) and template(value).lacks(arguments):
            continue
        found = filled_value(value, arguments, literal)
        for item in found if isinstance(found, list) else [found]:
            yield name, as_text(item)


def filled_headers(headers: Mapping[str, str], arguments: Mapping[str, Any], literal: Convert) -> dict[str, str]:
    """Headers, without those that lack an argument."""
    texts = {name: template(value) for name, value in headers.items()}
    return {name: text.filled(arguments, literal) for name, text in texts.items() if not text.lacks(arguments)}


def encoded(pairs: Iterator[tuple[str, str]]) -> str:
    """The pairs as a query."""
    return "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs)


def json_body(value: Any) -> bytes:
    """The value as JSON."""
    return b"null" if value is ABSENT else codec.encode(value)
