"""Functions of a folder to tick: all of a module, or one by one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ptc_studio.ui.sources.framed_dialog import FramedDialog
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel


class FunctionChooser(FramedDialog):
    """Opened while the folder is being read; filled when that is done."""

    def __init__(self, parent: QWidget, chosen: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        super().__init__(parent, "Choose functions", 460, 520)
        self.setObjectName("functionChooser")
        self._chosen = list(chosen)
        self._done = done
        self.filter = QLineEdit(placeholderText="Filter…", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter functions")
        self.filter.textChanged.connect(self._narrow)
        self.list = QListWidget()
        self.list.setAccessibleName("Functions")
        self.list.itemChanged.connect(self._count)
        self._empty = PlainLabel("◐ Reading the folder…", alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._empty.setProperty("role", "muted")
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        for widget in (self.filter, self.list, self._empty):
            body.addWidget(widget)
        self.set_body(body)
        self.add_button("Cancel", self.reject)
        self.accept_button = self.add_button("Choose", self._accept, default=True)
        self.accept_button.setEnabled(False)
        self.list.hide()

    def fill(self, names: Sequence[str]) -> None:
        """Shows what there is; what was chosen and is not there any more is shown, too."""
        for name in [*names, *(name for name in self._chosen if name not in names)]:
            item = QListWidgetItem(name if name in names else f"{name}  (not found)")
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in self._chosen else Qt.CheckState.Unchecked)
            item.setFont(theme().code_font())
            self.list.addItem(item)
        self.list.setVisible(self.list.count() > 0)
        self._empty.setVisible(not self.list.count())
        self._empty.setText("There are no functions in the folder.")
        self.accept_button.setEnabled(self.list.count() > 0)
        self._count()
        self.filter.setFocus()

    def fail(self, reason: str) -> None:
        """Says why there is nothing to choose from."""
        self._empty.setText(f"✕ {reason}")

    def chosen(self) -> list[str]:
        """What is ticked."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked]

    def _narrow(self, wanted: str) -> None:
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(wanted.strip().lower() not in item.text().lower())

    def _count(self) -> None:
        count = len(self.chosen())
        self.say(f"{count} chosen" if count else "None chosen: all of them are tools.")

    def _accept(self) -> None:
        self._done(self.chosen())
        self.accept()
