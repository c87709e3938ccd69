"""Reads the body of an answer, within a bound, packed or not."""

import zlib
from collections.abc import Iterable, Iterator

_WINDOW = 47
"""Gzip and zlib alike, by their first bytes."""
_PIECE = 2**20


class TooLong(Exception):
    """The body has more bytes than allowed."""


class BadPacking(Exception):
    """The body is not packed as its header says."""


def read_body(chunks: Iterable[bytes], encoding: str, limit: int) -> bytes:
    """All of it, unpacked; raises TooLong or BadPacking."""
    encoding = encoding.strip().lower()
    if encoding in ("gzip", "x-gzip", "deflate"):
        chunks = _unpacked(chunks)
    elif encoding not in ("", "identity"):
        raise BadPacking(f"it is packed as {encoding!r}, which was not asked for")
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > limit:
            raise TooLong
    return bytes(body)


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(_WINDOW)
    try:
        for chunk in chunks:
            rest = chunk
            while rest:
                yield unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail
        yield unpacker.flush()
    except zlib.error as error:
        raise BadPacking(f"it cannot be unpacked: {error}") from None
    if not unpacker.eof:
        raise BadPacking("it ends before its time")
