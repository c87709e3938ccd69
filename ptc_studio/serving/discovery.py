"""How an MCP server that a client starts finds the window of its workspace: a file that only the user can read."""

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from dataclasses import asdict
from pathlib import Path

from ptc_studio.bounded_files import read_bytes
from ptc_studio.serving.tool_service import Address

NAMES = frozenset(("url", "job_id", "token"))


def announce(workspace: Path, address: Address) -> bool:
    """Writes down where the workspace's tools are served; False where there is no place that is the user's alone."""
    file = _file(workspace)
    if not _is_private(file.parent):
        return False
    withdraw(workspace)
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(json.dumps(asdict(address)))
    except OSError:
        return False
    return True


def withdraw(workspace: Path) -> None:
    """They are not served any longer."""
    with contextlib.suppress(OSError):
        _file(workspace).unlink(missing_ok=True)


def announced(workspace: Path) -> Address | None:
    """Where they are said to be served; whoever said so may be gone by now."""
    file = _file(workspace)
    try:
        status = file.lstat()
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o077):
            return None
        document = json.loads(read_bytes(file))
    except (OSError, ValueError):
        return None
    if not isinstance(document, dict) or not all(isinstance(document.get(name), str) for name in NAMES):
        return None
    return Address(**{name: document[name] for name in NAMES})


def window_mark(workspace: Path) -> tuple[int, int] | None:
    """Tells windows that hold the name of the workspace apart, one that was killed among them; None without any."""
    try:
        status = (_folder() / _key(workspace)).lstat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _file(workspace: Path) -> Path:
    return _folder() / f"{_key(workspace)}.serving.json"


def _key(workspace: Path) -> str:
    """The name that windows of the workspace have, too."""
    return hashlib.sha256(str(workspace.resolve()).encode()).hexdigest()[:16]


def _folder() -> Path:
    """The user's own folder for what lives no longer than a session."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and Path(runtime).is_dir():
        return Path(runtime, "ptc-studio")
    user = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    return Path(tempfile.gettempdir(), f"ptc-studio{user}")


def _is_private(folder: Path) -> bool:
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        status = folder.lstat()
    except OSError:
        return False
    own = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return stat.S_ISDIR(status.st_mode) and own
