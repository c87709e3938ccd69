"""Where the window and its panels stand: brought back at the start, kept at the end."""

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from ptc_studio.storage.settings import Settings
from ptc_studio.ui.docks import Docks

USUAL = (1440, 900)


class Arrangement:
    """Size and place of one window, and of its docks."""

    def __init__(self, window: QMainWindow, docks: Docks, settings: Settings) -> None:
        self._window, self._docks, self._settings = window, docks, settings

    def restore(self) -> None:
        """As it was left; at a first start, the usual size where the screen has room for it."""
        room = self._window.screen().availableSize()
        self._window.resize(min(USUAL[0], room.width()), min(USUAL[1], room.height()))
        geometry, state = self._settings.get("geometry"), self._settings.get("docks")
        if geometry:
            self._window.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        if state:
            self._docks.restore(state)

    def keep(self) -> None:
        """For the next start."""
        self._settings.set("geometry", bytes(self._window.saveGeometry().toBase64().data()).decode())
        self._settings.set("docks", self._docks.state())
