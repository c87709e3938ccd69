"""The icons of `resources/icons`, in the colours of the theme."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QSize, Qt, QTemporaryDir
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractButton

from ptc_studio.locations import RESOURCES
from ptc_studio.ui.theme import theme

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
