"""How deep calls are nested, against how deep they may be."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import plain_tip

MOST_BARS = 10
BAR, GAP, HEIGHT = 6, 3, 12


class DepthGauge(QWidget):
    """A small bar for each level, lit up to the depth; the last one that is allowed warns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depth, self._most = 0, 5
        self.setAccessibleName("Depth of calls")
        theme().changed.connect(self.updateGeometry)

    def set_depth(self, depth: int, most: int) -> None:
        if (depth, most) != (self._depth, self._most):
            self._depth, self._most = depth, most
            self.setToolTip(plain_tip(f"The deepest call was at level {depth}; at most {most} are allowed."))
            self.updateGeometry()
            self.update()

    @property
    def _bars(self) -> int:
        return max(1, min(self._most, MOST_BARS))

    def sizeHint(self) -> QSize:
        width = self._bars * (BAR + GAP) - GAP
        return QSize(theme().pixels(width), theme().pixels(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        lit = round(self._depth * self._bars / max(1, self._most)) if self._most > MOST_BARS else self._depth
        on = theme().colour("warning" if self._depth >= self._most else "accent")
        step, width, height = theme().pixels(BAR + GAP), theme().pixels(BAR), theme().pixels(HEIGHT)
        for bar in range(self._bars):
            painter.setBrush(on if bar < lit else theme().colour("line"))
            painter.drawRoundedRect(QRectF(bar * step, (self.height() - height) / 2, width, height), 2, 2)
