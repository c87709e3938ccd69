"""A field for text of several lines."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.growing_text import GrowingText
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.summaries import placeholder_of
from ptc_studio.ui.forms.schema.values import ABSENT

LEAST, MOST = 2, 12
EMPTY_TEXT = "Set to the empty text"


class LinesField(Field, GrowingText):
    """Grows with its text. Empty means left out, unless it is required; the menu can set the empty text all the same.

    Signals: edited: the value is another.
    """

    edited = Signal()

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
        GrowingText.__init__(self, LEAST, MOST, code=False, parent=parent)
        self._value: Any = ABSENT
        self._setting = False
        self._hint = placeholder_of(shape)
        self.setPlaceholderText(self._hint)
        self.textChanged.connect(self._on_text_changed)

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._setting = True
        self.setPlainText("" if value is ABSENT else value)
        self._setting = False
        self._take(value)

    def set_empty(self) -> None:
        """Makes the value the empty text, which is not the same as leaving it out."""
        self.set_value("")
        self.edited.emit()

    def set_read_only(self, read_only: bool) -> None:
        self.setReadOnly(read_only)

    def _on_text_changed(self) -> None:
        if not self._setting:
            text = self.raw_text()
            self._take(text if text or self.required else ABSENT)
            self.edited.emit()

    def _take(self, value: Any) -> None:
        self._value = value
        self.setPlaceholderText("empty text" if value == "" and not self.required else self._hint)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        if not self.isReadOnly():
            menu.addSeparator()
            menu.addAction(EMPTY_TEXT).triggered.connect(self.set_empty)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())
