"""The workspace file as bytes: read, and put in place whole or not at all."""

import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from ptc_studio.bounded_files import read_bytes
from ptc_studio.storage.file_reading import LARGEST_YAML
from ptc_studio.storage.folder_lock import locked
from ptc_studio.storage.text_files import replace_file
from ptc_studio.storage.workspace import FILE_NAME, WorkspaceError

_STALE_SECONDS = 60.0
"""After this long a file half written is nobody's any more."""


class WorkspaceDisk:
    """The file of one folder. A link stays a link: what it leads to is written."""

    def __init__(self, folder: Path, name: str = FILE_NAME) -> None:
        self.path = folder / name

    def read(self) -> bytes | None:
        """What is there now; None if there is no file."""
        try:
            return read_bytes(self.path, LARGEST_YAML)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WorkspaceError(f"{self.path} cannot be read: {error.strerror or error}.") from None

    def held(self) -> AbstractContextManager[None]:
        """Keeps other editors from writing meanwhile."""
        return locked(self.path.resolve().parent)

    def write(self, content: bytes) -> None:
        """Raises WorkspaceError in one sentence, and then the file is as it was."""
        target = self.path.resolve()
        try:
            if target.exists() and not target.stat().st_mode & 0o222:
                raise PermissionError(0, "it is read-only")
            replace_file(target, content, durable=True)
        except OSError as error:
            raise self.failed(error) from None
        _remove_stale_parts(target)

    def remove(self) -> None:
        """Takes the file away, where undoing means that there was none."""
        try:
            self.path.resolve().unlink(missing_ok=True)
        except OSError as error:
            raise self.failed(error) from None

    def failed(self, error: OSError) -> WorkspaceError:
        return WorkspaceError(f"{self.path} cannot be saved: {error.strerror or error}; it is as it was before.")


def _remove_stale_parts(target: Path) -> None:
    """What a program that was killed while writing left behind."""
    with suppress(OSError):
        for part in target.parent.glob(f".{target.name}.*.part"):
            if time.time() - part.stat().st_mtime > _STALE_SECONDS:
                part.unlink()
