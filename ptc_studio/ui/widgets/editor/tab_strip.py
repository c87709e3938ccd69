"""The row of tabs: titles, ● for what is unsaved, a cross to close under the pointer."""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

UNSAVED, CLOSE = "●", "✕"
HEIGHT = 34
LINE = 2
WIDEST = 240


class TabStrip(QTabBar):
    """Draws itself after the tokens.

    Signals: close_asked(index): the cross or the middle button was pressed on a tab.
    """

    close_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Open files")
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self._pointer = QPoint(-1, -1)
        theme().changed.connect(self._apply_theme)
        self._apply_theme()

    def set_unsaved(self, index: int, unsaved: bool) -> None:
        """Whether the tab has the mark of an unsaved text."""
        if bool(self.tabData(index)) != unsaved:
            self.setTabData(index, unsaved)
            self.update()

    def _apply_theme(self) -> None:
        colours = theme().colours
        self.setFont(theme().text_font())
        self.setStyleSheet(
            f"QTabBar {{ background: {colours.panel}; }}"
            f"QTabBar QToolButton {{ background: {colours.raised}; border: 1px solid {colours.line}; }}"
        )
        self.updateGeometry()

    def _mark_area(self, tab: QRect) -> QRect:
        side = theme().pixels(4 * SPACE)
        return QRect(tab.right() - side - 2 * SPACE, tab.center().y() - side // 2, side, side)

    def _paint_tab(self, painter: QPainter, index: int) -> None:
        area, chosen = self.tabRect(index), index == self.currentIndex()
        mark = self._mark_area(area)
        hovered = area.contains(self._pointer)
        if chosen:
            line = QRect(area.left(), self.height() - theme().pixels(LINE), area.width(), theme().pixels(LINE))
            painter.fillRect(line, theme().colour("accent"))
        painter.setFont(theme().text_font())
        painter.setPen(theme().colour("text" if chosen or hovered else "muted"))
        words = QRect(area.left() + 4 * SPACE, area.top(), mark.left() - area.left() - 5 * SPACE, area.height())
        title = QFontMetrics(painter.font()).elidedText(self.tabText(index), self.elideMode(), words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        if hovered or self.tabData(index):
            painter.drawText(mark, Qt.AlignmentFlag.AlignCenter, CLOSE if hovered else UNSAVED)

    def _point_at(self, point: QPoint) -> None:
        if point != self._pointer:
            self._pointer = point
            self.update()

    def tabSizeHint(self, index: int) -> QSize:
        words = QFontMetrics(theme().text_font()).horizontalAdvance(self.tabText(index))
        width = min(words, theme().pixels(WIDEST)) + 4 * SPACE + theme().pixels(4 * SPACE) + 4 * SPACE
        return QSize(width, theme().pixels(HEIGHT))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(QPoint(-1, -1))
        super().leaveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(event.position().toPoint())
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.tabAt(event.position().toPoint())
        on_mark = index >= 0 and self._mark_area(self.tabRect(index)).contains(event.position().toPoint())
        if index >= 0 and (event.button() == Qt.MouseButton.MiddleButton or on_mark):
            self.close_asked.emit(index)
            return
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().colour("panel"))
        for index in range(self.count()):
            self._paint_tab(painter, index)
