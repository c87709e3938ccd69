"""Small controls of forms, and how they look: combo boxes, choices, suggestions, texts that grow, JSON in colours."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from string import Template

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QCompleter,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, RADIUS, SPACE
from ptc_studio.ui.widgets.layout import FlowLayout

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
    return _fonts(theme().text_font().key())[0]


def bold_font() -> QFont:
    """The font of the mark of what is required."""
    return _fonts(theme().text_font().key())[1]


def help_font() -> QFont:
    """The font of the texts below a field."""
    return _fonts(theme().text_font().key())[2]


@lru_cache(maxsize=8)
def _fonts(_key: str) -> tuple[QFont, QFont, QFont]:
    """Made once for each font and zoom: they are asked for with every row that is drawn."""
    small = QFont(theme().text_font())
    small.setPixelSize(max(1, round(12 * theme().zoom)))
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


class QuietCombo(QComboBox):
    """Scrolling past it changes nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Segments(QWidget):
    """Buttons in a row; the arrow keys go from one to the next.

    Signals: picked(position): the user chose it.
    """

    picked = Signal(int)

    def __init__(self, texts: Sequence[str], *, unset: int = -1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        layout = FlowLayout(self, spacing=2 * SPACE)
        for position, text in enumerate(texts):
            button = QPushButton(text, self)
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setAccessibleName(text)
            button.setProperty("segment", "unset" if position == unset else "true")
            self._group.addButton(button, position)
            layout.addWidget(button)
        self._group.idClicked.connect(self.picked)

    def current(self) -> int:
        """The position of the one that is on; -1 for none."""
        return self._group.checkedId()

    def button(self, position: int) -> QPushButton:
        found = self._group.button(position)
        assert isinstance(found, QPushButton)
        return found

    def set_current(self, position: int) -> None:
        """Turns one on, or none."""
        if position < 0:
            self._group.setExclusive(False)
            for button in self._group.buttons():
                button.setChecked(False)
            self._group.setExclusive(True)
        else:
            self.button(position).setChecked(True)


def suggest(line: QLineEdit, texts: Sequence[str]) -> None:
    """Offers those of the texts that contain what was typed."""
    completer = QCompleter(list(texts), line)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    popup = completer.popup()
    assert popup is not None
    # A window of its own, so the form's looks do not reach it.
    popup.setObjectName("suggestions")
    apply_form_style(popup)
    line.setCompleter(completer)


def raw_text_of(document: QTextDocument) -> str:
    """The text with nothing changed in it; Qt's own way turns fixed spaces into plain ones."""
    return document.toRawText().replace("\u2029", "\n")


class GrowingText(QPlainTextEdit):
    """Tab goes on to the next field; Return makes a new line."""

    def __init__(self, least: int, most: int, *, code: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._least, self._most, self._code = least, most, code
        self._lines = least
        self.setProperty("field", True)
        self.setProperty("code", code)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._fit)
        theme().changed.connect(self.updateGeometry)

    def raw_text(self) -> str:
        """The text with nothing changed in it."""
        return raw_text_of(self.document())

    def _fit(self) -> None:
        lines = math.ceil(self.document().documentLayout().documentSize().height())
        lines = min(max(lines, self._least), self._most)
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if lines == self._most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()

    def _content_height(self, line: int) -> int:
        """As high as the lines truly are: a font that stands in for missing letters can be higher."""
        if self._lines >= self._most:
            return line * self._most
        layout, block, high = self.document().documentLayout(), self.document().firstBlock(), 0.0
        while block.isValid():
            high += layout.blockBoundingRect(block).height()
            block = block.next()
        return math.ceil(high)

    def sizeHint(self) -> QSize:
        font = theme().code_font() if self._code else label_font()
        # The frame, the padding and the margin of the document, above and below.
        context = 2 * (1 + theme().pixels(3) + 2)
        line = QFontMetrics(font).lineSpacing()
        high = max(line * self._least, self._content_height(line)) + context
        return QSize(160, max(high, theme().pixels(30)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()


_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<string>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<number>-?\d[\d.eE+-]*)|(?P<keyword>\b(?:true|false|null)\b)"
)
LONGEST_LINE = 5_000


class JsonHighlighter(QSyntaxHighlighter):
    """Keys, texts, numbers and the three words."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        theme().changed.connect(self._on_theme_changed)
        self._make_formats()

    def _make_formats(self) -> None:
        for kind in ("string", "number", "keyword"):
            self._formats[kind] = QTextCharFormat()
            self._formats[kind].setForeground(theme().colour(kind))
        self._formats["key"] = QTextCharFormat()
        self._formats["key"].setForeground(theme().colour("text"))

    def _on_theme_changed(self) -> None:
        self._make_formats()
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if len(text) > LONGEST_LINE:
            return
        # Qt counts characters beyond the first plane twice.
        wide = any(ord(char) > 0xFFFF for char in text)
        for match in _TOKEN.finditer(text):
            begin, end = match.span()
            if wide:
                begin, end = (len(text[:at].encode("utf-16-le", "surrogatepass")) // 2 for at in (begin, end))
            self.setFormat(begin, end - begin, self._formats[match.lastgroup or "string"])
