"""One line of coloured parts, cut where it does not fit; the tooltip has all of it."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ptc_studio.ui.models.value_text import Part, plain
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW
from ptc_studio.ui.widgets.parts_painter import PartsPainter
from ptc_studio.ui.widgets.plain_text import plain_tip


class PartsLine(QWidget):
    """Shows parts as the call tree does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: Sequence[Part] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def text(self) -> str:
        return plain(self._parts)

    def set_parts(self, parts: Sequence[Part]) -> None:
        if parts != self._parts:
            self._parts = parts
            self.setToolTip(plain_tip(self.text))
            self.setAccessibleName(self.text)
            self.updateGeometry()
            self.update()

    def _restyle(self) -> None:
        self._painter = PartsPainter()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        self._painter.draw(painter, self.rect(), self._parts)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(theme().text_font()).horizontalAdvance(self.text)
        return QSize(width, theme().pixels(ROW))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().pixels(60), theme().pixels(ROW))
