"""A field for one of several values, of any type."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.quiet_combo import QuietCombo
from ptc_studio.ui.forms.schema.alternatives import label_of_value
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import ABSENT, position_of
from ptc_studio.ui.stylesheet import set_property


class ChoiceField(Field, QuietCombo):
    """Its first entry leaves the value out.

    Signals: edited: the value is another.
    """

    is_line = True
    edited = Signal()

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
        QuietCombo.__init__(self, parent)
        self._values: list[Any] = [ABSENT, *(choice.value for choice in shape.choices)]
        self.addItem(self._unset_text())
        self.addItems([choice.label for choice in shape.choices])
        self._paint_unset()
        self.currentIndexChanged.connect(self._paint_unset)
        self.activated.connect(self._on_activated)

    def value(self) -> Any:
        return self._values[max(self.currentIndex(), 0)]

    def set_value(self, value: Any) -> None:
        self.setCurrentIndex(position_of(value, self._values))

    def _unset_text(self) -> str:
        if self.shape.default is not ABSENT:
            return f"{label_of_value(self.shape.default)} (default)"
        return "Choose…" if self.required else "Not set"

    def _paint_unset(self) -> None:
        set_property(self, "unset", self.currentIndex() <= 0)

    def _on_activated(self) -> None:
        self.edited.emit()
