"""What was hidden in a call, by which rule, and where."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.redaction.markers import marker
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.empty_state import EmptyState
from ptc_studio.ui.widgets.flat_tree import FlatTree
from ptc_studio.ui.widgets.plain_text import plain_tip

MOST = 1_000
HEADERS = ["Rule", "In", "Path"]
WHERE = Qt.ItemDataRole.UserRole + 1


LEAST = 40


class RedactionList(QWidget):
    """A row for each place.

    Signals: opened(str): the part of the call that a place is in was asked for, such as `result`.
    """

    opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = QStandardItemModel(0, len(HEADERS), self)
        self.tree = FlatTree()
        self.tree.setMinimumHeight(LEAST)
        self.tree.setAccessibleName("What was redacted")
        self.tree.setRootIsDecorated(False)
        self.tree.setModel(self.model)
        self.tree.activated.connect(lambda index: self.opened.emit(index.siblingAtColumn(0).data(WHERE)))
        self._stack = QStackedWidget()
        self._stack.addWidget(EmptyState("Nothing was hidden in this call"))
        self._stack.addWidget(self.tree)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def set_redactions(self, redactions: list[dict[str, Any]]) -> None:
        self.model.clear()
        self.model.setHorizontalHeaderLabels(HEADERS)
        for redaction in redactions[:MOST]:
            self.model.appendRow(_row(redaction))
        if len(redactions) > MOST:
            self.model.appendRow(QStandardItem(f"… {len(redactions) - MOST:,} more"))
        self._stack.setCurrentIndex(1 if redactions else 0)
        for column in range(2):
            self.tree.resizeColumnToContents(column)
            self.tree.setColumnWidth(column, self.tree.columnWidth(column) + 4 * SPACE)


def _row(redaction: dict[str, Any]) -> list[QStandardItem]:
    chip = QStandardItem(marker(redaction["rule"]))
    chip.setData(redaction["where"], WHERE)
    chip.setForeground(theme().colour("redacted"))
    chip.setFont(theme().code_font())
    items = [chip, QStandardItem(redaction["where"]), QStandardItem(redaction["path"])]
    items[2].setFont(theme().code_font())
    for item in items:
        item.setToolTip(plain_tip(item.text()))
    return items
