"""A JSON value to look into: a tree, a search, and the whole of a long string."""

import json
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QPainter, QShortcut, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.calls.long_text import LongText
from ptc_studio.ui.calls.media_view import MediaView, found_media, media_of
from ptc_studio.ui.calls.values import Path, ValueNode, find, plain
from ptc_studio.ui.chunked_task import ChunkedTask
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.widgets.buttons import SearchBar
from ptc_studio.ui.widgets.item_views import FlatTree, PartsPainter
from ptc_studio.ui.widgets.labels import plain_tip

DELAY_MS = 150
MOST = 10_000
"""So many places are remembered."""


class ValueSearch(SearchBar):
    """Finds keys and values.

    Signals: found(path): this location is to be shown.
    """

    found = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Find key or value…", pause=DELAY_MS, parent=parent)
        self.field.setAccessibleName("Find a key or a value")
        self.work = ChunkedTask(self)
        self._value: Any = None
        self._locations: list[Path] = []
        self._at = -1
        self.work.done.connect(self._show_count)
        self._lay_out()
        self.hide()

    def put_away(self) -> None:
        self.field.clear()
        self.hide()

    def set_value(self, value: Any) -> None:
        """Another value is to be searched."""
        self._value = value
        if not self.isHidden():
            self._pause.start()

    def search(self) -> None:
        """Looks through everything, in slices."""
        self._pause.stop()
        self._locations, self._at = [], -1
        if self.field.text():
            self.work.start(self._find(self.field.text()))
        else:
            self.work.cancel()
        self._show_count()

    def go(self, *, back: bool = False) -> None:
        if self._pause.isActive():
            self.search()
        elif self._locations:
            self._at = (self._at + (-1 if back else 1)) % len(self._locations)
            self.found.emit(self._locations[self._at])
            self._show_count()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * SPACE, 0, 2 * SPACE, SPACE)
        row.setSpacing(SPACE)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        for button in self.arrow_buttons("Previous place", "Next place"):
            row.addWidget(button)
        QShortcut(QKeySequence.StandardKey.Cancel, self, self.put_away).setContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut
        )

    def _find(self, text: str) -> Iterator[None]:
        for number, path in enumerate(find(self._value, text)):
            if path is not None:
                self._locations.append(path)
                if len(self._locations) == 1:
                    self.go()
                if len(self._locations) >= MOST:
                    return
            # The clock is read only now and then: it costs more than a step.
            if number % 100 == 0:
                yield

    def _show_count(self) -> None:
        more = "…" if self.work.busy else "+" if len(self._locations) >= MOST else ""
        none = "" if not self.field.text() or self.work.busy else "Nothing found"
        self.count.setText(f"{self._at + 1:,} of {len(self._locations):,}{more}" if self._locations else none)


Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
TOOLTIP_ROOM = 2_000


class ValueModel(QAbstractItemModel):
    """One value; its only top row is the whole of it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._top: ValueNode | None = None

    @property
    def value(self) -> Any:
        return self._top.value if self._top else None

    def set_value(self, value: Any) -> None:
        """Shows another value."""
        self.beginResetModel()
        # Indexes point at nodes: the old ones must live until the views have let go.
        before, self._top = self._top, ValueNode(value)
        self.endResetModel()
        del before

    def node(self, index: Index) -> ValueNode:
        return index.internalPointer()

    def index_of_path(self, path: Path) -> QModelIndex:
        """Where a value stands, building what leads to it."""
        index = self.index(0, 0)
        for key in path:
            node = self.node(index)
            self.fetchMore(index)
            row = node.row_of(key)
            if node.rows and node.rows[0].span is not None:
                size = len(node.rows[0].span)
                index, row = self.index(row // size, 0, index), row % size
                self.fetchMore(index)
            index = self.index(row, 0, index)
        return index

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node: ValueNode = index.internalPointer()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return plain(node.parts())
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(node.value, str) and len(node.value) > 40:
            more = "…" if len(node.value) > TOOLTIP_ROOM else ""
            return plain_tip(node.value[:TOOLTIP_ROOM] + more)
        return None

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        if column != 0 or row < 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(0, 0, self._top) if row == 0 and self._top else QModelIndex()
        rows = parent.internalPointer().rows
        return self.createIndex(row, 0, rows[row]) if row < len(rows) else QModelIndex()

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]
        above = index.internalPointer().parent if index.isValid() else None
        return QModelIndex() if above is None else self.createIndex(above.row, 0, above)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        if not parent.isValid():
            return 1 if self._top else 0
        return len(parent.internalPointer().rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:  # noqa: ARG002
        return 1

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        return parent.internalPointer().has_rows if parent.isValid() else self._top is not None

    def canFetchMore(self, parent: Index) -> bool:
        if not parent.isValid():
            return False
        node: ValueNode = parent.internalPointer()
        return node.has_rows and not node.rows

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            node: ValueNode = parent.internalPointer()
            rows = node.build()
            self.beginInsertRows(parent, 0, len(rows) - 1)
            node.rows = rows
            self.endInsertRows()


LONG = 80
"""A string longer than this, or of several lines, is shown whole below the tree."""
LONG_CAP = 100_000
PICTURE_SHARE = 0.65
"""Of the view's height, at most."""
OPENED = 60
"""The whole is opened at once if it has no more rows than this, and so is its first row."""


