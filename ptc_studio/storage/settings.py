"""What the program remembers between two starts: one JSON file, written whole or not at all."""

import json
import logging
import os
import tempfile
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

RECENT = 8


class Settings:
    """A dictionary on disk. A file that cannot be read counts as empty; one that cannot be written is logged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values = self._read()

    @property
    def folder(self) -> Path:
        """Where they lie, and with them whatever else is remembered."""
        return self._path.parent

    def get(self, key: str, default: Any = None) -> Any:
        return self._values.get(key, default)

    def set(self, key: str, value: Any) -> None:
        """Remembers the value at once."""
        if self._values.get(key) != value:
            self._values[key] = value
            self._write()

    def add_recent(self, workspace: Path) -> None:
        """Puts the workspace at the head of those used lately."""
        others = [name for name in self.get("recent", []) if name != str(workspace)]
        self.set("recent", [str(workspace), *others][:RECENT])

    def recent(self) -> list[Path]:
        """The workspaces used lately that are still there."""
        return [Path(name) for name in self.get("recent", []) if Path(name).is_dir()]

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}

    def _write(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(self._values, file, indent=1)
            Path(name).replace(self._path)
        except OSError:
            log.exception("The settings cannot be written to %s", self._path)
