"""A list of names with something beside each."""

from PySide6.QtWidgets import QHeaderView, QTreeWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE


def plain_list(accessible_name: str, *columns: str) -> QTreeWidget:
    """The list, empty; its first column is as wide as what stands in it."""
    made = QTreeWidget()
    made.setRootIsDecorated(False)
    made.setUniformRowHeights(True)
    made.setIndentation(0)
    made.setStyleSheet(f"QTreeView::item {{ padding: 0 {theme().pixels(2 * SPACE)}px; }}")
    made.setAccessibleName(accessible_name)
    made.setHeaderLabels(columns)
    made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
    return made