LEAST = 40


class ValueDelegate(QStyledItemDelegate):
    """Draws keys, values and chips in their colours."""

    def __init__(self, model: ValueModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self._parts = PartsPainter(code=True)
        self._size = QSize(theme().pixels(40), theme().pixels(ROW - 4))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect.adjusted(2, 0, -4, 0)  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        self._parts.draw(painter, rect, self._model.node(index).parts())
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return self._size


class ValueView(QWidget):
    """Shows one value."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ValueModel(self)
        self.tree = FlatTree()
        self.tree.setMinimumHeight(LEAST)
        self.tree.setAccessibleName(name)
        self.tree.setHeaderHidden(True)
        self.tree.setModel(self.model)
        self.tree.setItemDelegate(ValueDelegate(self.model, self.tree))
        self.search = ValueSearch()
        self.whole = LongText(LONG_CAP)
        self.whole.view.setLineWrapMode(self.whole.view.LineWrapMode.WidgetWidth)
        self.media = MediaView()
        self._copying = ChunkedTask(self)
        self._lay_out()
        self.search.found.connect(self.go_to)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self._shortcut(QKeySequence.StandardKey.Copy, self.tree, self.copy_current)
        self._shortcut(QKeySequence.StandardKey.Find, self, self.search.open)

    def set_value(self, value: Any) -> None:
        """Shows another value, its first levels open if they are short."""
        self.whole.hide()
        self.model.set_value(value)
        self.media.set_media(found_media(value))
        self.search.set_value(value)
        top = self.model.index(0, 0)
        if isinstance(value, dict | list):
            self.tree.expand(top)
            if len(value) <= OPENED and isinstance(value, list):
                self.tree.expand(self.model.index(0, 0, top))
        else:
            self._show_whole(value)

    def go_to(self, path: Path) -> None:
        """Selects the value that the path leads to."""
        index = self.model.index_of_path(path)
        self.tree.setCurrentIndex(index)
        self.tree.scrollTo(index)

    def copy_current(self) -> None:
        """Copies the current value: a string as it is, anything else as JSON."""
        index = self.tree.currentIndex()
        if index.isValid():
            self._copying.start(_copied(self.model.node(index).value))

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.whole)
        splitter.addWidget(self.media)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setStretchFactor(2, 4)
        splitter.setChildrenCollapsible(False)
        self._parts, self._arranged = splitter, False
        splitter.splitterMoved.connect(self._on_splitter_moved)
        self.media.shown.connect(self._make_room)
        self.whole.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.search)
        column.addWidget(splitter, 1)

    def _on_splitter_moved(self) -> None:
        self._arranged = True

    def _make_room(self) -> None:
        """For a picture as it is, if that leaves enough of the value, until the user decides."""
        tree, whole, media = self._parts.sizes()
        room = tree + media
        wanted = min(self.media.sizeHint().height(), int(room * PICTURE_SHARE))
        if not self._arranged and room:
            self._parts.setSizes([room - wanted, whole, wanted])

    def _shortcut(self, keys: QKeySequence.StandardKey, location: QWidget, work: Any) -> None:
        shortcut = QShortcut(keys, location, work)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _show_whole(self, value: Any) -> None:
        long = isinstance(value, str) and (len(value) > LONG or "\n" in value)
        self.whole.setVisible(long)
        if long:
            self.whole.set_text(value)

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        value = self.model.node(current).value if current.isValid() else None
        self._show_whole(value)
        media = media_of(value)
        if media is not None:
            self.media.show_same(media)


def pretty(value: Any) -> Iterator[str]:
    """The value as indented JSON, in small pieces."""
    return json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(value)


def _copied(value: Any) -> Iterator[None]:
    texts: list[str] = []
    for piece in [value] if isinstance(value, str) else pretty(value):
        texts.append(piece)
        yield
    QGuiApplication.clipboard().setText("".join(texts))
