"""The tab in which a person says where calls stop, and what answers instead of tools."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QMenu, QSplitter, QToolButton, QTreeView, QVBoxLayout, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import EmptyOverlay, PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import STRETCH, Scrolled, filled, rule

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
TITLE, DETAIL = range(2)


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """One line."""

    title: str
    detail: str
    checked: bool
    tone: str = "tool"
    """The colour of the title."""
    tip: str = ""


class CheckedRows(QAbstractTableModel):
    """The lines in order.

    Signals: switched(row, on): the user ticked a line, or no longer; whoever owns the list makes it so.
    """

    switched = Signal(int, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[CheckedRow] = []

    def set_rows(self, rows: Sequence[CheckedRow]) -> None:
        """Other lines; where there are as many as before, what is selected stays so."""
        if len(rows) == len(self._rows):
            self._rows = list(rows)
            self.repaint()
            return
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def repaint(self) -> None:
        """The lines, or their colours, have changed."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, DETAIL))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def flags(self, index: Index) -> Qt.ItemFlag:
        checkable = Qt.ItemFlag.ItemIsUserCheckable if index.column() == TITLE else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | checkable

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        match role:
            case Role.DisplayRole:
                return row.title if column == TITLE else row.detail
            case Role.CheckStateRole if column == TITLE:
                return Qt.CheckState.Checked if row.checked else Qt.CheckState.Unchecked
            case Role.ForegroundRole:
                return theme().colour(row.tone if column == TITLE and row.checked else "muted")
            case Role.FontRole if column == TITLE and row.tone == "tool":
                return theme().code_font()
            case Role.ToolTipRole:
                return plain_tip(row.tip or f"{row.title}\n{row.detail}")
            case Role.AccessibleTextRole:
                return f"{row.title}, {row.detail}" if column == TITLE else row.detail
            case _:
                return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.CheckStateRole or not index.isValid():
            return False
        self.switched.emit(index.row(), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True


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
        self._head = filled(QHBoxLayout(), self._caption, STRETCH, margins=(10, 3, 6, 3), spacing=2)
        filled(QVBoxLayout(self), self._head, rule(), (self.list, 1), margins=0, spacing=0)
        self.list.rows.switched.connect(self.switched)
        self.list.activated.connect(lambda index: self.activated.emit(index.row()))
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

    def _on_menu_wanted(self, location: QPoint) -> None:
        menu = self.menu_for(self.list.selected())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if menu.actions():
            # `popup`, not `exec`: a loop within the loop breaks a running task.
            menu.popup(self.list.viewport().mapToGlobal(location))


NO_BREAKPOINTS = "No breakpoints. Click beside a line of the script, or press + to stop at the calls of a tool."
NO_MOCKS = "No mocks. Press + to have a value, an expression or an error answer instead of a tool."


class BreakpointsAndMocksPanel(QWidget):
    """Breakpoints at the left, mocks at the right; one above the other where their heads would not fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answersView")
        self.setAccessibleName("Breakpoints and mocks")
        self.breakpoints = Section("breakpointList", "Breakpoints", NO_BREAKPOINTS)
        self.mocks = Section("mockList", "Mocks", NO_MOCKS)
        self.halves = QSplitter(Qt.Orientation.Horizontal)
        self.halves.setProperty("role", "divided")
        self.halves.setHandleWidth(1)
        self.halves.setChildrenCollapsible(False)
        for section in (self.breakpoints, self.mocks):
            self.halves.addWidget(section)
        self.halves.setSizes([1, 1])
        filled(QVBoxLayout(self), Scrolled(self.halves), margins=0)
        self.setFocusProxy(self.breakpoints.list)

    def _turn(self) -> None:
        wanted = 2 * max(section.head_width for section in (self.breakpoints, self.mocks))
        side = Qt.Orientation.Horizontal if self.width() > wanted else Qt.Orientation.Vertical
        if side != self.halves.orientation():
            self.halves.setOrientation(side)
            self.halves.setSizes([1, 1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()
