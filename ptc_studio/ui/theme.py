"""The appearance in force: light or dark, fonts and zoom; tells when it changes."""

from functools import cache
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication

from ptc_studio.ui.tokens import CODE_PIXELS, DARK, LIGHT, TEXT_PIXELS, Colours

Mode = Literal["system", "light", "dark"]
SMALLEST_ZOOM, LARGEST_ZOOM = 0.6, 3.0
STATUS_COLOURS = {"ok": "ok", "running": "accent", "waiting": "warning", "denied": "warning", "cancelled": "warning"}


class Theme(QObject):
    """Colours and fonts as they are now.

    Signals: changed: something is to be drawn anew.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._mode: Mode = "system"
        self._zoom = 1.0
        self._dark: bool | None = None
        """Asked for once: everything that is drawn wants to know."""
        hints = QGuiApplication.styleHints()
        if hints is not None:
            hints.colorSchemeChanged.connect(self._on_desktop_changed)

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def is_dark(self) -> bool:
        if self._mode != "system":
            return self._mode == "dark"
        if self._dark is None:
            self._dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._dark

    @property
    def colours(self) -> Colours:
        return DARK if self.is_dark else LIGHT

    @property
    def zoom(self) -> float:
        return self._zoom

    def colour(self, name: str) -> QColor:
        """A colour by its purpose, such as `accent`."""
        return QColor(getattr(self.colours, name))

    def status_colour(self, status: str) -> QColor:
        """The colour that goes with the mark of a status."""
        return self.colour(STATUS_COLOURS.get(status, "error"))

    def set_mode(self, mode: Mode) -> None:
        if mode != self._mode:
            self._mode = mode
            self.changed.emit()

    def set_zoom(self, zoom: float) -> None:
        zoom = round(min(max(zoom, SMALLEST_ZOOM), LARGEST_ZOOM), 2)
        if zoom != self._zoom:
            self._zoom = zoom
            self.changed.emit()

    def text_font(self, *, small: bool = False, bold: bool = False) -> QFont:
        """The interface's font."""
        font = QFont("Inter") if _is_installed("Inter") else QGuiApplication.font()
        font.setPixelSize(self.pixels(TEXT_PIXELS - (2 if small else 0)))
        font.setBold(bold)
        return font

    def code_font(self) -> QFont:
        """The font of code and values."""
        if _is_installed("JetBrains Mono"):
            font = QFont("JetBrains Mono")
        else:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(self.pixels(CODE_PIXELS))
        font.setStyleHint(QFont.StyleHint.Monospace)
        return font

    def pixels(self, size: float) -> int:
        """A size with the zoom applied."""
        return max(1, round(size * self._zoom))

    def _on_desktop_changed(self) -> None:
        self._dark = None
        if self._mode == "system":
            self.changed.emit()


@cache
def _is_installed(family: str) -> bool:
    # Asked for every line that is drawn; Qt makes a new list of all families each time.
    return family in QFontDatabase.families()


_theme: Theme | None = None


def theme() -> Theme:
    """The one theme of the program; made at first use, once there is an application."""
    global _theme
    if _theme is None:
        _theme = Theme()
    return _theme
