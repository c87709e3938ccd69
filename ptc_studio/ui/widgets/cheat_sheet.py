"""All keys on one sheet."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from ptc_studio.ui.commands import MENUS, Actions, Command
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import Scrolled

ROOM = 48
"""What is left free of the window around it."""


class CheatSheet(QDialog):
    """A dialog that is only read; it does not hold up the window."""

    def __init__(self, parent: QWidget, commands: Actions) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        for column, menus in enumerate((("File", "Edit"), ("View",), ("Run", "Tools", "Help"))):
            grid.addLayout(_column(menus, commands.all), 0, column, Qt.AlignmentFlag.AlignTop)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        sheet = QWidget()
        grid.setContentsMargins(0, 0, 0, 0)
        sheet.setLayout(grid)
        layout.addWidget(Scrolled(sheet), 1)
        layout.addWidget(buttons)
        room = parent.window().size() - QSize(ROOM, ROOM)
        bar = self.fontMetrics().height()
        self.resize((self.sizeHint() + QSize(bar, bar)).boundedTo(room))


def _column(menus: tuple[str, ...], commands: tuple[Command, ...]) -> QGridLayout:
    rows = QGridLayout()
    rows.setHorizontalSpacing(16)
    rows.setVerticalSpacing(8)
    for menu in (name for name in MENUS if name in menus):
        title = PlainLabel(menu)
        title.setProperty("role", "title")
        title.setContentsMargins(0, 12 if rows.count() else 0, 0, 0)
        rows.addWidget(title, rows.rowCount(), 0, 1, 2)
        for command in (command for command in commands if command.menu == menu and command.keys):
            row = rows.rowCount()
            keys = PlainLabel(QKeySequence(command.keys[0]).toString(QKeySequence.SequenceFormat.NativeText))
            keys.setProperty("role", "muted")
            rows.addWidget(PlainLabel(command.text.rstrip("…")), row, 0)
            rows.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignRight)
    return rows
