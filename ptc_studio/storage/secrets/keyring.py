"""The keyring of the desktop, asked within bounds: it may hang, be locked, or fail in any way."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from threading import Lock
from typing import Any, Protocol, cast

from ptc_studio.core.workers import SerialWorker

PATIENCE = 3.0
"""Seconds for one question. A keyring that has to be unlocked first may take longer; it is asked again later."""
_USELESS = ("keyring.backends.fail", "keyring.backends.null")


class KeyringFailed(Exception):
    """The keyring cannot be used now; the message says why and never holds a value."""


class Backend(Protocol):
    """What is used of a backend of the library `keyring`."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class BoundedKeyring:
    """Any thread may ask; a single one of its own talks to the backend, for not all of them are safe in several."""

    def __init__(self, backend: Callable[[], Backend] | None = None, patience: float = PATIENCE) -> None:
        self._find = backend or _desktop_keyring
        self.patience = patience
        """Seconds that one question may take."""
        self._lock = Lock()
        self._thread = SerialWorker("keyring")
        self._backend: Backend | None = None
        self._late: Future[Any] | None = None

    def name(self) -> str:
        """What the backend calls itself; raises KeyringFailed if there is none that keeps anything."""
        return self._asked(lambda backend: str(getattr(backend, "name", type(backend).__name__)))

    def get(self, service: str, name: str) -> str | None:
        return self._asked(lambda backend: backend.get_password(service, name))

    def set(self, service: str, name: str, value: str) -> None:
        self._asked(lambda backend: backend.set_password(service, name, value))

    def delete(self, service: str, name: str) -> None:
        """Takes the value away if it is there."""

        def deleted(backend: Backend) -> None:
            if backend.get_password(service, name) is not None:
                backend.delete_password(service, name)

        self._asked(deleted)

    def _asked(self, ask: Callable[[Backend], Any]) -> Any:
        with self._lock:
            if self._late is not None and not self._late.done():
                raise KeyringFailed("the keyring still does not answer; it may be waiting for you to unlock it")
            self._late = None
            answer = self._thread.submit(lambda: self._answer(ask))
        try:
            return answer.result(self.patience)
        except TimeoutError:
            self._late = answer
        raise KeyringFailed(f"the keyring did not answer within {self.patience:g} s; is it locked?")

    def _answer(self, ask: Callable[[Backend], Any]) -> Any:
        try:
            if self._backend is None:
                self._backend = self._find()
            return ask(self._backend)
        except KeyringFailed as error:
            failure = str(error)
        except BaseException as error:  # noqa: BLE001 - a backend may raise anything, and its words may hold the value
            failure = f"the keyring failed ({type(error).__name__})"
        # Not while the backend's error is handled: this one must not lead to it.
        raise KeyringFailed(failure)


def _desktop_keyring() -> Backend:
    import keyring

    backend = keyring.get_keyring()
    chained = getattr(backend, "backends", None)
    if type(backend).__module__.startswith(_USELESS) or (chained is not None and not list(chained)):
        raise KeyringFailed("no desktop keyring is running")
    return cast("Backend", backend)


@cache
def shared_keyring() -> BoundedKeyring:
    """The desktop's, for the whole process."""
    return BoundedKeyring()
