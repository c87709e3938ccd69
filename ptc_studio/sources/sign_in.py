"""What every sign-in needs: a place for tokens, and an address of this machine that the browser comes back to."""

import asyncio
import html
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from ptc_studio.core.errors import PtcError

log = logging.getLogger(__name__)
HOST = "127.0.0.1"
PATH = "/callback"
WAIT_SECONDS = 300.0
"""How long a person has to sign in."""
HEAD_BYTES = 16_384
OpenBrowser = Callable[[str], object]


class SignInFailed(PtcError):
    """The sign-in did not come to its end; the message says at which step, and what to do."""


class TokenStore(Protocol):
    """Where tokens are kept: the desktop's keyring, or what stands for it."""

    def find(self, name: str) -> str | None: ...
    def set(self, name: str, value: str) -> object: ...
    def delete(self, name: str) -> None: ...


class MemoryTokens:
    """For tests, and for sources that are only tried."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def find(self, name: str) -> str | None:
        return self.values.get(name)

    def set(self, name: str, value: str) -> None:
        self.values[name] = value

    def delete(self, name: str) -> None:
        self.values.pop(name, None)


class LastingTokens:
    """Tokens in a store that may be locked: what it does not take lasts as long as the studio."""

    def __init__(self, store: TokenStore) -> None:
        self._store = store
        self._memory = MemoryTokens()

    def find(self, name: str) -> str | None:
        value = self._memory.find(name)
        if value is None:
            with suppress(PtcError):
                value = self._store.find(name)
        return value

    def set(self, name: str, value: str) -> None:
        self._memory.delete(name)
        try:
            self._store.set(name, value)
        except PtcError as error:
            log.warning("A token is kept until the studio is closed, and no longer: %s", error)
            self._memory.set(name, value)

    def delete(self, name: str) -> None:
        self._memory.delete(name)
        self._store.delete(name)


@dataclass(frozen=True, slots=True)
class SignIns:
    """What sources may use to sign in."""

    store: TokenStore = field(default_factory=MemoryTokens)
    hide: Callable[[str, str], None] = lambda _name, _value: None
    """Has a value hidden wherever it would be shown, under a name."""


@dataclass(frozen=True, slots=True)
class Redirected:
    """What the browser brought back."""

    code: str
    state: str | None = None
    issuer: str | None = None


class LoopbackRedirect:
    """Listens on a port of this machine for the one visit of the browser that ends a sign-in."""

    def __init__(self) -> None:
        self._server: asyncio.Server | None = None
        self._visit: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def open(self, port: int = 0) -> bool:
        """Listens; False if the port is taken."""
        try:
            self._server = await asyncio.start_server(self._serve, HOST, port, limit=HEAD_BYTES)
        except OSError:
            return False
        return True

    @property
    def url(self) -> str:
        """The address to be redirected to."""
        assert self._server is not None
        return f"http://{HOST}:{self._server.sockets[0].getsockname()[1]}{PATH}"

    async def redirected(self, seconds: float = WAIT_SECONDS) -> Redirected:
        """Waits for the browser; raises SignInFailed if it brings an error, or nothing in time."""
        try:
            brought = await asyncio.wait_for(asyncio.shield(self._visit), seconds)
        except TimeoutError:
            raise SignInFailed(f"Nobody signed in within {seconds:g} s: try again.") from None
        # There may be another one, for more rights.
        self._visit = asyncio.get_running_loop().create_future()
        if "error" in brought:
            why = brought.get("error_description") or brought["error"]
            raise SignInFailed(f"The authorization server refused the sign-in ({brought['error']}): {why}")
        if not brought.get("code"):
            raise SignInFailed("The browser came back without a code: the authorization server has an error.")
        return Redirected(brought["code"], brought.get("state"), brought.get("iss"))

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            line = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
            target = line.split(b" ", 2)[1].decode("ascii", "replace")
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, IndexError, OSError):
            writer.close()
            return
        visited = urlsplit(target)
        if visited.path != PATH:
            writer.write(_page("404 Not Found", "There is nothing here."))
        else:
            brought = {name: values[0] for name, values in parse_qs(visited.query).items()}
            if not self._visit.done():
                self._visit.set_result(brought)
            said = "The sign-in was refused." if "error" in brought else "You are signed in."
            writer.write(_page("200 OK", f"{said} You can close this page and go back to PTC Studio."))
        writer.close()


def _page(status: str, text: str) -> bytes:
    body = f"<!doctype html><meta charset=utf-8><title>PTC Studio</title><p>{html.escape(text)}</p>".encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Cache-Control: no-store\r\nConnection: close\r\n\r\n".encode() + body
