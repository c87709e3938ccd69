"""Where secrets lie if there is no keyring: a file that only its user can read. It is not encrypted."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import PtcError
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
