"""Rows and columns of parts, and what gives way where there is too little room."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLayout, QLayoutItem, QScrollArea, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

STRETCH = None
"""Stands between the parts of a row or a column, for room that none of them takes."""
Box = TypeVar("Box", bound=QBoxLayout)


def filled(
    box: Box,
    *parts: QWidget | QLayout | tuple[QWidget | QLayout, int] | None,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> Box:
    """The row or column with these parts, each alone or with its stretch; the style has the rest."""
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for each in parts:
        part, stretch = each if isinstance(each, tuple) else (each, 0)
        if part is None:
            box.addStretch(1)
        elif isinstance(part, QWidget):
            box.addWidget(part, stretch)
        else:
            box.addLayout(part, stretch)
    return box


def scroll_into_view(widget: QWidget) -> None:
    """Scrolls whatever is around the widget so far that it is seen, once what was just shown has its place."""
    QTimer.singleShot(0, widget, lambda: _scroll_into_view(widget))


def _scroll_into_view(widget: QWidget) -> None:
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            inside = above.widget()
            layout = inside.layout() if inside is not None else None
            if layout is not None:
                layout.activate()
            above.ensureWidgetVisible(widget, 0, theme().pixels(2 * SPACE))
        above = above.parentWidget()


class FlowLayout(QLayout):
    """As wide as it may be, as high as it needs then; what is hidden takes no place."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 0) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        """By width, until something changes: Qt asks a hundred times for one window."""
        self.setContentsMargins(QMargins())
        self.setSpacing(spacing)

    def _arranged(self, width: int) -> list[tuple[QLayoutItem, QRect]]:
        places: list[tuple[QLayoutItem, QRect]] = []
        x = y = high = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if x and x + size.width() > width:
                x, y, high = 0, y + high + self.spacing(), 0
            places.append((item, QRect(QPoint(x, y), QSize(min(size.width(), max(width, 1)), size.height()))))
            x += size.width() + self.spacing()
            high = max(high, size.height())
        return places

    def _height(self, width: int) -> int:
        edges = self._edges()
        places = self._arranged(width - edges.width())
        return max((location.bottom() + 1 for _, location in places), default=0) + edges.height() if places else 0

    def _edges(self) -> QSize:
        margins = self.contentsMargins()
        return QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._height(width)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        inner = rect.marginsRemoved(self.contentsMargins())
        for item, location in self._arranged(inner.width()):
            item.setGeometry(location.translated(inner.topLeft()))

    def sizeHint(self) -> QSize:
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self.spacing() * max(len(shown) - 1, 0)
        return QSize(width, max((size.height() for size in shown), default=0)) + self._edges()

    def minimumSize(self) -> QSize:
        shown = [item.minimumSize() for item in self._items if not item.isEmpty()]
        least = QSize(
            max((size.width() for size in shown), default=0), max((size.height() for size in shown), default=0)
        )
        return least + self._edges()


@dataclass(frozen=True, slots=True)
class CollapseStep:
    """Something that can be left out, or said shorter."""

    saves: Callable[[], int]
    """How many pixels are won by it, however it is shown at the moment; nothing if it is not there at all."""
    give_way: Callable[[bool], object]
    """Has it give way, or be as usual. Is told what holds already, too."""


def collapse_to_fit(steps: Sequence[CollapseStep], needed: int, room: int) -> bool:
    """Has as many steps give way as there must, from the first on; says whether one did.

    All is reckoned before anything is shown or hidden: to try it out would have the row laid out again and again.
    """
    gave = False
    for step in steps:
        saved = step.saves()
        gives = needed > room and saved > 0
        step.give_way(gives)
        needed -= saved if gives else 0
        gave = gave or gives
    return gave


def rule() -> QWidget:
    """A horizontal line, coloured by the style sheet."""
    line = _line()
    line.setFixedHeight(1)
    return line


def upright_rule() -> QWidget:
    """A vertical line, coloured by the style sheet."""
    line = _line()
    line.setFixedWidth(1)
    return line


def _line() -> QWidget:
    line = QWidget()
    line.setProperty("role", "line")
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return line


LEAST = 40


class Scrolled(QScrollArea):
    """Gives the widget all of its own room, and bars where that is less than the widget can do with.

    Qt's own way of doing so gives a widget with wrapped words the height that it would like to have.
    """

    def __init__(self, widget: QWidget, *, least_width: int = 0, parent: QWidget | None = None) -> None:
        """With `least_width` it is never narrower than that, unless the widget is."""
        super().__init__(parent)
        self._inner, self._least_width = widget, least_width
        self.setFrameShape(QFrame.Shape.NoFrame)
        # What is in it gets the keyboard: the frame around it would be one stop more that says nothing.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # One of our own: to ask for Qt's has every class of widgets prepared, and the first paint waits for that.
        self.setViewport(QWidget())
        self.setWidget(widget)
        # What is behind it shows.
        widget.setAutoFillBackground(False)

    def _give(self) -> None:
        """Has the widget be as large as this, or as it must be."""
        widget, room = self._inner, self.maximumViewportSize()
        least = widget.minimumSizeHint().expandedTo(widget.minimumSize())
        if least.height() > room.height():
            room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
        if least.width() > room.width():
            room.setHeight(room.height() - self.horizontalScrollBar().sizeHint().height())
        widget.resize(room.expandedTo(least))

    def sizeHint(self) -> QSize:
        # Qt's own is bounded, for a page of text; this is a panel.
        return self._inner.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least, wanted = theme().pixels(LEAST), self._inner.minimumSizeHint()
        return QSize(min(self._least_width or least, wanted.width()), min(least, wanted.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._give()
        super().resizeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self._inner:
            self._give()
            self.updateGeometry()
        return super().eventFilter(watched, event)


def discard(layout: QLayout, widget: QWidget) -> None:
    """Takes it out of the layout and out of sight at once; Qt deletes it when nothing is going on with it."""
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()
