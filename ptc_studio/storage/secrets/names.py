"""Which secrets there are, where each lies and since when: a keyring cannot be listed, nor can a locked file."""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from ptc_studio.bounded_files import read_bytes
from ptc_studio.storage.folder_lock import locked
from ptc_studio.storage.formats import keep_backup, up_to_date
from ptc_studio.storage.secrets.vault import SecretsError
from ptc_studio.storage.text_files import replace_file, set_aside

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
