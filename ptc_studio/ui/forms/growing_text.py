"""A text field that is as high as its text, up to a number of lines."""

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from ptc_studio.ui.forms.looks import label_font
from ptc_studio.ui.theme import theme


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
        around = 2 * (1 + theme().pixels(3) + 2)
        line = QFontMetrics(font).lineSpacing()
        high = max(line * self._least, self._content_height(line)) + around
        return QSize(160, max(high, theme().pixels(30)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
