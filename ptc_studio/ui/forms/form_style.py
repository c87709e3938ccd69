"""How the fields of a form look: rules of the style sheet beyond those of the window, made of the theme's tokens."""

from functools import lru_cache
from string import Template

from PySide6.QtCore import QObject
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, RADIUS, SPACE

_RULES = """
QPlainTextEdit[field="true"] { background: $raised; border: 1px solid $line; border-radius: ${radius}px;
  padding: ${pad}px ${side}px; selection-background-color: $accent; selection-color: $on_accent; }
QPlainTextEdit[code="true"], QLineEdit[code="true"] { font-family: "$code"; font-size: ${code_px}px; }
QWidget[mark="fault"] { border-color: $error; }
QWidget[mark="advice"] { border-color: $warning; }
QPlainTextEdit[field="true"]:focus, QLineEdit:focus, QComboBox:focus { border-color: $accent; }
QPlainTextEdit[field="true"]:disabled { color: $muted; }
QComboBox[unset="true"] { color: $muted; }
QPushButton[segment="true"]:checked { background: $accent; border-color: $accent; color: $on_accent; }
QPushButton[segment="true"]:checked:focus { border: 2px solid $text; }
QPushButton[segment="unset"] { color: $muted; }
QPushButton[segment="unset"]:checked { background: $selection; border-color: $line; color: $text; }
QPushButton[segment="unset"]:checked:focus { border-color: $accent; }
QToolButton[header="true"] { background: transparent; border: 1px solid transparent; color: $text; font-weight: 600;
  padding: 0; min-height: 0; min-width: 0; text-align: left; }
QToolButton[header="true"]:hover { color: $accent; background: transparent; }
QToolButton[header="true"]:focus { border-color: $accent; }
QListView#suggestions { background: $raised; border: 1px solid $line; }
"""


def form_sheet() -> str:
    """The rules for the theme as it is now."""
    of, colours = theme(), theme().colours
    code = of.code_font()
    return Template(_RULES).substitute(
        {name: getattr(colours, name) for name in colours.__slots__},
        radius=RADIUS,
        pad=of.pixels(3),
        side=of.pixels(SPACE + 2),
        space=of.pixels(SPACE),
        code=code.family(),
        code_px=code.pixelSize(),
    )


def apply_form_style(form: QWidget) -> None:
    """Gives a form its looks, now and whenever the theme changes."""
    _Dresser(form)


def label_font() -> QFont:
    """The font of labels."""
    return _fonts(theme().zoom)[0]


def bold_font() -> QFont:
    """The font of the mark of what is required."""
    return _fonts(theme().zoom)[1]


def help_font() -> QFont:
    """The font of the texts below a field."""
    return _fonts(theme().zoom)[2]


@lru_cache(maxsize=8)
def _fonts(zoom: float) -> tuple[QFont, QFont, QFont]:
    """Made once for each zoom: asking for a font looks through all there are."""
    small = QFont(theme().text_font())
    small.setPixelSize(max(1, round(12 * zoom)))
    return theme().text_font(), theme().text_font(bold=True), small


def field_height() -> int:
    """Of one line."""
    return theme().pixels(FIELD)


class _Dresser(QObject):
    """A child of the form: gone with it."""

    def __init__(self, form: QWidget) -> None:
        super().__init__(form)
        self._form = form
        theme().changed.connect(self._put_on)
        self._put_on()

    def _put_on(self) -> None:
        self._form.setStyleSheet(form_sheet())
