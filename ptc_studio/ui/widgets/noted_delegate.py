"""A line of a list with a remark at its right end; what does not fit is cut, and the item's tooltip has it."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE

NOTE_ROLE = Qt.ItemDataRole.UserRole + 1
MOST_NOTE = 0.5
"""Of the line, for the remark."""


class NotedDelegate(QStyledItemDelegate):
    """Draws the item's text, and what it has under `NOTE_ROLE`."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        from PySide6.QtWidgets import QStyle

        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.fillRect(option.rect, theme().colour("selection"))
        space = theme().pixels(2 * SPACE)
        area = QRect(option.rect).adjusted(space, 0, -space, 0)
        note = str(index.data(NOTE_ROLE) or "")
        width = min(QFontMetrics(theme().text_font()).horizontalAdvance(note) + 1, round(area.width() * MOST_NOTE))
        _draw(painter, area.adjusted(area.width() - width, 0, 0, 0), note, "muted", Qt.AlignmentFlag.AlignRight)
        left = area.adjusted(0, 0, -(width + space) if note else 0, 0)
        _draw(painter, left, str(index.data() or ""), "text", Qt.AlignmentFlag.AlignLeft)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        # As wide as the list, however long the words are.
        return QSize(1, theme().pixels(ROW))


def _draw(painter: QPainter, area: QRect, text: str, colour: str, side: Qt.AlignmentFlag) -> None:
    painter.setFont(theme().text_font())
    painter.setPen(theme().colour(colour))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
