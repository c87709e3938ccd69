"""Has the user choose which values of a `.env` file are kept as secrets; the values are not shown."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QVBoxLayout, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, plain_list
from ptc_studio.ui.secrets.passphrase import unlocked
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

if TYPE_CHECKING:
    from pathlib import Path

    from ptc_studio.storage.secrets.dotenv import DotenvFile
    from ptc_studio.ui.context import Context


class DotenvImport(FramedDialog):
    """A list to tick; those that have a value by now are not ticked at first.

    Signals: imported(list): the names.
    """

    imported = Signal(list)

    def __init__(
        self, context: "Context", parent: QWidget, path: "Path", found: "DotenvFile", taken: Collection[str]
    ) -> None:
        super().__init__(parent, f"Import from {path.name}", 520, 400)
        self.setObjectName("dotenvImport")
        self._context, self._found = context, found
        self.list = plain_list(f"Names in {path.name}", "Name", "")
        for name, value in found.values.items():
            is_taken = name in taken
            note = "▲ replaces the value that it has" if is_taken else f"{len(value):,} characters"
            item = QTreeWidgetItem([name, note])
            item.setFont(0, theme().code_font())
            item.setForeground(1, theme().colour("warning" if is_taken else "muted"))
            item.setCheckState(0, Qt.CheckState.Unchecked if is_taken else Qt.CheckState.Checked)
            self.list.addTopLevelItem(item)
        self.list.itemChanged.connect(lambda: self._enable())
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        body.addWidget(self.list)
        self.set_body(body)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Import", self.save, default=True)
        unread = ", ".join(map(str, found.unread[:9]))
        self.say(f"▲ No NAME=value in line {unread}." if unread else "The file itself stays as it is.")
        self._enable()

    def chosen(self) -> list[str]:
        """The names that are ticked."""
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item.text(0) for item in items if item and item.checkState(0) == Qt.CheckState.Checked]

    def save(self) -> None:
        """Keeps them."""
        self.start(self._context.workbench, self._save())

    async def _save(self) -> None:
        studio, names = self._context.workbench.studio, self.chosen()
        self.save_button.setEnabled(False)
        try:
            if await unlocked(self._context, self):
                for name in names:
                    await studio.in_thread(lambda name=name: studio.secrets.set(name, self._found.values[name]))
                self.imported.emit(names)
                self.accept()
                return
        except PtcError as error:
            self.say_failed(str(error))
        self._enable()

    def _enable(self) -> None:
        count = len(self.chosen())
        self.save_button.setEnabled(bool(count))
        self.save_button.setText(f"Import {count}" if count else "Import")
