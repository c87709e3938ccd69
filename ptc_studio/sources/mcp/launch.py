"""What is needed to start or reach a server, with its references resolved; and the errors that scripts catch.

::

    PtcError
    ├── McpToolError       the tool itself failed; the message is the server's
    ├── McpProtocolError   the server refused the call or answered wrongly; has the protocol's code
    └── McpServerDown      there is no server to ask; a ConnectionError too
"""

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ptc_studio.core.errors import PtcError
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.references import References
from ptc_studio.sources.source import SourceFailed


class McpToolError(PtcError):
    """The tool failed; the message is what the server said of it."""


class McpProtocolError(PtcError):
    """The server refused the call, or its answer is none that the protocol knows."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class McpServerDown(PtcError, ConnectionError):
    """The server ended, or does not come back."""


_REFERENCE = re.compile(r"\$\{[a-z]+:[^}]*\}")
_SHORTEST_SECRET = 4
# What programs need to find their way; not the whole environment, which may hold keys that are none of the server's.
INHERITED = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"),
    *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES"),
    *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE"),
)


@dataclass(frozen=True, slots=True)
class ServerLaunch:
    """How a server is started or reached; secrets stay out of its repr."""

    program: str = field(default="", repr=False)
    args: tuple[str, ...] = field(default=(), repr=False)
    env: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str = ""
    url: str = field(default="", repr=False)
    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """The values that came from references, which no log may show."""
    oauth: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    legacy_sse: bool = False
    """Whether the server at the address speaks the older of the two transports over HTTP."""
    root: Path | None = None
    """The workspace's folder, which a server may ask for."""


def launch_of(entry: McpEntry, folder: Path, references: References) -> ServerLaunch:
    """Resolves the entry; raises SourceFailed for a reference, program or folder that does not exist."""
    secrets = tuple(_secrets(entry, references))
    if entry.command is None:
        return ServerLaunch(
            url=references.resolved(entry.url),
            headers=references.resolved(entry.headers),
            secrets=secrets,
            oauth=references.resolved(entry.oauth),
            root=folder,
        )
    env = {name: os.environ[name] for name in INHERITED if name in os.environ} | references.resolved(entry.env)
    cwd = folder / Path(references.resolved(entry.cwd or ".")).expanduser()
    if not cwd.is_dir():
        raise SourceFailed(f"The MCP server {entry.name!r} cannot start: its folder {entry.cwd!r} does not exist.")
    program = _program(references.resolved(entry.command), cwd, env)
    if program is None:
        raise SourceFailed(
            f"The MCP server {entry.name!r} cannot start: there is no command {entry.command!r}. "
            "Install it, or write its whole path."
        )
    return ServerLaunch(program, references.resolved(entry.args), env, str(cwd), secrets=secrets, root=folder)


def _program(command: str, cwd: Path, env: dict[str, str]) -> str | None:
    command = os.path.expanduser(command)  # noqa: PTH111 - a bare name must stay one
    if os.sep in command or (os.altsep and os.altsep in command):
        command = str(cwd / command)
    return shutil.which(command, path=env.get("PATH"))


def _secrets(entry: McpEntry, references: References) -> Iterator[str]:
    for text in _texts([entry.command, entry.args, entry.env, entry.cwd, entry.url, entry.headers, entry.oauth]):
        for reference in _REFERENCE.findall(text):
            value = references.resolved(reference)
            if len(value) >= _SHORTEST_SECRET:
                yield value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
