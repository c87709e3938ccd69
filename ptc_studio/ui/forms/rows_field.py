"""The base of fields for lists and objects: rows, and a button that adds one."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from ptc_studio.ui.forms.column import Column
from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.row import Row
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import same
from ptc_studio.ui.icons import set_icon


class RowsField(Field, Column):
    """Who derives from it makes the `add_button` where Tab is to come to it.

    Signals: edited: the value is another.
    """

    is_block = True
    edited = Signal()
    added = ""
    """What the button adds, in one word."""
    add_button: QPushButton

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context.deeper(), required=required)
        Column.__init__(self, parent)
        self._read_only = False

    def set_names(self, name: str, description: str) -> None:
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)
        self.add_button.setAccessibleName(f"{name}: add {self.added}" if name else f"Add {self.added}")

    def _made_add_button(self, act: Callable[[], None]) -> QPushButton:
        """The button, below the rows that there are."""
        button = QPushButton(f"Add {self.added}", self)
        button.setAutoDefault(False)
        button.setProperty("flat", True)
        set_icon(button, "plus", "muted")
        button.clicked.connect(act)
        self.layout_.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _put(self, row: Row, value: Any) -> None:
        """Shows another value in the row; one that is the same stays as it was typed."""
        if not same(row.value(), value) or any(True for _ in row.mistakes()):
            row.set_value(value)

    def _on_edited(self) -> None:
        self.edited.emit()
