"""One window a workspace: a second start raises the first."""

import hashlib
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

ANSWER_MILLISECONDS = 500


class SingleInstance(QObject):
    """Holds the name of a workspace among the user's windows.

    Signals: raise_requested(path): another start on the same workspace wants to see this window, and a script in it
    unless the path is empty.
    """

    raise_requested = Signal(str)

    def __init__(self, workspace: Path | None) -> None:
        super().__init__()
        self._name = f"ptc-studio-{key_of(workspace)}"
        self._server: QLocalServer | None = None

    @property
    def may_be_held(self) -> bool:
        """False if nobody can hold the name: a look at a file, which is all that the first paint waits for."""
        return sys.platform == "win32" or Path(QDir.tempPath(), self._name).exists()

    def claim(self, script: Path | None = None) -> bool:
        """True if this is the first; otherwise the first has been asked to show itself, and the script."""
        # Imported late: a window is on the screen before its name is looked after.
        from PySide6.QtNetwork import QLocalServer

        if self._server is not None:
            return True
        if self._first_answers(f"{script or ''}\n".encode()):
            return False
        # Whoever held the name was killed, and its socket is left over.
        QLocalServer.removeServer(self._name)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)
        # Where no socket can be made, two windows are better than none.
        self._server.listen(self._name)
        return True

    def release(self) -> None:
        """Gives the name free."""
        if self._server is not None:
            self._server.close()

    def _first_answers(self, message: bytes) -> bool:
        from PySide6.QtNetwork import QLocalSocket

        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(ANSWER_MILLISECONDS):
            return False
        socket.write(message)
        socket.waitForBytesWritten(ANSWER_MILLISECONDS)
        socket.disconnectFromServer()
        return True

    def _on_connection(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()):
            socket.readyRead.connect(partial(self._on_message, socket))
            socket.disconnected.connect(socket.deleteLater)

    def _on_message(self, socket: "QLocalSocket") -> None:
        while socket.canReadLine():
            self.raise_requested.emit(bytes(socket.readLine().data()).decode(errors="replace").strip())


def key_of(workspace: Path | None) -> str:
    """A short name for a workspace, the same for every start on it."""
    place = str(workspace.resolve()) if workspace else "samples"
    return hashlib.sha256(place.encode()).hexdigest()[:16]
