"""Named secrets of a workspace or of the user: in the desktop's keyring, or where none runs in a file."""

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ptc_studio.storage.bounded_keyring import BoundedKeyring, KeyringFailed
from ptc_studio.storage.secret_file import SecretFile, SecretsError

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
    def place(self) -> SecretPlace:
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
        place = self.place
        if place.kind == _KEYRING:
            try:
                self._keyring.set(self._service, name, value)
            except KeyringFailed:
                place = self.place if self.place.kind == _FILE else self._file_place()
        if place.kind == _FILE:
            self._file.change(name, value)
        self._index.change(name, place.kind)
        if place.kind == _KEYRING:
            self._file.change(name, None)
        return place

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
