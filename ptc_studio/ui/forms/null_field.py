"""What stands where nothing but null fits."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import ABSENT
from ptc_studio.ui.forms.segments import Segments


class NullField(Field, Segments):
    """Null, or nothing at all.

    Signals: edited: the value is another.
    """

    is_line = True
    edited = Signal()

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
        Segments.__init__(self, ["Not set", "null"], unset=0, parent=parent)
        self.picked.connect(lambda: self.edited.emit())

    def value(self) -> Any:
        return None if self.current() == 1 else ABSENT

    def set_value(self, value: Any) -> None:
        self.set_current(0 if value is ABSENT else 1)

    def set_mark(self, mark: str) -> None:
        """The message below says it."""
