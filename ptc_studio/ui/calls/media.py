"""Pictures and sounds in a JSON value, as tools of servers give them: found and unpacked. Knows no Qt."""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

LARGEST = 24 * 1024 * 1024
"""Characters of base64: what is longer is not unpacked."""
MOST = 50
"""So many are found in one value."""
MOST_LOOKED_AT = 2_000
DEEPEST = 4
ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "image/bmp": "bmp",
    "image/svg+xml": "svg",
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "audio/mp4": "m4a",
}
DRAWN = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"})
"""What is decoded; a drawing in SVG may name other files, so it is only saved."""


@dataclass(frozen=True, slots=True)
class Media:
    """One picture or sound."""

    kind: str
    """`image` or `audio`."""
    mime: str
    data: str = field(repr=False)
    """In base64."""

    @property
    def ending(self) -> str:
        """Of a file with it."""
        return ENDINGS.get(self.mime, "bin")

    @property
    def is_drawn(self) -> bool:
        return self.kind == "image" and self.mime in DRAWN

    @property
    def is_too_large(self) -> bool:
        return len(self.data) > LARGEST

    @property
    def size(self) -> int:
        """Bytes, about."""
        return len(self.data) * 3 // 4

    def content(self) -> bytes:
        """The bytes; raises ValueError if it is no base64."""
        try:
            return base64.b64decode(self.data, validate=True)
        except binascii.Error as error:
            raise ValueError(f"its data is no base64: {error}") from None


def media_of(value: Any) -> Media | None:
    """The picture or sound that the value is, if it is one."""
    if not isinstance(value, dict):
        return None
    kind, mime, data = value.get("type"), value.get("mimeType"), value.get("data")
    if kind not in ("image", "audio") or not isinstance(mime, str) or not isinstance(data, str) or not data:
        return None
    return Media(kind, mime.lower().partition(";")[0].strip(), data)


def found_media(value: Any) -> list[Media]:
    """What there is of it in a value, from the top, as far as one looks for it."""
    found: list[Media] = []
    for looked, item in enumerate(_values(value, DEEPEST)):
        media = media_of(item)
        if media is not None:
            found.append(media)
        if len(found) >= MOST or looked >= MOST_LOOKED_AT:
            break
    return found


def size_text(count: int) -> str:
    """Bytes as people read them."""
    if count < 1_000:
        return f"{count} bytes"
    return f"{count / 1_000:.1f} KB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _values(value: Any, depth: int) -> Iterator[Any]:
    yield value
    if depth and isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, dict | list):
                yield from _values(item, depth - 1)
