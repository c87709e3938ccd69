"""Reads what a process writes, as it writes it."""

import codecs
import os
import selectors
import time
from collections.abc import Callable
from typing import IO

from ptc_studio.core.events import Stream

CHUNK = 1 << 16
STRAY_SECONDS = 0.5
"""How long after the end of the process its streams may stay open, in the hands of something that escaped."""


def pump(streams: dict[Stream, IO[bytes]], write: Callable[[Stream, str], None], ended: Callable[[], bool]) -> None:
    """Passes on both streams until both are closed; bytes that are no text are shown as such."""
    with selectors.DefaultSelector() as selector:
        for name, stream in streams.items():
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            selector.register(stream, selectors.EVENT_READ, (name, decoder))
        give_up = float("inf")
        while selector.get_map() and time.monotonic() < give_up:
            for key, _ in selector.select(0.1):
                name, decoder = key.data
                data = os.read(key.fd, CHUNK)
                text = decoder.decode(data, final=not data)
                if text:
                    write(name, text)
                if not data:
                    selector.unregister(key.fileobj)
            if ended() and give_up == float("inf"):
                give_up = time.monotonic() + STRAY_SECONDS
