"""A field for numbers of any size, with every digit; it can be empty."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context
from ptc_studio.ui.forms.line_field import LineField
from ptc_studio.ui.forms.schema.numerals import is_number, number_typed, numeral_of
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import ABSENT


class NumberField(LineField):
    """Text that is no number is kept as text: the check says what is wrong with it, and nothing typed is lost."""

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(shape, context, required=required, parent=parent)
        self.setInputMethodHints(Qt.InputMethodHint.ImhFormattedNumbersOnly)

    def text_of(self, value: Any) -> str:
        return numeral_of(value) if is_number(value) else str(value)

    def value_of(self, text: str) -> Any:
        if not text.strip():
            return ABSENT
        number = number_typed(text)
        return text if number is None else number

    def can_write(self, value: Any) -> bool:
        return is_number(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        if step is None or event.modifiers() or self.isReadOnly() or not self._step(step):
            super().keyPressEvent(event)

    def _step(self, step: int) -> bool:
        """One more or less, for whole numbers."""
        value = self.value()
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        said = self.shape.keywords
        moved = value + step
        if moved < said.get("minimum", moved) or moved > said.get("maximum", moved):
            return True
        self.setText(numeral_of(moved))
        return True
