"""What needs more room than there is can be scrolled: it is never pushed over something else, or off the screen."""

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from ptc_studio.ui.theme import theme

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
