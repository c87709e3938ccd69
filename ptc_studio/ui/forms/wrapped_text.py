"""Text that is painted rather than a widget of its own: a form has hundreds of them."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption


class WrappedText:
    """Breaks its text into as many lines as it needs, or may have."""

    def __init__(self, text: str = "", most: int = 100) -> None:
        self.text = " ".join(text.split())
        self._most = most
        self._layout: QTextLayout | None = None
        self._for: tuple[int, str] | None = None
        self._height = 0.0
        self.is_cut = False
        """Whether there is more than is shown."""

    def height(self, width: int, font: QFont) -> int:
        """How high it is when it is so wide."""
        if not self.text:
            return 0
        self._break(max(width, 20), font)
        return int(self._height + 0.999)

    def draw(self, painter: QPainter, place: QPointF, width: int, font: QFont, colour: QColor) -> None:
        """Paints it with its top left corner there."""
        if self.text:
            self._break(max(width, 20), font)
            painter.setPen(colour)
            assert self._layout is not None
            self._layout.draw(painter, place)

    def _break(self, width: int, font: QFont) -> None:
        key = (width, font.key())
        if key == self._for:
            return
        self._for = key
        ends = self._lay_out(self.text, width, font)
        self.is_cut = len(ends) > self._most
        if self.is_cut:
            kept = self.text[: ends[self._most - 2]] if self._most > 1 else ""
            last = self.text[len(kept) :]
            kept += QFontMetricsF(font).elidedText(last, Qt.TextElideMode.ElideRight, width)
            self._lay_out(kept, width, font)

    def _lay_out(self, text: str, width: int, font: QFont) -> list[int]:
        """Where each line ends."""
        layout, height, ends = QTextLayout(text, font), 0.0, []
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, height))
            height += line.height()
            ends.append(line.textStart() + line.textLength())
        layout.endLayout()
        self._layout, self._height = layout, height
        return ends
