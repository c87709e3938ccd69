"""One window a workspace: a second start raises the first.

The two meet at a socket in a folder that only the user can write to. Before the second says what it wants, the first
has to prove that it is a studio of the same user, by a key that lies beside the socket: to anyone else nothing is told,
and a window is opened all the same.
"""

import contextlib
import os
import stat
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCryptographicHash, QObject, Signal

from ptc_studio.bounded_files import read_bytes

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

CONNECT_MILLISECONDS = 500
ANSWER_MILLISECONDS = 30_000
"""Long, for a studio may be busy; but whoever does not answer at all is left alone."""
ASK, SHOW, SERVE = "prove ", "show ", "serve"


class SingleInstance(QObject):
    """Holds the name of a workspace among the user's windows.

    Signals: raise_requested(path): another start on the same workspace wants to see this window, and a script in it
    unless the path is empty. serve_requested: a program of the same user wants to call the tools through this window.
    """

    raise_requested = Signal(str)
    serve_requested = Signal()

    def __init__(self, workspace: Path | None, folder: Path | None = None) -> None:
        super().__init__()
        self._folder = folder or _meeting_folder()
        self._path = self._folder / key_of(workspace)
        self._key_file = self._path.with_suffix(".key")
        self._name = f"ptc-studio-{key_of(workspace)}" if sys.platform == "win32" else str(self._path)
        self._server: QLocalServer | None = None
        self._alone = False

    @property
    def may_be_held(self) -> bool:
        """False if nobody can hold the name: a look at a file, which is all that the first paint waits for."""
        return sys.platform == "win32" or self._path.exists()

    def claim(self, script: Path | None = None) -> bool:
        """True if there is to be a window; otherwise a studio has been asked to show itself, and the script.

        Where somebody else has the name, there is a window that does without it, and that is said.
        """
        if self._server is not None or self._alone:
            return True
        if not is_private(self._folder):
            self._do_without(f"{str(self._folder)!r} is not a folder of yours alone: remove it.")
            return True
        first = self._first(f"{SHOW}{script or ''}")
        if first == "none":
            self._listen()
        elif first == "silent":
            self._do_without(f"the window that holds {self._name!r} does not answer: close it first.")
        elif first == "stranger":
            self._do_without(f"another program answers at {self._name!r}: remove it.")
        return first != "studio"

    def request_serving(self) -> bool:
        """Asks the window that holds the name to serve its tools; False if there is none."""
        return self.may_be_held and is_private(self._folder) and self._first(SERVE) == "studio"

    def release(self) -> None:
        """Gives the name free."""
        if self._server is not None:
            self._server.close()
            self._key_file.unlink(missing_ok=True)

    def _do_without(self, why: str) -> None:
        self._alone = True
        sys.stderr.write(f"ptc-studio: A second start will open a second window, because {why}\n")

    def _listen(self) -> None:
        # Imported late, as elsewhere here: a window is on the screen before its name is looked after.
        import secrets

        from PySide6.QtNetwork import QLocalServer

        # Whoever held the name was killed, and its socket is left over.
        QLocalServer.removeServer(self._name)
        self._key = secrets.token_bytes(32)
        # Where no socket can be made, two windows are better than none.
        with contextlib.suppress(OSError):
            self._key_file.unlink(missing_ok=True)
            with os.fdopen(os.open(self._key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(self._key)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        self._server.listen(self._name)

    def _first(self, wish: str) -> str:
        """Who has the name: `none`, a `studio`, which is then told what is wanted, one that is `silent`, or a
        `stranger`."""
        from PySide6.QtNetwork import QLocalSocket

        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(CONNECT_MILLISECONDS):
            return "none"
        found = self._proof_of(socket)
        if found != "studio":
            socket.abort()
            return found
        socket.write(f"{wish}\n".encode())
        socket.waitForBytesWritten(CONNECT_MILLISECONDS)
        socket.disconnectFromServer()
        return "studio"

    def _proof_of(self, socket: "QLocalSocket") -> str:
        """A `studio` if it proves that, `silent` if it is the user's and says nothing, being busy or stuck."""
        try:
            key = read_bytes(self._key_file)
        except OSError:
            return "stranger"
        if not _is_own(socket.socketDescriptor()):
            return "stranger"
        import hmac
        import secrets

        question = secrets.token_hex(16)
        socket.write(f"{ASK}{question}\n".encode())
        while not socket.canReadLine():
            if socket.bytesAvailable() > 1000:
                return "stranger"
            if not socket.waitForReadyRead(ANSWER_MILLISECONDS):
                listens = socket.state() == socket.LocalSocketState.ConnectedState and not socket.bytesAvailable()
                return "silent" if listens else "stranger"
        proven = hmac.compare_digest(bytes(socket.readLine().data()).strip(), _proof(key, question))
        return "studio" if proven else "stranger"

    def _on_connection(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()):
            if not _is_own(socket.socketDescriptor()):
                socket.abort()
                continue
            socket.readyRead.connect(partial(self._on_message, socket))
            socket.disconnected.connect(socket.deleteLater)

    def _on_message(self, socket: "QLocalSocket") -> None:
        while socket.canReadLine():
            said = bytes(socket.readLine().data()).decode(errors="replace").strip("\n")
            if said.startswith(ASK):
                socket.write(_proof(self._key, said.removeprefix(ASK)) + b"\n")
            elif said.startswith(SHOW):
                self.raise_requested.emit(said.removeprefix(SHOW).strip())
            elif said == SERVE:
                self.serve_requested.emit()


def key_of(workspace: Path | None) -> str:
    """A short name for a workspace, the same for every start on it."""
    location = str(workspace.resolve()) if workspace else "samples"
    # By Qt, which is there: Python would load all of OpenSSL for it before the first paint.
    digest = QCryptographicHash.hash(location.encode(), QCryptographicHash.Algorithm.Sha256)
    return bytes(digest.toHex().data()).decode()[:16]


def _meeting_folder() -> Path:
    """The user's own folder for what lives no longer than a session; the path of a socket must be short."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and _is_own_folder(Path(runtime)):
        return Path(runtime, "ptc-studio")
    user = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    from PySide6.QtCore import QDir

    return Path(QDir.tempPath(), f"ptc-studio{user}")


def is_private(folder: Path) -> bool:
    """Makes the folder if it is not there; True if nobody but the user can put anything there."""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    return _is_own_folder(folder)


def _is_own_folder(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(status.st_mode)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def _is_own(descriptor: int) -> bool:
    """True if the user himself is at the other end; where the system does not tell, the folder has to do."""
    import socket as sockets
    import struct

    if not hasattr(sockets, "SO_PEERCRED"):
        return True
    with sockets.socket(fileno=os.dup(descriptor)) as socket:
        _, user, _ = struct.unpack("3i", socket.getsockopt(sockets.SOL_SOCKET, sockets.SO_PEERCRED, 12))
    return user == os.getuid()


def _proof(key: bytes, question: str) -> bytes:
    import hmac

    return hmac.new(key, question.encode(), "sha256").hexdigest().encode()
