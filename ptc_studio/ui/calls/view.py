"""The tree of calls itself: columns and how they are drawn, opening and closing, running times, what is selected."""

import time
from collections.abc import Iterator, Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from ptc_studio.ui.calls.call_tree import groups_above
from ptc_studio.ui.calls.model import CALL, MS, TIME, TOKENS, CallModel
from ptc_studio.ui.calls.nodes import CallGroup, CallNode, RangeGroup, TreeNode
from ptc_studio.ui.calls.values import milliseconds, progress_share, row_parts
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, ROW, SPACE
from ptc_studio.ui.widgets.item_views import FlatTree, PartsPainter, tabular

Index = QModelIndex | QPersistentModelIndex
BAR = 8
NARROWEST = 3.0
ROOM_FOR_TOKENS = 460
"""So wide a tree has a column for them; in a narrower one the tooltip and the inspector tell."""


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


class FigureDelegate(CallDelegate):
    """What a call took, or has taken so far; in another column, how many tokens its answer has."""

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
        painter.setPen(self._faint if node.end is None or index.column() == TOKENS else self._ink)
        counts_tokens = index.column() == TOKENS
        text = self._model.tokens_text(node) if counts_tokens else milliseconds(self._model.duration(node))
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


MOST_OPENED = 2_000
"""Opening everything stops at so many rows: a tree lays out every open row at each insert."""


