"""A field for what no other field can show: the value as JSON."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.growing_text import GrowingText
from ptc_studio.ui.forms.json_highlighter import JsonHighlighter
from ptc_studio.ui.forms.schema.faults import Fault
from ptc_studio.ui.forms.schema.json_text import JsonMistake, read_json, write_json
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.summaries import placeholder_of
from ptc_studio.ui.forms.schema.values import ABSENT

LEAST, MOST = 1, 14
HINT = 'JSON, such as "text", 12, [1, 2] or {"key": true}'


class JsonField(Field, GrowingText):
    """Keeps the last value while the text is no JSON, and says what is wrong with it.

    Signals: edited: the value, or what is wrong, is another.
    """

    edited = Signal()

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
        GrowingText.__init__(self, LEAST, MOST, code=True, parent=parent)
        self._value: Any = ABSENT
        self._mistake: JsonMistake | None = None
        self._setting = False
        self.setPlaceholderText(placeholder_of(shape) or HINT)
        self._highlighter = JsonHighlighter(self.document())
        self.textChanged.connect(self._on_text_changed)

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._setting = True
        self.setPlainText("" if value is ABSENT else write_json(value))
        self._setting = False
        self._value, self._mistake = value, None

    def set_read_only(self, read_only: bool) -> None:
        self.setReadOnly(read_only)

    def mistakes(self) -> Iterator[Fault]:
        if self._mistake is not None:
            text = str(self._mistake) if self._mistake.line > 1 else self._mistake.message
            yield Fault((), text, "json")

    def _on_text_changed(self) -> None:
        if self._setting:
            return
        text, self._mistake = self.raw_text(), None
        try:
            self._value = read_json(text) if text.strip() else ABSENT
        except JsonMistake as mistake:
            self._mistake = mistake
        self.edited.emit()
