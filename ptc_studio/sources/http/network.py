"""Sockets of which another thread can break off the request that uses them. Imported when the first request is made."""

import contextlib
import socket
import ssl
import threading
from typing import Any, Self

import httpcore2


class Exchange:
    """One request under way. `break_off` ends it at once, wherever it waits; after its end it does nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._over = False
        self.broken_off = False

    def __enter__(self) -> Self:
        _current.exchange = self
        return self

    def __exit__(self, *_: object) -> None:
        _current.exchange = None
        with self._lock:
            # The socket goes back to the pool: it is another request's from now on.
            self._over, self._socket = True, None

    def break_off(self) -> None:
        """From any thread."""
        with self._lock:
            if self._over:
                return
            self.broken_off = True
            if self._socket is not None:
                _shut(self._socket)

    def uses(self, used: socket.socket | None) -> None:
        """Says which socket is waited for."""
        with self._lock:
            self._socket = used
            if self.broken_off and used is not None:
                _shut(used)


class BreakableBackend(httpcore2.SyncBackend):
    """Connects as the library does."""

    def connect_tcp(self, host: str, port: int, *more: Any, **options: Any) -> httpcore2.NetworkStream:
        return _BreakableStream(super().connect_tcp(host, port, *more, **options))


class _BreakableStream(httpcore2.NetworkStream):
    """Tells the exchange of this thread which socket it waits for."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream
        self._socket: socket.socket | None = stream.get_extra_info("socket")

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        _announce(self._socket)
        return self._stream.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        _announce(self._socket)
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        # The library gives the socket's number to a new one before the handshake: a copy of it can be shut meanwhile.
        plain = self._socket.dup() if self._socket is not None else None
        try:
            _announce(plain)
            return _BreakableStream(self._stream.start_tls(ssl_context, server_hostname, timeout))
        finally:
            _announce(None)
            if plain is not None:
                plain.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


_current = threading.local()


def _announce(used: socket.socket | None) -> None:
    exchange: Exchange | None = getattr(_current, "exchange", None)
    if exchange is not None:
        exchange.uses(used)


def _shut(used: socket.socket) -> None:
    with contextlib.suppress(OSError):
        # Not the method of a secured socket, which forgets its keys while another thread is using them.
        socket.socket.shutdown(used, socket.SHUT_RDWR)
