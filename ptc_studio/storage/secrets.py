"""Named secrets of a workspace or of the user: in the desktop's keyring, or where none runs in a file."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Protocol, cast
from uuid import uuid4

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import PtcError
from ptc_studio.core.redaction import KnownSecrets
from ptc_studio.core.workers import SerialWorker
from ptc_studio.storage.folder_lock import locked

_OTHERS = 0o077


class SecretsError(PtcError):
    """Secrets cannot be read or written; the message names the file, never a value."""


class SecretFile:
    """A mapping of names to texts on disk, changed by one program at a time, written whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, str]:
        """All of it; nothing if there is no file."""
        content = self._content()
        try:
            values = json.loads(content) if content else {}
        except ValueError:
            # The error itself would carry the text of the file.
            values = None
        if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
            raise SecretsError(f"{self.path} is damaged: correct it or remove it.")
        return values

    def change(self, name: str, value: str | None) -> None:
        """Sets the value of a name, or with None forgets it."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.path.parent):
                values = self.read()
                if values.get(name) == value:
                    return
                values.pop(name, None)
                self._write(values if value is None else {**values, name: value})
        except OSError as error:
            raise SecretsError(f"{self.path} cannot be saved: {error.strerror or error}; it is as before.") from None

    def _content(self) -> bytes:
        try:
            if os.name == "posix" and self.path.stat().st_mode & _OTHERS:
                self.path.chmod(0o600)
            return read_bytes(self.path)
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise SecretsError(f"{self.path} cannot be read: {error.strerror or error}.") from None

    def _write(self, values: dict[str, Any]) -> None:
        """Nobody else can read it, not even while it is written."""
        beside = self.path.with_name(f".{self.path.name}.{uuid4().hex[:8]}.part")
        try:
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps(values, indent=1).encode())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError:
            with suppress(OSError):
                beside.unlink()
            raise


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


OVERRIDE = "PTC_SECRET_"
USER = "user"
_KEYRING, _FILE = "keyring", "file"
_NAME = re.compile(r"[^{}\s\0][^{}\n\0]{0,199}")
OnUse = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where secrets are put now."""

    kind: Literal["keyring", "file"]
    text: str
    """For the user, in one sentence."""
    encrypted: bool
    path: Path | None = None
    reason: str = ""
    """Why it is not the keyring."""


class Secrets:
    """The secrets of one scope: `user`, or the folder of a workspace, which has those of the user beside its own.

    Every method answers within a few seconds whatever the keyring does, but may write to disk: not for the window's
    thread. Values are in no repr, log or error.
    """

    def __init__(
        self,
        scope: Path | Literal["user"] = USER,
        *,
        on_use: OnUse | None = None,
        keyring: BoundedKeyring | None = None,
        data: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.scope = scope
        self.on_use = on_use
        """Called with name and value whenever a value is given out."""
        self._keyring = keyring or _shared_keyring()
        self._environment = os.environ if environment is None else environment
        folder = (data or _data_folder()) / "secrets"
        self._service = f"ptc-studio/{_slug(scope)}"
        self._file = SecretFile(folder / f"{_slug(scope)}.json")
        self._index = SecretFile(folder / f"{_slug(scope)}.names.json")
        """Which names there are, and where each lies: a keyring cannot be listed."""
        self._beyond: Secrets | None = None
        if scope != USER:
            self._beyond = Secrets(USER, keyring=self._keyring, data=data, environment={})

    def __repr__(self) -> str:
        return f"Secrets({str(self.scope)!r})"

    @property
    def location(self) -> SecretPlace:
        """Where a secret that is set now would lie."""
        try:
            name = self._keyring.name()
        except KeyringFailed as failure:
            text = f"Secrets lie in {self._file.path}, which only you can read but which is not encrypted: {failure}."
            return SecretPlace(_FILE, text, encrypted=False, path=self._file.path, reason=str(failure))
        return SecretPlace(_KEYRING, f"Secrets lie in the keyring of your desktop ({name}).", encrypted=True)

    def find(self, name: str) -> str | None:
        """The value: of the variable PTC_SECRET_<NAME> if that is set, else of the scope, else of the user."""
        value = self._override(name)
        if value is None:
            value = self._stored(name)
        if value is None and self._beyond is not None:
            value = self._beyond._stored(name)  # noqa: SLF001
        if value is not None and self.on_use is not None:
            self.on_use(name, value)
        return value

    def set(self, name: str, value: str) -> SecretPlace:
        """Keeps the value, and says where."""
        if not _NAME.fullmatch(name):
            raise SecretsError(f"{name[:50]!r} is no name for a secret: use letters, digits and underscores.")
        location = self.location
        if location.kind == _KEYRING:
            try:
                self._keyring.set(self._service, name, value)
            except KeyringFailed:
                location = self.location if self.location.kind == _FILE else self._file_place()
        if location.kind == _FILE:
            self._file.change(name, value)
        self._index.change(name, location.kind)
        if location.kind == _KEYRING:
            self._file.change(name, None)
        return location

    def delete(self, name: str) -> None:
        """Forgets the value wherever it lies; raises SecretsError if the keyring that has it does not answer."""
        try:
            self._keyring.delete(self._service, name)
        except KeyringFailed as failure:
            if self._index.read().get(name) == _KEYRING:
                raise SecretsError(f"The secret {name!r} cannot be deleted now: {failure}.") from None
        self._file.change(name, None)
        self._index.change(name, None)

    def names(self) -> list[str]:
        """Those of the scope alone, in order."""
        return sorted({*self._index.read(), *self._file.read()})

    def overridden(self, name: str) -> bool:
        """Whether a variable of the environment stands for it."""
        return self._override(name) is not None

    def _override(self, name: str) -> str | None:
        found = self._environment.get(OVERRIDE + name)
        return self._environment.get(OVERRIDE + re.sub(r"\W", "_", name).upper()) if found is None else found

    def _stored(self, name: str) -> str | None:
        if self._index.read().get(name) != _FILE:
            try:
                if (value := self._keyring.get(self._service, name)) is not None:
                    return value
            except KeyringFailed:
                pass
        return self._file.read().get(name)

    def _file_place(self) -> SecretPlace:
        reason = "the keyring did not take the secret"
        text = f"The secret lies in {self._file.path}, which only you can read but which is not encrypted: {reason}."
        return SecretPlace(_FILE, text, encrypted=False, path=self._file.path, reason=reason)


SECRET_VARIABLE = re.compile(
    r"(?i)(^|_)(api_?key|token|secret|(pg)?password|passwd|passphrase|credentials?|access_?key|private_?key)(_|$)"
)


def secrets_of_environment() -> KnownSecrets:
    """What the environment holds in variables that are named as secrets are: it is hidden, too."""
    secrets = KnownSecrets()
    for name, value in os.environ.items():
        if SECRET_VARIABLE.search(name):
            secrets.add(name, value)
    return secrets


def _slug(scope: Path | str) -> str:
    """A name for the scope that is fit for a file; a workspace is known by its path."""
    if not isinstance(scope, Path):
        return scope
    path = scope.resolve()
    plain = re.sub(r"[^\w.-]", "_", path.name)[:40] or "workspace"
    return f"{plain}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"


@cache
def _shared_keyring() -> BoundedKeyring:
    return BoundedKeyring()


def _data_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("ptc-studio", appauthor=False))
