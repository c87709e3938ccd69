"""Puts things side by side, and what does not fit into the next row."""

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """As wide as it may be, as high as it needs then; what is hidden takes no place."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 0) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
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
        return max((place.bottom() + 1 for _, place in places), default=0) + edges.height() if places else 0

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
        return self._height(width)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        inner = rect.marginsRemoved(self.contentsMargins())
        for item, place in self._arranged(inner.width()):
            item.setGeometry(place.translated(inner.topLeft()))

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
