"""The appearance in force: light or dark, fonts, zoom and icons; tells when it changes."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, Protocol

from PySide6.QtCore import QObject, QSize, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import QAbstractButton

from ptc_studio.locations import FONTS, RESOURCES
from ptc_studio.ui.tokens import CODE_PIXELS, DARK, LIGHT, TEXT_PIXELS, Colours

Mode = Literal["system", "light", "dark"]
INTERFACE_FONT, CODE_FONT, MARKS_FONT = "Inter", "JetBrains Mono", "Noto Sans Symbols2"
"""The families that come with the program, so that the window measures the same on every machine."""
FIRST_FACES = ("Inter-Regular.otf", "Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf")
"""What the first paint needs of them; each face takes a third of a millisecond to load."""
OTHER_FACES = (
    "Inter-Bold.otf",
    "JetBrainsMono-Bold.ttf",
    "JetBrainsMono-Italic.ttf",
    "JetBrainsMono-BoldItalic.ttf",
    "NotoSansSymbols2-Regular.ttf",
)
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
        self._interface_families = _with_own("", INTERFACE_FONT, CODE_FONT)
        self._code_families = _with_own("", CODE_FONT, INTERFACE_FONT)
        self._dark: bool | None = None
        """Asked for once: everything that is drawn wants to know."""
        _load(FIRST_FACES)
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

    def set_fonts(self, interface: str = "", code: str = "") -> list[str]:
        """Takes the families that the user chose; an empty one is the program's own. Gives those that are not there."""
        wanted = [family.strip() for family in (interface, code)]
        missing = [family for family in wanted if family and not QFontDatabase.hasFamily(family)]
        chosen, chosen_code = ("" if family in missing else family for family in wanted)
        families = _with_own(chosen, INTERFACE_FONT, CODE_FONT)
        code_families = _with_own(chosen_code, CODE_FONT, INTERFACE_FONT)
        if (families, code_families) != (self._interface_families, self._code_families):
            self._interface_families, self._code_families = families, code_families
            self.changed.emit()
        return missing

    def load_other_faces(self) -> None:
        """Loads what the first paint did without: bold and italic."""
        _load(OTHER_FACES)

    def text_font(self, *, small: bool = False, bold: bool = False) -> QFont:
        """The interface's font."""
        font = self._font(self._interface_families, TEXT_PIXELS - (2 if small else 0))
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def code_font(self) -> QFont:
        """The font of code and values."""
        font = self._font(self._code_families, CODE_PIXELS)
        font.setStyleHint(QFont.StyleHint.Monospace)
        for feature in ("calt", "clig", "liga"):
            # `!=` stays two letters, as it is typed; and a line is laid out in half the time.
            font.setFeature(QFont.Tag(feature), 0)
        return font

    def _font(self, families: list[str], size: int) -> QFont:
        font = QFont(families)
        font.setPixelSize(self.pixels(size))
        # What a desktop makes of it otherwise can change how wide the letters are.
        font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
        return font

    def pixels(self, size: float) -> int:
        """A size with the zoom applied."""
        return max(1, round(size * self._zoom))

    def _on_desktop_changed(self) -> None:
        self._dark = None
        if self._mode == "system":
            self.changed.emit()


def _with_own(chosen: str, *own: str) -> list[str]:
    """The program's own follow the chosen one: they have the marks that it may lack."""
    return [family for family in (chosen, *own, MARKS_FONT) if family]


@cache
def _load(faces: tuple[str, ...]) -> None:
    for face in faces:
        QFontDatabase.addApplicationFont(str(FONTS / face))


_theme: Theme | None = None


def theme() -> Theme:
    """The one theme of the program; made at first use, once there is an application."""
    global _theme
    if _theme is None:
        _theme = Theme()
    return _theme


ICONS = RESOURCES / "icons"
SIZE = 16
"""Of an icon on a button, without zoom."""
DISABLED_OPACITY = 0.45


class HasIcon(Protocol):
    """A button or an action."""

    def setIcon(self, icon: QIcon, /) -> None: ...


def icon(name: str, colour: str = "text") -> QIcon:
    """The icon in a colour of the theme; one with colours of its own keeps them."""
    return _icon(name, theme().colour(colour).name())


def app_icon() -> QIcon:
    """The product's own icon."""
    return _icon("app", "#000000")


def set_icon(target: HasIcon, name: str, colour: str = "text") -> None:
    """Gives the button or action that icon, now and whenever the theme changes."""
    assert isinstance(target, QObject)
    for former in target.findChildren(_Keeper, options=Qt.FindChildOption.FindDirectChildrenOnly):
        former.setParent(None)
        former.deleteLater()
    _Keeper(target, name, colour)


def icon_file(name: str, colour: str) -> Path:
    """A file with the icon in that `#rrggbb`: what a style sheet can name."""
    path = _folder() / f"{name}-{colour.removeprefix('#')}.svg"
    if not path.exists():
        path.write_bytes(_svg(name, colour))
    return path


class _Keeper(QObject):
    """A child of what has the icon: gone with it, so that nothing dangles."""

    def __init__(self, target: QObject, name: str, colour: str) -> None:
        super().__init__(target)
        self._name = name
        self._colour = colour
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        target = self.parent()
        if target is not None:
            target.setIcon(icon(self._name, self._colour))  # type: ignore[attr-defined]
        if isinstance(target, QAbstractButton):
            target.setIconSize(QSize(theme().pixels(SIZE), theme().pixels(SIZE)))


@lru_cache(maxsize=256)
def _icon(name: str, colour: str) -> QIcon:
    # Qt draws it from the file, in the size that is wanted, when it is wanted.
    made = QIcon(str(icon_file(name, colour)))
    made.addFile(str(_faint_file(name, colour)), mode=QIcon.Mode.Disabled)
    return made


def _faint_file(name: str, colour: str) -> Path:
    path = _folder() / f"{name}-{colour.removeprefix('#')}-off.svg"
    if not path.exists():
        path.write_bytes(_svg(name, colour).replace(b"<svg ", f'<svg opacity="{DISABLED_OPACITY}" '.encode(), 1))
    return path


def _svg(name: str, colour: str) -> bytes:
    return (ICONS / f"{name}.svg").read_bytes().replace(b"currentColor", colour.encode())


@cache
def _temporary() -> QTemporaryDir:
    return QTemporaryDir()


def _folder() -> Path:
    return Path(_temporary().path())
