"""One window a workspace: a second start raises the first."""

import hashlib
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
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
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def claim(self, script: Path | None = None) -> bool:
        """True if this is the first; otherwise the first has been asked to show itself, and the script."""
        if self._first_answers(f"{script or ''}\n".encode()):
            return False
        # Whoever held the name was killed, and its socket is left over.
        QLocalServer.removeServer(self._name)
        # Where no socket can be made, two windows are better than none.
        self._server.listen(self._name)
        return True

    def release(self) -> None:
        """Gives the name free."""
        self._server.close()

    def _first_answers(self, message: bytes) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(ANSWER_MILLISECONDS):
            return False
        socket.write(message)
        socket.waitForBytesWritten(ANSWER_MILLISECONDS)
        socket.disconnectFromServer()
        return True

    def _on_connection(self) -> None:
        while socket := self._server.nextPendingConnection():
            socket.readyRead.connect(partial(self._on_message, socket))
            socket.disconnected.connect(socket.deleteLater)

    def _on_message(self, socket: QLocalSocket) -> None:
        while socket.canReadLine():
            self.raise_requested.emit(bytes(socket.readLine().data()).decode(errors="replace").strip())


def key_of(workspace: Path | None) -> str:
    """A short name for a workspace, the same for every start on it."""
    place = str(workspace.resolve()) if workspace else "samples"
    return hashlib.sha256(place.encode()).hexdigest()[:16]
