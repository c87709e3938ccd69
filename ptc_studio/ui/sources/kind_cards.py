"""Cards to choose from: every kind of source with what it is, found by a few letters."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.sources.kinds import KINDS, Kind
from ptc_studio.ui.theme import icon, set_icon, theme
from ptc_studio.ui.tokens import RADIUS, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

HEIGHT, NARROWEST = 80, 290
_KIND = Qt.ItemDataRole.UserRole


class KindCards(QWidget):
    """Every kind as a card. Type to narrow, arrows to go, Return to choose.

    Signals: chosen(str): the kind. import_asked: the tools are in a file of another program.
    """

    chosen = Signal(str)
    import_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText="Where do the tools come from?", clearButtonEnabled=True)
        self.search.setObjectName("kindSearch")
        self.search.setAccessibleName("Find a kind of source")
        self.search.textChanged.connect(self._refill)
        self.search.installEventFilter(self)
        self.list = _CardList()
        self.list.itemActivated.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self._nothing = PlainLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, role="muted")
        column = QVBoxLayout(self)
        edge = theme().pixels(4 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme().pixels(3 * SPACE))
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing, 1)
        column.addWidget(self._import_button(), 0, Qt.AlignmentFlag.AlignLeft)
        self._refill("")

    def kinds(self) -> list[str]:
        """The kinds that are shown."""
        return [self.list.item(row).data(_KIND).id for row in range(self.list.count())]

    def _import_button(self) -> QPushButton:
        button = QPushButton("Import from Claude, VS Code, Cursor, ChatDev…")
        button.setAutoDefault(False)
        button.setProperty("flat", True)
        set_icon(button, "import", "muted")
        button.clicked.connect(self.import_asked)
        return button

    def _refill(self, wanted: str) -> None:
        letters = wanted.lower().split()
        self.list.clear()
        for kind in sorted(KINDS.values(), key=lambda kind: not _is_named(kind, letters)):
            words = f"{kind.id} {kind.title} {kind.about} {kind.search_words}".lower()
            if all(part in words for part in letters):
                item = QListWidgetItem(f"{kind.title}: {kind.about}")
                item.setData(_KIND, kind)
                self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setVisible(self.list.count() > 0)
        self._nothing.setVisible(not self.list.count())
        self._nothing.setText(f"No kind of source has “{wanted.strip()}” in its name or description.")

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_KIND).id)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentItem())
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self.list.setFocus()
                return True
        return False


def _is_named(kind: Kind, letters: Sequence[str]) -> bool:
    """Whether the very name has the letters: those come first."""
    return all(part in f"{kind.id} {kind.title}".lower() for part in letters)


class _CardList(QListWidget):
    """As many cards side by side as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("kindCards")
        self.setAccessibleName("Kinds of sources")
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setMovement(QListWidget.Movement.Static)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setItemDelegate(_CardDelegate(self))
        theme().changed.connect(self._fit)

    def _fit(self) -> None:
        # Qt keeps room for a scroll bar.
        room = self.viewport().width() - self.verticalScrollBar().sizeHint().width() - theme().pixels(SPACE)
        columns = max(1, room // theme().pixels(NARROWEST))
        self.setGridSize(QSize(max(1, room // columns), theme().pixels(HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)


class _CardDelegate(QStyledItemDelegate):
    """Draws a card: icon, title, what it is."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        kind: Kind = index.data(_KIND)
        space = theme().pixels(SPACE)
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        card: QRect = option.rect.adjusted(space, space, -space, -space)  # type: ignore[attr-defined]
        selected = bool(state & QStyle.StateFlag.State_Selected)
        raised = selected or bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("accent" if selected else "line"), 1))
        painter.setBrush(theme().colour("selection" if selected else "raised" if raised else "panel"))
        painter.drawRoundedRect(card, theme().pixels(RADIUS), theme().pixels(RADIUS))
        size = theme().pixels(18)
        inside = card.adjusted(3 * space, 3 * space, -3 * space, -2 * space)
        icon(kind.icon, "tool").paint(painter, inside.left(), inside.top(), size, size)
        text = inside.adjusted(size + 3 * space, 0, 0, 0)
        painter.setPen(theme().colour("text"))
        painter.setFont(theme().text_font(bold=True))
        painter.drawText(text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, kind.title)
        text.setTop(text.top() + painter.fontMetrics().height() + space)
        painter.setPen(theme().colour("muted"))
        painter.setFont(theme().text_font())
        painter.drawText(text, Qt.TextFlag.TextWordWrap, kind.about.replace("`", ""))
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        view = self.parent()
        return view.gridSize() if isinstance(view, QListWidget) else QSize(theme().pixels(NARROWEST), HEIGHT)
