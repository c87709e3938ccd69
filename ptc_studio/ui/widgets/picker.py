"""A field and a list: type a few letters, press Return. For commands, tools and files alike."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.noted_delegate import NOTE_ROLE, NotedDelegate
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip

WIDTH, HEIGHT, ROOM = 520, 380, 40
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose."""

    text: str
    choose: Callable[[], object]
    note: str = ""


class Picker(QFrame):
    """Pops up over the window's top and goes when something is chosen, or with Escape."""

    def __init__(self, window: QWidget, prompt: str, choices: Sequence[Choice]) -> None:
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
        self._nothing = PlainLabel("Nothing has these letters", alignment=Qt.AlignmentFlag.AlignCenter)
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
            choice: Choice = item.data(Qt.ItemDataRole.UserRole)
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
