"""Draws one line of the completion list: what kind it is, its name, its type."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ptc_studio.ui.language.suggestions import Kind, Suggestion
from ptc_studio.ui.models.suggestions import SUGGESTION, Index
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE

SIGNS: dict[Kind, tuple[str, str]] = {
    "tool": ("→", "tool"),
    "namespace": ("▸", "tool"),
    "parameter": ("=", "accent"),
    "function": ("ƒ", "muted"),
    "class": ("C", "muted"),
    "module": ("M", "muted"),
    "keyword": ("k", "keyword"),
    "name": ("·", "muted"),
}


class SuggestionRow(QStyledItemDelegate):
    """One row: sign, name, and at the right its type."""

    def _paint_texts(self, painter: QPainter, area: QRect, row: Suggestion) -> None:
        sign, colour = SIGNS[row.kind]
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme().code_font())
        painter.setPen(theme().colour(colour))
        painter.drawText(area, left, sign)
        area.setLeft(area.left() + theme().pixels(5 * SPACE))
        painter.setPen(theme().colour("tool" if row.kind in ("tool", "namespace") else "text"))
        painter.drawText(area, left, row.text)
        area.setLeft(area.left() + QFontMetrics(theme().code_font()).horizontalAdvance(row.text) + 4 * SPACE)
        painter.setFont(theme().text_font(small=True))
        painter.setPen(theme().colour("muted"))
        detail = QFontMetrics(painter.font()).elidedText(row.detail, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, detail)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        area: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        if option.state & QStyle.StateFlag.State_Selected:  # pyright: ignore[reportAttributeAccessIssue]
            painter.fillRect(area, theme().colour("selection"))
        self._paint_texts(painter, area.adjusted(2 * SPACE, 0, -2 * SPACE, 0), index.data(SUGGESTION))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return QSize(0, theme().pixels(ROW))
