"""A row for one item of a list, with the buttons that move and remove it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context
from ptc_studio.ui.forms.row import Row
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.widgets.flat_button import flat_button


class ItemRow(Row):
    """Its label is its number.

    Signals: remove_wanted: it is to go. move_wanted(step): it is to go up (-1) or down (1).
    """

    remove_wanted = Signal()
    move_wanted = Signal(int)

    def __init__(
        self, position: int, shape: Shape, context: Context, *, opened: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            shape,
            context,
            label=str(position + 1),
            required=True,
            name=f"item {position + 1}",
            opened=opened,
            parent=parent,
        )
        self.starred = False
        self.up_button = flat_button("chevron-up", "Move up", lambda: self.move_wanted.emit(-1))
        self.down_button = flat_button("chevron-down", "Move down", lambda: self.move_wanted.emit(1))
        self.remove_button = flat_button("close", "Remove", self.remove_wanted.emit)
        for button in (self.up_button, self.down_button, self.remove_button):
            self.add_trailing(button)

    def set_place(
        self, position: int, *, up: bool, down: bool, movable: bool, removable: bool, read_only: bool
    ) -> None:
        """Where it stands, and so what can be done with it."""
        self.label, self.name = str(position + 1), f"item {position + 1}"
        if self.header is not None:
            self.header.setText(self.label)
            self.header.setAccessibleName(self.name)
        if self.field is not None:
            self.field.set_names(self.name, self.help.text)
        for button, usable in ((self.up_button, up), (self.down_button, down)):
            button.setVisible(movable)
            button.setEnabled(usable and not read_only)
            button.setAccessibleName(f"{button.toolTip()} {self.name}")
        self.remove_button.setEnabled(removable and not read_only)
        self.remove_button.setAccessibleName(f"Remove {self.name}")
        self.replan()

    def label_hint(self) -> int:
        return 0
