"""Named secrets of a workspace or of the user: in the desktop's keyring, or where none runs in an encrypted file."""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Literal

from ptc_studio.bounded_files import read_bytes
from ptc_studio.locations import data_folder
from ptc_studio.storage.secrets.environment import VAULT_VARIABLE, override, own_variables
from ptc_studio.storage.secrets.keyring import BoundedKeyring, KeyringFailed, NamedSecret, SecretNames, shared_keyring
from ptc_studio.storage.secrets.vault import SecretsError, SecretsLocked, Vault
from ptc_studio.storage.text_files import replace_file

USER = "user"
VAULT = "vault.json"
_KEYRING, _VAULT, _FILE = "keyring", "vault", "file"
_NOT_PLAIN = re.compile(r"\.names(?:\.v\d+|\.broken[-\d]*)?\.json$|\.broken[-\d]*\.json$")
_NAME = re.compile(r"[^{}\s\0][^{}\n\0]{0,199}")
OnUse = Callable[[str, str], None]
AskPassphrase = Callable[[str, bool], str | None]
"""Is told what is wanted, and whether it is a new one; gives nothing if nobody answers."""


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where secrets are put now."""

    kind: Literal["keyring", "vault"]
    text: str
    """For the user, in one sentence."""
    state: Literal["open", "locked", "absent"] = "open"
    """Of the encrypted file: whether it must be unlocked first, or given its passphrase."""
    path: Path | None = None
    reason: str = ""
    """Why it is not the keyring."""


_STATES = {"open": "unlocked", "locked": "locked", "absent": "not made yet"}


class Passphrase:
    """Opens the encrypted file: with what the user gives, what a variable says, or by asking whoever is there."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self.vault = _vault(folder / VAULT)
        self.ask: AskPassphrase | None = None
        """Without it nobody is there."""
        self._turn = Lock()
        self._refused = False

    def unlock(self, given: str | None = None) -> None:
        """Makes the file if there is none, and moves what older studios left unencrypted into it.

        Raises SecretsLocked if there is no passphrase, or another one.
        """
        with self._turn:
            state = self.vault.state
            if state == "open":
                return
            passphrase = given or self._environment.get(VAULT_VARIABLE) or self._asked(state)
            if not passphrase:
                remedy = f"in Tools, Secrets; in the terminal set {VAULT_VARIABLE}"
                does = "unlock them" if state == "locked" else "choose their passphrase"
                raise SecretsLocked(f"The secrets in {self.vault.path} are {_STATES[state]}: {does} {remedy}.")
            self.vault.unlock(passphrase)
            self._encrypt_plain()

    def _asked(self, state: str) -> str | None:
        if self.ask is None or self._refused:
            return None
        path = self.vault.path
        wanted = f"The passphrase of {path}" if state == "locked" else f"A new passphrase for secrets in {path}"
        passphrase = self.ask(wanted, state == "absent")
        # Whoever did not want to is not asked for each secret.
        self._refused = not passphrase
        return passphrase

    def _encrypt_plain(self) -> None:
        """Of all scopes. No copy is kept: it would be what the encryption is against."""
        for path in sorted(self._folder.glob("*.json")):
            if path.name == VAULT or _NOT_PLAIN.search(path.name):
                continue
            values = _plain_values(path)
            self.vault.change(path.stem, dict(values))
            for name in values:
                SecretNames(path.with_name(f"{path.stem}.names.json")).move(name, _VAULT)
            if self.vault.read().get(path.stem, {}).items() >= values.items():
                _write_plain(path, {})


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
        self._keyring = keyring or shared_keyring()
        self._environment = own_variables() if environment is None else environment
        self._folder = (data or data_folder()) / "secrets"
        self._slug = _slug(scope)
        self._service = f"ptc-studio/{self._slug}"
        self.passphrase = Passphrase(self._folder, self._environment)
        self.vault = self.passphrase.vault
        """The encrypted file: one for all scopes."""
        self._index = SecretNames(self._folder / f"{self._slug}.names.json")
        self._beyond: Secrets | None = None
        if scope != USER:
            self._beyond = Secrets(USER, keyring=self._keyring, data=data, environment=self._environment)
            self._beyond.passphrase = self.passphrase

    def __repr__(self) -> str:
        return f"Secrets({str(self.scope)!r})"

    @property
    def location(self) -> SecretPlace:
        """Where a secret that is set now would lie."""
        try:
            name = self._keyring.name()
        except KeyringFailed as failure:
            return self._vault_place(str(failure))
        return SecretPlace(_KEYRING, f"Secrets lie in the keyring of your desktop ({name}).")

    def find(self, name: str) -> str | None:
        """The value: of the variable PTC_SECRET_<NAME> if that is set, else of the scope, else of the user.

        Raises SecretsLocked if it lies in the encrypted file and nobody unlocks that.
        """
        value = override(name, self._environment)
        if value is None:
            value = self._stored(name)
        if value is None and self._beyond is not None:
            value = self._beyond._stored(name)  # noqa: SLF001
        if value is not None and self.on_use is not None:
            self.on_use(name, value)
        return value

    def set(self, name: str, value: str) -> SecretPlace:
        """Keeps the value, and says where; that of a name that is there takes the place of the former."""
        _check_name(name)
        location = self.location
        if location.kind == _KEYRING:
            try:
                self._keyring.set(self._service, name, value)
            except KeyringFailed:
                location = self._vault_place("the keyring did not take the secret")
        if location.kind == _VAULT:
            self.passphrase.unlock()
            self.vault.change(self._slug, {name: value})
            location = self._vault_place(location.reason)
        self._index.note(name, location.kind)
        self._clear_elsewhere(name, location.kind)
        return location

    def rename(self, name: str, to: str) -> None:
        """The value under another name; raises SecretsError if there is none, or the name is taken."""
        _check_name(to)
        if to in self.names():
            raise SecretsError(f"There is already a secret {to!r}: choose another name.")
        value = self._stored(name)
        if value is None:
            raise SecretsError(f"There is no secret {name!r}.")
        # First the new one: whatever fails, the value is not lost.
        self.set(to, value)
        self.delete(name)

    def delete(self, name: str) -> None:
        """Forgets the value wherever it lies; raises SecretsError if what has it does not answer."""
        place = self._place(name)
        try:
            self._keyring.delete(self._service, name)
        except KeyringFailed as failure:
            if place == _KEYRING:
                raise SecretsError(f"The secret {name!r} cannot be deleted now: {failure}.") from None
        if place == _VAULT:
            self.passphrase.unlock()
        if self.vault.state == "open":
            self.vault.change(self._slug, {name: None})
        self._clear_plain(name)
        self._index.forget(name)

    def names(self) -> list[str]:
        """Those of the scope alone, in order."""
        return sorted({*self._index.read(), *self._plain()})

    def known(self) -> dict[str, NamedSecret]:
        """The same with where each lies, and since when it has its value."""
        return {name: self._index.read().get(name, NamedSecret(_FILE)) for name in self.names()}

    def needs_passphrase(self, names: Iterable[str]) -> bool:
        """Whether one of these lies in the encrypted file, of the scope or of the user, and that is locked."""
        scopes = [self, *([self._beyond] if self._beyond else [])]
        wanted = [name for name in names if not self.overridden(name)]
        if not any(scope._place(name) == _VAULT for scope in scopes for name in wanted):  # noqa: SLF001
            return False
        return self.vault.state == "locked" and not self._environment.get(VAULT_VARIABLE)

    def overridden(self, name: str) -> bool:
        """Whether a variable of the environment stands for it."""
        return override(name, self._environment) is not None

    def _stored(self, name: str) -> str | None:
        place = self._place(name)
        if place != _VAULT:
            with suppress(KeyringFailed):
                if (value := self._keyring.get(self._service, name)) is not None:
                    return value
        if place == _VAULT:
            self.passphrase.unlock()
            return self.vault.read().get(self._slug, {}).get(name)
        return self._plain().get(name)

    def _place(self, name: str) -> str | None:
        found = self._index.read().get(name)
        return found.place if found else None

    def _vault_place(self, reason: str) -> SecretPlace:
        path, state = self.vault.path, self.vault.state
        text = f"Secrets lie in {path}, which is encrypted and {_STATES[state]}: {reason}."
        return SecretPlace(_VAULT, text, state, path, reason)

    def _clear_elsewhere(self, name: str, kind: str) -> None:
        """No former value stays in another place."""
        if kind == _KEYRING and self.vault.state == "open":
            self.vault.change(self._slug, {name: None})
        self._clear_plain(name)

    # What older studios wrote where there was no keyring

    @property
    def _plain_file(self) -> Path:
        return self._folder / f"{self._slug}.json"

    def _plain(self) -> dict[str, str]:
        return _plain_values(self._plain_file)

    def _clear_plain(self, name: str) -> None:
        values = self._plain()
        if values.pop(name, None) is not None:
            _write_plain(self._plain_file, values)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise SecretsError(f"{name[:50]!r} is no name for a secret: use letters, digits and underscores.")


def _plain_values(path: Path) -> dict[str, str]:
    try:
        values = json.loads(read_bytes(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SecretsError(f"{path} cannot be read: {error.strerror or error}.") from None
    except ValueError:
        # The error itself would carry the text of the file.
        values = None
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise SecretsError(f"{path} is damaged: correct it or remove it.")
    return values


def _write_plain(path: Path, values: Mapping[str, str]) -> None:
    """What is left of an older studio's file; it goes with the last value."""
    try:
        if values:
            replace_file(path, json.dumps(values, indent=1).encode(), private=True)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise SecretsError(f"{path} cannot be changed: {error.strerror or error}.") from None


def _slug(scope: Path | str) -> str:
    """A name for the scope that is fit for a file; a workspace is known by its path."""
    if not isinstance(scope, Path):
        return scope
    path = scope.resolve()
    plain = re.sub(r"[^\w.-]", "_", path.name)[:40] or "workspace"
    return f"{plain}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"


@cache
def _vault(path: Path) -> Vault:
    """One for each file, so that it is unlocked once for all scopes."""
    return Vault(path)
