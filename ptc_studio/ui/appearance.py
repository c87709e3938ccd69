"""Light or dark, larger or smaller: remembers the choice and dresses the application."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication

from ptc_studio.storage.settings import Settings
from ptc_studio.ui.commands import Actions
from ptc_studio.ui.stylesheet import palette, stylesheet
from ptc_studio.ui.theme import Mode, theme
from ptc_studio.ui.tokens import TEXT_PIXELS

MODES: dict[str, Mode] = {"systemThemeAction": "system", "lightThemeAction": "light", "darkThemeAction": "dark"}
USUAL_MODE: Mode = "system"
USUAL_ZOOM = 1.0
STEP = 0.1
LARGE_PIXELS = 16


class Appearance(QObject):
    """The looks of one window's application."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._commands: Actions | None = None
        missing = theme().set_fonts(settings.get("interface_font", ""), settings.get("code_font", ""))
        self.fault = _not_installed(missing, settings.folder / "settings.json") if missing else ""
        """What is wrong with the choice of fonts; for the user."""
        theme().set_mode(settings.get("theme", USUAL_MODE))
        application = _application()
        theme().set_zoom(settings.get("zoom") or desktop_zoom(application))
        if not application.styleSheet():
            # What is made from now on has this font; the style sheet comes when all is there, see `put_on`.
            application.setPalette(palette(theme()))
            application.setFont(theme().text_font())
        theme().changed.connect(self._on_theme_changed)

    def put_on(self) -> None:
        """Dresses what is there: once, as Qt goes through every widget for it, and again whenever one is moved."""
        application, sheet = _application(), stylesheet(theme())
        application.setPalette(palette(theme()))
        application.setFont(theme().text_font())
        if application.styleSheet() != sheet:
            application.setStyleSheet(sheet)

    def connect_commands(self, commands: Actions) -> None:
        """Has the commands of the View menu change it."""
        self._commands = commands
        for name, mode in MODES.items():
            commands[name].triggered.connect(partial(self._set_mode, mode))
        commands["zoomInAction"].triggered.connect(lambda: theme().set_zoom(theme().zoom + STEP))
        commands["zoomOutAction"].triggered.connect(lambda: theme().set_zoom(theme().zoom - STEP))
        commands["zoomResetAction"].triggered.connect(lambda: theme().set_zoom(USUAL_ZOOM))
        self._mark_mode()

    def _set_mode(self, mode: Mode, _checked: bool = False) -> None:
        theme().set_mode(mode)
        self._mark_mode()

    def _mark_mode(self) -> None:
        for name, mode in MODES.items():
            if self._commands is not None:
                self._commands[name].setChecked(mode == theme().mode)

    def _on_theme_changed(self) -> None:
        self.put_on()
        self._settings.set("theme", theme().mode, usual=USUAL_MODE)
        self._settings.set("zoom", theme().zoom, usual=USUAL_ZOOM)
        self._mark_mode()


def desktop_zoom(application: QApplication) -> float:
    """How much larger than usual the desktop wants its words; it is asked before the program puts on its own font."""
    if application.styleSheet():
        return USUAL_ZOOM
    pixels = QFontInfo(application.font()).pixelSize()
    # A point more or less is a matter of the font; who needs large type asks for more than that.
    return round(pixels / TEXT_PIXELS, 1) if pixels >= LARGE_PIXELS else USUAL_ZOOM


def _not_installed(families: list[str], path: Path) -> str:
    named = " and ".join(map(repr, families))
    subject, verb = ("The font", "is") if len(families) == 1 else ("The fonts", "are")
    return f"{subject} {named} that {path} names {verb} not installed; install or name another, the usual is used."


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
