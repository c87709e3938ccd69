"""Query, headers and body of a request with the arguments in their places; what lacks its argument is left out."""

import contextlib
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from ptc_studio.core import codec
from ptc_studio.sources.http.messages import HttpRefused
from ptc_studio.sources.placeholders import Convert, Slot, TextTemplate, as_text, template

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


_IN_HOST = re.compile(r"[^/?#]*(://[^/?#]*)?")
_AUTHORITY = re.compile(r"(https?://)([^/?#]*)")
_LABEL = re.compile(r"[A-Za-z0-9-]+")


def filled_address(address: TextTemplate, arguments: Mapping[str, Any], literal: Convert, label: str) -> str:
    """The address; raises HttpRefused for an argument that would make it another one."""
    url = ""
    for part in address.parts:
        if not isinstance(part, Slot):
            url += literal(part)
        elif _IN_HOST.fullmatch(url):
            url += _host_part(part, arguments, label)
        else:
            url += quote(as_text(arguments.get(part.name)), safe="")
    return checked_address(url, label)


def checked_address(url: str, label: str) -> str:
    """The address with all that needs it percent-encoded; raises HttpRefused where it is none."""
    url = encoded_address(url)
    if not is_address(url):
        raise HttpRefused(f"{label} has an address that is none: check what it is made of.")
    check_path(urlsplit(url).path, label)
    return url


def encoded_address(url: str) -> str:
    """The address with all that needs it percent-encoded, its host in the letters of DNS, and without a fragment."""
    found = _AUTHORITY.match(url)
    if found and not found[2].isascii():
        with contextlib.suppress(UnicodeError):
            url = found[1] + found[2].encode("idna").decode() + url[found.end() :]
    return quote(url.partition("#")[0], safe="%/:=&?~+!$,;'@()*[]")


def check_path(path: str, label: str) -> None:
    """Raises HttpRefused for a path that leads upwards, which servers would follow."""
    if any(segment.lower().replace("%2e", ".") in (".", "..") for segment in path.split("/")):
        raise HttpRefused(f"{label} is not sent: an argument that is '.' or '..' would lead to another path.")


def with_query(url: str, query: str) -> str:
    """The address with more of a query."""
    if not query:
        return url
    return f"{url}{'&' if '?' in url else '?'}{query}"


_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> str:
    """Scheme, host and port of a web address, each in one way of writing it; empty for what is none."""
    if not is_address(url):
        return ""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    host = f"[{host}]" if ":" in host else host
    is_usual = parts.port is None or parts.port == _PORTS[parts.scheme]
    return f"{parts.scheme}://{host}" if is_usual else f"{parts.scheme}://{host}:{parts.port}"


def is_address(url: str) -> bool:
    """Whether a request can be sent there."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _host_part(slot: Slot, arguments: Mapping[str, Any], label: str) -> str:
    value = as_text(arguments.get(slot.name))
    if not _LABEL.fullmatch(value):
        raise HttpRefused(
            f"{label} is not sent: {slot.name!r} is part of the host, so it may hold but letters, digits and '-'."
        )
    return value
