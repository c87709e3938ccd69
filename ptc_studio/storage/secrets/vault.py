"""The encrypted file of secrets, for machines without a keyring: one passphrase, by scrypt, and AES-GCM.

The file is JSON: what the key is made by (`kdf`), a nonce, and the sealed text, which is the secrets by scope and name.
What is not sealed is bound to it, so that nobody can make the key cheaper to guess without being noticed.
"""

import base64
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import PtcError
from ptc_studio.storage.text_files import locked, replace_file, set_aside

FORMAT, VERSION = "ptc-studio secrets", 1
COST = 2**17
"""How much work one guess at the passphrase is: half a second, and 128 MB."""
_BLOCK, _LANES = 8, 1
_MOST_COST = 2**20
_LARGEST = 16_000_000
SHORTEST_PASSPHRASE = 8
Values = dict[str, dict[str, str]]
"""Secrets by scope and name."""


class SecretsError(PtcError):
    """Secrets cannot be read or written; the message names the file, never a value."""


class SecretsLocked(SecretsError):
    """The encrypted file needs its passphrase first."""


@dataclass(frozen=True, slots=True, repr=False)
class _Header:
    """How the key is made of the passphrase."""

    salt: bytes
    cost: int

    def plain(self) -> dict[str, Any]:
        kdf = {"name": "scrypt", "n": self.cost, "r": _BLOCK, "p": _LANES, "salt": _text(self.salt)}
        return {"format": FORMAT, "version": VERSION, "kdf": kdf}

    def bound(self) -> bytes:
        """What is sealed along: the header to the letter."""
        return json.dumps(self.plain(), sort_keys=True).encode()

    def key(self, passphrase: str) -> bytes:
        """Takes half a second, and lets other threads go on."""
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

        return Scrypt(salt=self.salt, length=32, n=self.cost, r=_BLOCK, p=_LANES).derive(passphrase.encode())


@dataclass(frozen=True, slots=True, repr=False)
class _Sealed:
    """The file as it lies there."""

    header: _Header
    nonce: bytes
    data: bytes

    def opened(self, key: bytes) -> Values | None:
        """What is in it; None if the key is another one, or somebody changed the file."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            return json.loads(AESGCM(key).decrypt(self.nonce, self.data, self.header.bound()))
        except InvalidTag:
            return None

    def content(self) -> bytes:
        return json.dumps({**self.header.plain(), "nonce": _text(self.nonce), "data": _text(self.data)}).encode()


def _seal(header: _Header, key: bytes, values: Values) -> _Sealed:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(12)
    return _Sealed(header, nonce, AESGCM(key).encrypt(nonce, json.dumps(values).encode(), header.bound()))


class Vault:
    """The file, and its key once it was unlocked. Any thread may use it; the key stays in memory until `lock`."""

    def __init__(self, path: Path, cost: int | None = None) -> None:
        self.path = path
        self._cost = cost
        self._lock = Lock()
        self._key: tuple[_Header, bytes] | None = None

    def __repr__(self) -> str:
        return f"Vault({str(self.path)!r})"

    @property
    def state(self) -> Literal["absent", "locked", "open"]:
        """Raises SecretsError for a file that cannot be understood."""
        sealed = self._read()
        if sealed is None:
            return "absent"
        return "open" if self._key is not None and self._key[0] == sealed.header else "locked"

    def unlock(self, passphrase: str) -> None:
        """Opens the file, or makes an empty one if there is none; raises SecretsError for a wrong passphrase."""
        sealed = self._read()
        if sealed is None:
            self._create(passphrase)
            return
        key = sealed.header.key(passphrase)
        if sealed.opened(key) is None:
            raise SecretsLocked(f"That is not the passphrase of {self.path}.")
        with self._lock:
            self._key = (sealed.header, key)

    def lock(self) -> None:
        """Forgets the key."""
        with self._lock:
            self._key = None

    def change_passphrase(self, passphrase: str) -> None:
        """Seals what is in the open file with another one."""
        header, key = self._new_key(passphrase)
        with self._writing():
            values = self.read()
            self._write(_seal(header, key, values))
            self._key = (header, key)

    def read(self) -> Values:
        """All that is in it; nothing if there is no file. Raises SecretsLocked."""
        sealed = self._read()
        if sealed is None:
            return {}
        known = self._key
        values = sealed.opened(known[1]) if known is not None and known[0] == sealed.header else None
        if values is None:
            raise SecretsLocked(f"The secrets in {self.path} are locked: unlock them with the passphrase.")
        return values

    def change(self, scope: str, changes: Mapping[str, str | None]) -> None:
        """Sets values of a scope by name, or with None forgets them."""
        with self._writing():
            values = self.read()
            if self._key is None:
                raise SecretsLocked(f"There is no {self.path} yet: choose a passphrase first.")
            mine = {**values.get(scope, {}), **changes}
            after = {**values, scope: {name: value for name, value in mine.items() if value is not None}}
            if after != values:
                self._write(_seal(*self._key, after))

    def _create(self, passphrase: str) -> None:
        header, key = self._new_key(passphrase)
        with self._writing():
            if self._read() is not None:
                raise SecretsError(f"Another program has just made {self.path}: unlock it with its passphrase.")
            self._write(_seal(header, key, {}))
            self._key = (header, key)

    def _new_key(self, passphrase: str) -> tuple[_Header, bytes]:
        if len(passphrase) < SHORTEST_PASSPHRASE:
            raise SecretsError(f"A passphrase has at least {SHORTEST_PASSPHRASE} characters.")
        header = _Header(os.urandom(16), self._cost or COST)
        return header, header.key(passphrase)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One writer at a time, among threads and programs; what the disk refuses is told."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.path.parent), self._lock:
                yield
        except OSError as error:
            raise SecretsError(f"{self.path} cannot be saved: {error.strerror or error}; it is as before.") from None

    def _write(self, sealed: _Sealed) -> None:
        replace_file(self.path, sealed.content(), private=True)

    def _read(self) -> _Sealed | None:
        try:
            content = read_bytes(self.path, _LARGEST)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise SecretsError(f"{self.path} cannot be read: {error.strerror or error}.") from None
        try:
            return _understood(json.loads(content), self.path)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        try:
            aside = set_aside(self.path)
        except OSError as error:
            raise SecretsError(f"{self.path} is damaged and cannot be set aside: {error.strerror or error}.") from None
        raise SecretsError(f"{self.path} is damaged; it is set aside as {aside.name}: give its secrets anew.")


def _understood(values: Any, path: Path) -> _Sealed:
    if values["format"] != FORMAT:
        raise ValueError
    if values["version"] > VERSION:
        raise SecretsError(f"{path} is of a newer PTC Studio: use that one, or move the file away.")
    kdf = values["kdf"]
    cost = kdf["n"]
    fits = isinstance(cost, int) and 2 <= cost <= _MOST_COST and cost & (cost - 1) == 0
    if not fits or (kdf["name"], kdf["r"], kdf["p"]) != ("scrypt", _BLOCK, _LANES):
        raise ValueError
    return _Sealed(_Header(_bytes(kdf["salt"]), cost), _bytes(values["nonce"]), _bytes(values["data"]))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
