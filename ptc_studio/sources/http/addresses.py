"""Addresses with arguments in them, so that no argument can lead to another host or another path than was meant."""

import contextlib
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from ptc_studio.sources.http.errors import HttpRefused
from ptc_studio.sources.placeholders import Convert, Slot, Template, as_text

_IN_HOST = re.compile(r"[^/?#]*(://[^/?#]*)?")
_AUTHORITY = re.compile(r"(https?://)([^/?#]*)")
_LABEL = re.compile(r"[A-Za-z0-9-]+")


def filled_address(address: Template, arguments: Mapping[str, Any], literal: Convert, label: str) -> str:
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
