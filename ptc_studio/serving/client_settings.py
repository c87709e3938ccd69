"""How others find what is served: the lines to copy, and the file in which a window says where it serves."""

import contextlib
import hashlib
import json
import os
import shlex
import stat
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.locations import RUNTIMES, STUDIO_COMMAND
from ptc_studio.serving.tool_service import MCP_PATH, Address

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


SDK, NODE_SDK = RUNTIMES / "python" / "ptc_tools.py", RUNTIMES / "node" / "ptc_tools.mjs"
OURS = ("PTC_URL", "PTC_JOB_ID", "PTC_TOKEN")


def shell_lines(address: Address) -> str:
    """For a shell, before a script is started in it."""
    lines = [f"export {name}={shlex.quote(value)}" for name, value in _variables(address)]
    return "\n".join([*lines, f"cp {shlex.quote(str(SDK))} .  # what a script imports; for Node.js {NODE_SDK}"])


def docker_line(address: Address) -> str:
    """For a container on this machine; it shares the network, for the endpoint is on the loopback address alone."""
    given = " ".join(f"-e {name}={shlex.quote(value)}" for name, value in _variables(address))
    return f'docker run --rm --network host {given} -v "$PWD":/work -w /work python:3 python script.py'


def env_file(address: Address) -> str:
    """For an `.env` file; with IronClaw's names for the same, too."""
    return "\n".join(f"{name}={value}" for name, value in address.variables().items())


def mcp_entries(address: Address, workspace: Path | None) -> str:
    """Both ways for MCP clients, as far as there are two."""
    served = f"// as long as it is served, for clients that take an address\n{mcp_http_entry(address)}"
    if workspace is None:
        return served
    return f"// any time, for clients that start a program\n{mcp_command_entry(workspace)}\n\n{served}"


def mcp_http_entry(address: Address) -> str:
    """For clients that take an address, as long as the tools are served."""
    server = {
        "type": "http",
        "url": f"{address.url}{MCP_PATH}",
        "headers": {"Authorization": f"Bearer {address.token}"},
    }
    return _entry(server)


def mcp_command_entry(workspace: Path | None, functions: Path | None = None) -> str:
    """For clients that start a program: Claude Desktop and Code, Cursor, Windsurf, Gemini, and others."""
    named = [("--workspace", workspace), ("--functions", functions)]
    places = [word for option, folder in named if folder for word in (option, str(folder.resolve()))]
    # The very program that made the entry: a client's PATH may lead to another, or to none.
    return _entry({"command": STUDIO_COMMAND[0], "args": [*STUDIO_COMMAND[1:], "mcp", *places]})


def _entry(server: dict[str, Any]) -> str:
    return json.dumps({"mcpServers": {"ptc-studio": server}}, indent=2)


def _variables(address: Address) -> list[tuple[str, str]]:
    values = address.variables()
    return [(name, values[name]) for name in OURS]
