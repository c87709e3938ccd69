"""One half of the panel: a title with small buttons, and a list whose lines are switched on and off."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QMenu, QToolButton, QTreeView, QVBoxLayout, QWidget

from ptc_studio.ui.answers.checked_rows import DETAIL, TITLE, CheckedRow, CheckedRows
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.empty_overlay import EmptyOverlay
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip
from ptc_studio.ui.widgets.rule import rule


class CheckedList(QTreeView):
    """The list itself.

    Signals: deleted: the key that deletes was pressed.
    """

    deleted = Signal()

    def __init__(self, name: str, title: str, empty: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.rows = CheckedRows(self)
        self.setModel(self.rows)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setHeaderHidden(True)
        self.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(TITLE, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(DETAIL, QHeaderView.ResizeMode.Stretch)
        EmptyOverlay(self, empty).watch(self.rows)
        theme().changed.connect(self.rows.repaint)

    def selected(self) -> list[int]:
        """The lines that are selected, from above."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.selected():
            self.deleted.emit()
            return
        super().keyPressEvent(event)


class Section(QWidget):
    """Signals: activated(row): a line was chosen, to be changed. switched(row, on). deleted(rows)."""

    activated = Signal(int)
    switched = Signal(int, bool)
    deleted = Signal(object)

    def __init__(self, name: str, title: str, empty: str) -> None:
        super().__init__()
        self._title, self._caption = title, PlainLabel(title)
        self._caption.setProperty("role", "title")
        self.list = CheckedList(name, title, empty)
        self._all: QToolButton | None = None
        self._menu: Callable[[list[int]], Sequence[tuple[str, Callable[[], object]]]] = lambda _rows: ()
        self._head = QHBoxLayout()
        self._head.setContentsMargins(10, 3, 6, 3)
        self._head.setSpacing(2)
        self._head.addWidget(self._caption)
        self._head.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addWidget(rule())
        column.addWidget(self.list, 1)
        self.list.rows.switched.connect(self.switched)
        self.list.activated.connect(self._on_activated)
        self.list.deleted.connect(lambda: self.deleted.emit(self.list.selected()))
        self.list.customContextMenuRequested.connect(self._on_menu_wanted)

    @property
    def head_width(self) -> int:
        """What the title and the buttons beside it take if no word of them is cut."""
        return self._head.sizeHint().width()

    def add_button(self, text: str, tip: str, act: Callable[[], object], *, checkable: bool = False) -> QToolButton:
        """A small button beside the title."""
        button = QToolButton()
        button.setText(text)
        button.setToolTip(plain_tip(tip))
        button.setAccessibleName(tip)
        button.setProperty("flat", True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setCheckable(checkable)
        button.clicked.connect(lambda: act())
        self._head.addWidget(button)
        self._head.addSpacing(SPACE // 2)
        return button

    def add_all_button(self, tip: str, act: Callable[[], object]) -> QToolButton:
        """A button that switches all lines off, or on again; it says which."""
        self._all = self.add_button("All off", tip, act)
        return self._all

    def set_menu(self, menu: Callable[[list[int]], Sequence[tuple[str, Callable[[], object]]]]) -> None:
        """What can be done with the lines that are selected; an empty text is a line between."""
        self._menu = menu

    def set_rows(self, rows: Sequence[CheckedRow]) -> None:
        """Shows these, and how many are on."""
        self.list.rows.set_rows(rows)
        on = sum(row.checked for row in rows)
        count = f"  {len(rows)}" if on == len(rows) else f"  {on} of {len(rows)}"
        self._caption.setText(f"{self._title}{count if rows else ''}")
        if self._all is not None:
            self._all.setEnabled(bool(rows))
            self._all.setText("All off" if on or not rows else "All on")

    def menu_for(self, rows: list[int]) -> QMenu:
        """The menu of these lines."""
        menu = QMenu(self.list)
        for text, act in self._menu(rows):
            if text:
                menu.addAction(text, lambda act=act: act())
            else:
                menu.addSeparator()
        return menu

    def _on_activated(self, index: QModelIndex) -> None:
        self.activated.emit(index.row())

    def _on_menu_wanted(self, place: QPoint) -> None:
        menu = self.menu_for(self.list.selected())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if menu.actions():
            # `popup`, not `exec`: a loop within the loop breaks a running task.
            menu.popup(self.list.viewport().mapToGlobal(place))