class CallTreeView(FlatTree):
    """Shows a `CallModel`.

    Signals: touched: the user chose a row with mouse or keys. opened: Return was pressed on a call.
    again_requested(record): the same call is wanted by hand.
    answer_requested(verb, record): such calls are to stop (`break`), or to be answered otherwise (`mock`).
    """

    touched = Signal()
    opened = Signal()
    again_requested = Signal(object)
    answer_requested = Signal(str, object)

    def __init__(self, model: CallModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("callTree")
        self.setAccessibleName("Calls of the run")
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        figures = FigureDelegate(model, self)
        self._delegates = (WordsDelegate(model, self), figures, BarDelegate(model, self), figures)
        for column, delegate in enumerate(self._delegates):
            self.setItemDelegateForColumn(column, delegate)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(theme().pixels(40))
        header.setSectionResizeMode(CALL, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(MS, QHeaderView.ResizeMode.Fixed)
        for column in (TIME, TOKENS):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        # The bars stay at the right.
        header.moveSection(TOKENS, TIME)
        self.restyle()

    def restyle(self) -> None:
        super().restyle()
        self.header().setFixedHeight(theme().pixels(ROW))
        self._size_columns()

    def lay_out_now(self) -> None:
        """Gives new rows their places at once; Qt would do it later, when others want the interpreter, too."""
        self.executeDelayedItemsLayout()

    def select(self, node: TreeNode) -> None:
        """Makes a row the current one, in sight."""
        index = self._model.index_of(node)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)

    def selected_calls(self) -> list[CallNode]:
        """The calls that are selected; of a group, all of it."""
        found: dict[CallNode, None] = {}
        for index in self.selectionModel().selectedRows():
            node = self._model.node(index)
            for call in [node] if isinstance(node, CallNode) else node.calls():
                found[call] = None
        return list(found)

    def open_all(self) -> bool:
        """Opens what can be opened, from the top, up to a bound; the answer is whether that was all."""
        opened = self._model.rowCount()
        for node in self._parents():
            opened += node.shown
            if opened > MOST_OPENED:
                return False
            self.expand(self._model.index_of(node))
        return True

    def update_running(self) -> None:
        """Draws the visible rows that have not ended, as their time goes on, and all bars, as the run gets longer."""
        width = self.viewport().width()
        bars = self.columnViewportPosition(TIME)
        self.viewport().update(bars, 0, width - bars, self.viewport().height())
        for index in self.visible_indexes():
            node = self._model.node(index)
            if isinstance(node, CallNode | CallGroup) and node.end is None:
                rect = self.visualRect(index)
                self.viewport().update(0, rect.top(), width, rect.height())

    def _parents(self) -> Iterator[TreeNode]:
        """All rows that have rows below them, each after the one it stands in."""
        waiting = [self._model.node(QModelIndex())]
        while waiting:
            node = waiting.pop(0)
            if node.parent is not None:
                yield node
            waiting.extend(below for below in node.rows if below.shown)

    def _size_columns(self) -> None:
        width = self.viewport().width()
        self.header().resizeSection(MS, theme().pixels(62))
        self.header().resizeSection(TOKENS, theme().pixels(66))
        self.setColumnHidden(TOKENS, width < theme().pixels(ROOM_FOR_TOKENS))
        # The words come first: they tell the calls apart.
        self.header().resizeSection(TIME, min(max(int(width * 0.18), theme().pixels(48)), theme().pixels(220)))

    def _open(self, index: QModelIndex) -> None:
        """A row with others below it opens and closes; a call is shown in full."""
        if isinstance(self._model.node(index), CallNode):
            self.opened.emit()
        else:
            self.setExpanded(index, not self.isExpanded(index))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # Qt chooses a row where none was chosen, and leaves it out of sight.
        self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size_columns()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.touched.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() and before.isValid():
            self._open(before.siblingAtColumn(CALL))
            return
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self.touched.emit()


PATIENCE = 1.0
"""Seconds without a call in the list that is followed, after which another list is."""
SMALL = 25
"""A list of so many rows may stay open when its time is over."""


class Follower(QObject):
    """Opens the list that the newest call is in, scrolls to it, and closes long lists that it opened before.

    Where calls arrive in several lists in turn, it stays with one of them, so that the view does not jump.

    Signals: switched: following began (True) or ended (False), because of the user or the program.
    """

    switched = Signal(bool)

    def __init__(self, view: QTreeView, model: CallModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._on = True
        self._location: TreeNode | None = None
        self._until = 0.0
        self._newest: CallNode | None = None
        self._shown: CallNode | None = None
        self._opened: dict[TreeNode, QPersistentModelIndex] = {}
        view.verticalScrollBar().actionTriggered.connect(self._on_scrolled_by_hand)
        view.viewport().installEventFilter(self)

    @property
    def on(self) -> bool:
        return self._on

    def switch(self, on: bool) -> None:
        """Begins or ends following."""
        if on != self._on:
            self._on = on
            self.switched.emit(on)
        if on and self._newest is not None:
            self._reveal(self._newest)

    def forget(self) -> None:
        """The tree is another one."""
        self._location = self._newest = self._shown = None
        self._opened.clear()

    def arrived(self, calls: Sequence[CallNode]) -> None:
        """These calls are new; the last one is the newest."""
        if not calls:
            return
        self._newest = calls[-1]
        # In a place that is followed already, its own newest call counts.
        here = next((call for call in reversed(calls) if call.parent is self._location), None)
        now = time.monotonic()
        if here is None and now < self._until and _can_grow(self._location):
            return
        self._until = now + PATIENCE
        if self._on:
            # What was a row of its own may be one of a group by now, which is closed.
            self._reveal(self._staying() or here or calls[-1])

    def stay_with(self, call: CallNode) -> None:
        """Keeps the call in sight, whatever comes, for as long as it waits for a person."""
        if self._on:
            self._reveal(call)

    def _staying(self) -> CallNode | None:
        return self._shown if self._shown is not None and self._shown.waits else None

    def catch_up(self) -> None:
        """Goes to the newest call if the list that was followed has been silent for long enough."""
        newest = self._newest
        if self._staying() is not None:
            return
        if self._on and newest is not None and newest.parent is not self._location and time.monotonic() >= self._until:
            self._reveal(newest)

    def _reveal(self, call: CallNode) -> None:
        self._location = call.parent
        keep = {call.parent, *groups_above(call)}
        for node in [node for node in self._opened if node not in keep]:
            index = self._opened.pop(node)
            if len(node.rows) > SMALL:
                self._view.collapse(index)
        self._open_above(call)
        self._shown = call
        self._keep_in_sight()

    def _keep_in_sight(self) -> None:
        if self._on and self._shown is not None:
            self._view.scrollTo(self._model.index_of(self._shown))

    def _open_above(self, call: CallNode) -> None:
        above = call.parent
        while above is not None and above.parent is not None:
            index = self._model.index_of(above)
            if not self._view.isExpanded(index):
                self._opened[above] = QPersistentModelIndex(index)
                self._view.expand(index)
            above = above.parent

    def _on_scrolled_by_hand(self, _action: int) -> None:
        bar = self._view.verticalScrollBar()
        if bar.sliderPosition() != bar.value():
            self.switch(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            # Whoever gets smaller must not cut off the row that is followed; once the rows have their places.
            QTimer.singleShot(0, self, self._keep_in_sight)
        return super().eventFilter(watched, event)


def _can_grow(location: TreeNode | None) -> bool:
    """Whether it is a list of repeated calls that may still get more: not a range that has a successor."""
    if not isinstance(location, CallGroup) or location.parent is None:
        return False
    if isinstance(location, RangeGroup):
        return location is location.parent.rows[-1]
    return not (location.rows and isinstance(location.rows[-1], RangeGroup))
