"""A web server for tests: it keeps every byte that it is sent, and answers as it is told, even badly."""

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Received:
    """A request as it came over the wire."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        assert len(found) < 2, f"{name} was sent twice: {found}"
        return found[0] if found else None


Answer = bytes | Iterable[bytes]
Handler = Callable[[Received], Answer]


def answer(body: Any = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer; anything but bytes and texts is sent as JSON."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    if isinstance(body, str):
        fields.setdefault("Content-Type", "text/plain; charset=utf-8")
        body = body.encode()
    elif not isinstance(body, bytes):
        fields.setdefault("Content-Type", "application/json")
        body = json.dumps(body).encode()
    fields.setdefault("Content-Length", str(len(body)))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


class WebServer:
    """Listens on this machine. `answers` has a handler or an answer by path; `*` is for all others."""

    def __init__(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self.received: list[Received] = []
        self.connections = 0
        self.gone = threading.Event()
        """Set when a client ended its connection while it was being answered."""
        self.asked = threading.Event()
        self.answers: dict[str, Handler | Answer] = {"*": answer({})}
        self._tls = tls
        self._listener = socket.create_server((host, 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://{host}:{self.port}"
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def last(self) -> Received:
        return self.received[-1]

    def close(self) -> None:
        # Shut first: closing alone does not wake a thread that waits in `accept`.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
            self._open.append(connection)
            with connection, connection.makefile("rb") as stream:
                if not self._tls and connection.recv(1, socket.MSG_PEEK) == b"\x16":
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    return
                while (request := _read(stream)) is not None:
                    self.received.append(request)
                    self.asked.set()
                    self._answer(connection, request)

    def _answer(self, connection: socket.socket, request: Received) -> None:
        path = request.target.partition("?")[0]
        found = self.answers.get(path, self.answers["*"])
        found = found(request) if callable(found) else found
        try:
            for part in [found] if isinstance(found, bytes) else found:
                connection.sendall(part)
        except OSError:
            self.gone.set()
            raise


def _read(stream: Any) -> Received | None:
    first = stream.readline().decode("latin-1").split(" ")
    if len(first) != 3:
        return None
    headers: list[tuple[str, str]] = []
    while line := stream.readline().rstrip(b"\r\n"):
        name, _, value = line.decode("utf-8").partition(": ")
        headers.append((name, value))
    length = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
    return Received(first[0], first[1], tuple(headers), stream.read(length))
