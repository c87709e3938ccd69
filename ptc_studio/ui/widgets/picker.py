"""A field and a list: type a few letters, press Return. For commands, tools and files alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip

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


WIDTH, HEIGHT, ROOM = 520, 380, 40
NOTHING = "No match: try fewer letters"
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class PickerChoice:
    """One thing to choose."""

    text: str
    choose: Callable[[], object]
    note: str = ""


class Picker(QFrame):
    """Pops up over the window's top and goes when something is chosen, or with Escape."""

    def __init__(self, window: QWidget, prompt: str, choices: Sequence[PickerChoice]) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self.setObjectName("picker")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(prompt)
        self._window = window
        self._choices = choices
        self._field = QLineEdit(placeholderText=prompt, clearButtonEnabled=True)
        self._field.setAccessibleName(prompt)
        self._list = QListWidget()
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setItemDelegate(NotedDelegate(self._list))
        self._nothing = PlainLabel(NOTHING, alignment=Qt.AlignmentFlag.AlignCenter)
        self._nothing.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        for widget in (self._field, self._list, self._nothing):
            layout.addWidget(widget)
        self._field.textChanged.connect(self._refill)
        self._field.installEventFilter(self)
        self._list.itemClicked.connect(self._choose)
        self._refill("")

    def pop_up(self) -> None:
        """Shows itself in the middle of the window's upper part."""
        window = self._window
        room = window.size()
        self.resize(min(theme().pixels(WIDTH), room.width() - ROOM), min(theme().pixels(HEIGHT), room.height() - ROOM))
        self.move(window.mapToGlobal(window.rect().topLeft()) + window.rect().center() - self.rect().center())
        self.show()
        self._field.setFocus()

    def _refill(self, wanted: str) -> None:
        letters = wanted.lower().split()
        self._list.clear()
        fitting = [c for c in self._choices if all(part in f"{c.text} {c.note}".lower() for part in letters)]
        for choice in fitting[:MOST_SHOWN]:
            item = QListWidgetItem(choice.text)
            item.setData(Qt.ItemDataRole.UserRole, choice)
            item.setData(NOTE_ROLE, choice.note)
            item.setToolTip(plain_tip(f"{choice.text}  {choice.note}".strip()))
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._list.setVisible(bool(fitting))
        self._nothing.setVisible(not fitting)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            choice: PickerChoice = item.data(Qt.ItemDataRole.UserRole)
            self.close()
            choice.choose()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step is not None and self._list.count():
                self._list.setCurrentRow((self._list.currentRow() + step) % self._list.count())
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self._list.currentItem())
                return True
        return False
