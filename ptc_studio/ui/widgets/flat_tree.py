"""A tree without frames: triangles instead of branches, whole rows selected, colours of the theme."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPalette, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QFrame, QStyleOptionViewItem, QTreeView, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

Index = QModelIndex | QPersistentModelIndex


class FlatTree(QTreeView):
    """What the call tree and the value trees have in common."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._muted = QColor()
        self._selected = QColor()
        theme().changed.connect(self._on_theme_changed)
        self.restyle()

    def restyle(self) -> None:
        """Takes the theme's colours and sizes."""
        now = theme()
        palette = self.palette()
        for role, name in (
            (QPalette.ColorRole.Base, "panel"),
            (QPalette.ColorRole.Window, "panel"),
            (QPalette.ColorRole.Text, "text"),
            (QPalette.ColorRole.Highlight, "selection"),
            (QPalette.ColorRole.HighlightedText, "text"),
        ):
            palette.setColor(role, now.colour(name))
        self.setPalette(palette)
        self._muted, self._selected = now.colour("muted"), now.colour("selection")
        self.setIndentation(now.pixels(4 * SPACE))
        self.setFont(now.text_font())

    def visible_indexes(self) -> list[QModelIndex]:
        """The rows that can be seen, from the top."""
        found: list[QModelIndex] = []
        index = self.indexAt(self.viewport().rect().topLeft())
        bottom = self.viewport().height()
        while index.isValid() and self.visualRect(index).top() < bottom:
            found.append(index)
            index = self.indexBelow(index)
        return found

    def _on_theme_changed(self) -> None:
        self.restyle()
        # Later, when the delegates know of their new sizes too.
        QTimer.singleShot(0, self, self.doItemsLayout)

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        selection = self.selectionModel()
        if selection is not None and selection.isSelected(index):
            painter.fillRect(options.rect, self._selected)  # pyright: ignore[reportAttributeAccessIssue]
        super().drawRow(painter, options, index)

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        if not self.model().hasChildren(index):
            return
        size = theme().pixels(3.5)
        center = QPointF(rect.right() - self.indentation() / 2 + 1, rect.center().y() + 1)
        corners = [(-size, -size / 2), (size, -size / 2), (0, size * 0.7)]
        if not self.isExpanded(index):
            corners = [(-size / 2, -size), (-size / 2, size), (size * 0.7, 0)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._muted)
        painter.drawPolygon(QPolygonF([center + QPointF(x, y) for x, y in corners]))
        painter.restore()
