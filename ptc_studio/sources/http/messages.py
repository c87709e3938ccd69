"""A request and its answer, as bytes and plain texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ptc_studio.sources.http.errors import HttpRefused

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is sent; all that may hold a secret stays out of its repr."""

    method: str
    url: str = field(repr=False)
    label: str
    """What messages call it: the method and the address as the user wrote it, without values."""
    headers: Headers = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name, value in self.headers:
            if not _TOKEN.fullmatch(name):
                raise HttpRefused(f"{name!r} cannot be the name of a header of {self.label}.")
            if "\r" in value or "\n" in value or "\0" in value:
                raise HttpRefused(f"The header {name!r} of {self.label} may not hold a line break.")

    def has(self, header: str) -> bool:
        """Whether there is such a header already."""
        return any(name.lower() == header.lower() for name, _ in self.headers)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """What came back; the names of the headers in small letters."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def media_type(self) -> str:
        """The content type without its parameters; empty if there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The charset that the content type names."""
        for part in self.headers.get("content-type", "").split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset":
                return value.strip(" \"'")
        return "utf-8"
