"""A field for true and false; not set, where it may be left out; null, where it may be null."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.schema.json_text import one_line
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import ABSENT, position_of
from ptc_studio.ui.forms.segments import Segments


class BooleanField(Field, Segments):
    """Every state has a button of its own.

    Signals: edited: the value is another.
    """

    is_line = True
    edited = Signal()

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
        self._values: list[Any] = [True, False, *([None] if shape.nullable else [])]
        texts = [one_line(value) for value in self._values]
        if not required:
            self._values.insert(0, ABSENT)
            default = "Not set" if shape.default is ABSENT else f"Default ({one_line(shape.default)})"
            texts.insert(0, default)
        Segments.__init__(self, texts, unset=-1 if required else 0, parent=parent)
        self.picked.connect(self._on_picked)

    def value(self) -> Any:
        return self._values[self.current()] if self.current() >= 0 else ABSENT

    def set_value(self, value: Any) -> None:
        self.set_current(position_of(value, self._values))

    def target(self) -> QWidget:
        return self.button(max(self.current(), 0))

    def set_names(self, name: str, description: str) -> None:
        for button in self._group.buttons():
            button.setAccessibleName(f"{name}: {button.text()}")
            button.setAccessibleDescription(description)

    def set_mark(self, mark: str) -> None:
        """The message below says it; buttons have no frame to colour."""

    def _on_picked(self) -> None:
        self.edited.emit()
