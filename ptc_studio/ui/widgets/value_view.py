"""A JSON value to look into: a tree, a search, and the whole of a long string."""

import json
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QSplitter, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from ptc_studio.ui.models.media import found_media, media_of
from ptc_studio.ui.models.value_model import ValueModel
from ptc_studio.ui.models.value_nodes import Path
from ptc_studio.ui.slices import SlicedWork
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW
from ptc_studio.ui.widgets.flat_tree import FlatTree
from ptc_studio.ui.widgets.long_text import LongText
from ptc_studio.ui.widgets.media_view import MediaView
from ptc_studio.ui.widgets.parts_painter import PartsPainter
from ptc_studio.ui.widgets.value_search import ValueSearch

Index = QModelIndex | QPersistentModelIndex
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
        self._copying = SlicedWork(self)
        self._lay_out()
        self.search.found.connect(self.go_to)
        self.tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self._shortcut(QKeySequence.StandardKey.Copy, self.tree, self.copy_current)
        self._shortcut(QKeySequence.StandardKey.Find, self, self.search.begin)

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

    def _shortcut(self, keys: QKeySequence.StandardKey, place: QWidget, work: Any) -> None:
        shortcut = QShortcut(keys, place, work)
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
