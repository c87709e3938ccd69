"""One line of words that is cut with an ellipsis where there is little room; its tooltip has all of it then."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip

LEAST = 28
"""So much of the words is always seen."""


class ElidedLabel(PlainLabel):
    """Asks for as much room as its words need, and makes do with less."""

    def __init__(self, text: str = "", *, about: str = "", parent: QWidget | None = None) -> None:
        """`about` says what the words are; it stands in the tooltip in any case."""
        super().__init__(parent=parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._about = about
        self.setText(text)

    @property
    def is_cut(self) -> bool:
        return self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()

    def setText(self, text: str) -> None:
        super().setText(text)
        self._tell()

    def _tell(self) -> None:
        self.setToolTip(plain_tip("\n".join(filter(None, (self.text() if self.is_cut else "", self._about)))))

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        around = whole.width() - self.fontMetrics().horizontalAdvance(self.text())
        return QSize(min(whole.width(), around + theme().pixels(LEAST)), whole.height())

    def sizeHint(self) -> QSize:
        # A pixel more than is needed: metrics are rounded, and nothing is to be cut for that.
        whole = super().sizeHint()
        return QSize(whole.width() + 1, whole.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_cut:
            super().paintEvent(event)
            return
        painter, place = QPainter(self), self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, place.width())
        side = self.alignment() & Qt.AlignmentFlag.AlignHorizontal_Mask
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(place, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
