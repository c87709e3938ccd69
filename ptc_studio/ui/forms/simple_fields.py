"""Fields for one value each: true and false, a choice, null, a number, lines of text, JSON."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from ptc_studio.core.json_schema import position_of
from ptc_studio.ui.forms.controls import GrowingText, JsonHighlighter, QuietCombo, Segments
from ptc_studio.ui.forms.field import FormContext, FormField, LineField
from ptc_studio.ui.forms.schema.json_text import JsonMistake, label_of_value, one_line, read_json, write_json
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError, Shape, is_number, number_typed, numeral_of
from ptc_studio.ui.forms.schema.shaping import placeholder_of
from ptc_studio.ui.stylesheet import set_property


class BooleanField(FormField, Segments):
    """Every state has a button of its own.

    Signals: edited: the value is another.
    """

    is_line = True
    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        self._values: list[Any] = [True, False, *([None] if shape.nullable else [])]
        texts = [one_line(value) for value in self._values]
        if not required:
            self._values.insert(0, ABSENT)
            default = "Not set" if shape.default is ABSENT else f"Default ({one_line(shape.default)})"
            texts.insert(0, default)
        Segments.__init__(self, texts, unset=-1 if required else 0, parent=parent)
        self.picked.connect(lambda: self.edited.emit())

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


class ChoiceField(FormField, QuietCombo):
    """Its first entry leaves the value out.

    Signals: edited: the value is another.
    """

    is_line = True
    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        QuietCombo.__init__(self, parent)
        self._values: list[Any] = [ABSENT, *(choice.value for choice in shape.choices)]
        self.addItem(self._unset_text())
        self.addItems([choice.label for choice in shape.choices])
        self._paint_unset()
        self.currentIndexChanged.connect(self._paint_unset)
        self.activated.connect(lambda: self.edited.emit())

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


class NullField(FormField, Segments):
    """Null, or nothing at all.

    Signals: edited: the value is another.
    """

    is_line = True
    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        Segments.__init__(self, ["Not set", "null"], unset=0, parent=parent)
        self.picked.connect(lambda: self.edited.emit())

    def value(self) -> Any:
        return None if self.current() == 1 else ABSENT

    def set_value(self, value: Any) -> None:
        self.set_current(0 if value is ABSENT else 1)

    def set_mark(self, mark: str) -> None:
        """The message below says it."""


class NumberField(LineField):
    """Text that is no number is kept as text: the check says what is wrong with it, and nothing typed is lost."""

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
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
        keywords = self.shape.keywords
        moved = value + step
        if moved < keywords.get("minimum", moved) or moved > keywords.get("maximum", moved):
            return True
        self.setText(numeral_of(moved))
        return True


FEWEST_LINES, MOST_LINES = 2, 12
EMPTY_TEXT = "Set to the empty text"


class LinesField(FormField, GrowingText):
    """Grows with its text. Empty means left out, unless it is required; the menu can set the empty text all the same.

    Signals: edited: the value is another.
    """

    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        GrowingText.__init__(self, FEWEST_LINES, MOST_LINES, code=False, parent=parent)
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


FEWEST_JSON_LINES, MOST_JSON_LINES = 1, 14
HINT = 'JSON, such as "text", 12, [1, 2] or {"key": true}'
ANY_HINT = 'Any text, or JSON such as 12, [1, 2] or {"key": true}'


class JsonField(FormField, GrowingText):
    """Keeps the last value while the text is no JSON, and says what is wrong with it.

    Signals: edited: the value, or what is wrong, is another.
    """

    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        GrowingText.__init__(self, FEWEST_JSON_LINES, MOST_JSON_LINES, code=True, parent=parent)
        self._value: Any = ABSENT
        self._mistake: JsonMistake | None = None
        self._setting = False
        self._takes_text = not shape.problem
        """Whether a text needs no quotation marks: nothing is known of what is wanted."""
        self.setPlaceholderText(placeholder_of(shape) or (ANY_HINT if self._takes_text else HINT))
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

    def mistakes(self) -> Iterator[FieldError]:
        if self._mistake is not None:
            text = str(self._mistake) if self._mistake.line > 1 else self._mistake.message
            yield FieldError((), text, "json")

    def _on_text_changed(self) -> None:
        if self._setting:
            return
        text, self._mistake = self.raw_text(), None
        try:
            self._value = read_json(text) if text.strip() else ABSENT
        except JsonMistake as mistake:
            if self._takes_text and text.lstrip()[0] not in '{["':
                self._value = text
            else:
                self._mistake = mistake
        self.edited.emit()
