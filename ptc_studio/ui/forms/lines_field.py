"""A field for text of several lines."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.growing_text import GrowingText
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.summaries import placeholder_of
from ptc_studio.ui.forms.schema.values import ABSENT

LEAST, MOST = 2, 12


class LinesField(Field, GrowingText):
    """Grows with its text.

    Signals: edited: the value is another.
    """

    edited = Signal()

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
        GrowingText.__init__(self, LEAST, MOST, code=False, parent=parent)
        self._value: Any = ABSENT
        self._setting = False
        self.setPlaceholderText(placeholder_of(shape))
        self.textChanged.connect(self._on_text_changed)

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._setting = True
        self.setPlainText("" if value is ABSENT else value)
        self._setting = False
        self._value = value

    def set_read_only(self, read_only: bool) -> None:
        self.setReadOnly(read_only)

    def _on_text_changed(self) -> None:
        if not self._setting:
            text = self.raw_text()
            self._value = text if text or self.required else ABSENT
            self.edited.emit()
