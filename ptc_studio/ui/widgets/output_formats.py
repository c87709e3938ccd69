"""What a piece of output looks like in the theme in force."""

from functools import lru_cache

from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextFormat

from ptc_studio.ui.contrast import hex_of, mixed, readable, rgb
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import Colours
from ptc_studio.ui.widgets.ansi import PLAIN, Colour, Style, rgb_of

KIND = QTextFormat.Property.UserProperty + 1
"""The property of a format that tells what the text is: `stdout`, `stderr`, `value`..."""
_NAMED = ("muted", "error", "ok", "warning", "accent", "keyword", "tool", "text")
"""The first eight colours of a terminal, by the tokens nearest to them."""
_KINDS = {
    "stderr": "error",
    "error": "error",
    "note": "muted",
    "heading": "muted",
    "ok": "ok",
    "value": "text",
    "failed": "error",
}
_BOLD = ("ok", "failed")


def text_format(kind: str, style: Style = PLAIN) -> QTextCharFormat:
    """The format for text of the kind in the style."""
    return _text_format(kind, style, theme().colours)


def link_format(base: QTextCharFormat) -> QTextCharFormat:
    """The same for what leads to a line of a file."""
    made = QTextCharFormat(base)
    made.setForeground(theme().colour("accent"))
    made.setFontUnderline(True)
    return made


def chip_format(base: QTextCharFormat) -> QTextCharFormat:
    """The same for what stands where something was hidden."""
    made = QTextCharFormat(base)
    made.setForeground(theme().colour("redacted"))
    made.setBackground(theme().colour("redacted_ground"))
    return made


@lru_cache(maxsize=1024)
def _text_format(kind: str, style: Style, colours: Colours) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setProperty(KIND, kind)
    made.setFontWeight(QFont.Weight.Bold if style.bold or kind in _BOLD else QFont.Weight.Normal)
    made.setFontItalic(style.italic)
    made.setFontUnderline(style.underline)
    _colour(made, kind, style, colours)
    return made


def _colour(made: QTextCharFormat, kind: str, style: Style, colours: Colours) -> None:
    plain = getattr(colours, _KINDS.get(kind, "text"))
    front, back = _hex(style.foreground, colours), _hex(style.background, colours)
    if style.inverse:
        front, back = back or colours.panel, front or plain
    if back is not None:
        made.setBackground(QColor(back))
    shown = rgb(front or plain)
    if style.dim:
        shown = mixed(shown, rgb(colours.panel), 0.4)
    made.setForeground(QColor(hex_of(readable(shown, rgb(back or colours.panel)))))


def _hex(colour: Colour, colours: Colours) -> str | None:
    if colour is None:
        return None
    if isinstance(colour, tuple):
        return hex_of(colour)
    return getattr(colours, _NAMED[colour % 8]) if colour < 16 else hex_of(rgb_of(colour))
