"""How the columns of the call tree are drawn: mark and words, milliseconds, a bar on the run's time."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from ptc_studio.ui.calls.model import CallModel
from ptc_studio.ui.calls.nodes import CallGroup, CallNode
from ptc_studio.ui.calls.rows import milliseconds, progress_share, row_parts
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, ROW, SPACE
from ptc_studio.ui.widgets.parts import PartsPainter, tabular

Index = QModelIndex | QPersistentModelIndex
BAR = 8
NARROWEST = 3.0


class CallDelegate(QStyledItemDelegate):
    """The parts that the three columns share."""

    def __init__(self, model: CallModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.restyle()
        theme().changed.connect(self.restyle)

    def restyle(self) -> None:
        """Takes the theme's fonts and colours."""
        now = theme()
        self._row = QSize(now.pixels(40), now.pixels(ROW))
        self._gap = now.pixels(SPACE)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return self._row


class WordsDelegate(CallDelegate):
    """The mark of the status, then the call in coloured words."""

    def restyle(self) -> None:
        super().restyle()
        now = theme()
        self._parts = PartsPainter()
        self._mark_font = now.text_font()
        self._mark_width = QFontMetrics(self._mark_font).horizontalAdvance("◐") + self._gap + 2
        self._narrowest = max(now.pixels(4), 1)
        """Pixels of a narrow letter: no more letters than that fit."""
        self._marks = {status: now.status_colour(status) for status in MARKS}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node = self._model.node(index)
        if not isinstance(node, CallNode | CallGroup):
            return
        rect: QRect = option.rect.adjusted(0, 0, -self._gap, 0)  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        painter.setFont(self._mark_font)
        painter.setPen(self._marks.get(node.mark, self._marks["error"]))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, MARKS.get(node.mark, "✕"))
        words = rect.adjusted(self._mark_width, 0, 0, 0)
        self._parts.draw(painter, words, row_parts(node, words.width() // self._narrowest))
        painter.restore()


class MillisecondsDelegate(CallDelegate):
    """What a call took, or has taken so far."""

    def restyle(self) -> None:
        super().restyle()
        self._font = tabular(theme().text_font())
        self._ink, self._faint = theme().colour("text"), theme().colour("muted")

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node = self._model.node(index)
        if not isinstance(node, CallNode | CallGroup):
            return
        rect: QRect = option.rect.adjusted(0, 0, -2 * self._gap, 0)  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        painter.setFont(self._font)
        painter.setPen(self._faint if node.end is None else self._ink)
        text = milliseconds(self._model.duration(node))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        painter.restore()


class BarDelegate(CallDelegate):
    """Where in the run a call lies, and how long it is."""

    def restyle(self) -> None:
        super().restyle()
        now = theme()
        self._height = now.pixels(BAR)
        self._colours = {status: QColor(now.status_colour(status)) for status in MARKS}
        self._colours["ok"] = now.colour("accent")
        for colour in self._colours.values():
            colour.setAlphaF(0.8)
        self._faint = QColor(now.colour("accent"))
        self._faint.setAlphaF(0.25)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node = self._model.node(index)
        whole = self._model.clock.elapsed()
        if not isinstance(node, CallNode | CallGroup) or whole <= 0:
            return
        rect: QRect = option.rect.adjusted(0, 0, -2 * self._gap, 0)  # pyright: ignore[reportAttributeAccessIssue]
        bar = self._bar(rect, node.start / whole, self._model.duration(node) / whole)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        colour = self._colours.get(node.status, self._colours["error"])
        share = progress_share(node) if isinstance(node, CallNode) else None
        if share is not None:
            # What is still to be done is faint.
            painter.setBrush(self._faint)
            painter.drawRoundedRect(bar, self._height / 3, self._height / 3)
            bar.setWidth(max(bar.width() * share, min(NARROWEST, bar.width())))
        painter.setBrush(colour)
        painter.drawRoundedRect(bar, self._height / 3, self._height / 3)
        painter.restore()

    def _bar(self, rect: QRect, start: float, share: float) -> QRectF:
        """Never so short that it cannot be seen, never beyond the column."""
        width = min(max(share * rect.width(), NARROWEST), rect.width())
        left = min(start * rect.width(), rect.width() - width)
        top = rect.center().y() - self._height / 2 + 1
        return QRectF(rect.left() + max(left, 0.0), top, width, self._height)
