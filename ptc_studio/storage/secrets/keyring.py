"""The keyring of the desktop, asked within bounds; and which secrets there are, for it cannot be listed."""

import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Protocol, cast

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.workers import SerialWorker
from ptc_studio.storage.secrets.vault import SecretsError
from ptc_studio.storage.text_files import keep_backup, locked, replace_file, set_aside, up_to_date

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


Place = Literal["keyring", "vault", "file"]
"""The desktop's keyring, the encrypted file, or a file of an older studio that is not encrypted."""
VERSION = 2


@dataclass(frozen=True, slots=True)
class NamedSecret:
    """What is known of one without its value."""

    place: Place
    changed: str = ""
    """When its value was last given, as ISO 8601; empty if nobody knows."""


def _first(values: dict[str, Any]) -> dict[str, Any]:
    """The first format had places by name, and nothing else."""
    return {"names": {name: {"place": place} for name, place in values.items()}}


class SecretNames:
    """A file beside the secrets, changed by one program at a time, written whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, NamedSecret]:
        """By name; nothing if there is no file, or one that was damaged and is set aside."""
        return {name: NamedSecret(**entry) for name, entry in self._values()["names"].items()}

    def note(self, name: str, place: Place) -> None:
        """The secret was given a value just now."""
        self._change(name, NamedSecret(place, datetime.now(UTC).isoformat(timespec="seconds")))

    def move(self, name: str, place: Place) -> None:
        """Its value lies elsewhere now."""
        self._change(name, NamedSecret(place, self.read().get(name, NamedSecret(place)).changed))

    def forget(self, name: str) -> None:
        self._change(name, None)

    def _change(self, name: str, entry: NamedSecret | None) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.path.parent):
                values = self._values()
                names = {key: each for key, each in values["names"].items() if key != name}
                if entry is not None:
                    names[name] = asdict(entry)
                if self._stored_version == 1:
                    keep_backup(self.path, 1)
                content = json.dumps({"version": VERSION, "names": names}, indent=1).encode()
                replace_file(self.path, content, private=True)
        except OSError as error:
            raise SecretsError(f"{self.path} cannot be saved: {error.strerror or error}; it is as before.") from None

    def _values(self) -> dict[str, Any]:
        self._stored_version = VERSION
        try:
            values = json.loads(read_bytes(self.path))
            self._stored_version = values.get("version", 1)
            values = up_to_date(values, VERSION, {1: _first}, self.path, "The list of secrets")
            for entry in values["names"].values():
                NamedSecret(**entry)
        except FileNotFoundError:
            return {"names": {}}
        except OSError as error:
            raise SecretsError(f"{self.path} cannot be read: {error.strerror or error}.") from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            aside = set_aside(self.path)
            raise SecretsError(f"{self.path} is damaged; it is set aside as {aside.name}.") from None
        return values
