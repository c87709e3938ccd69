"""A value that a person may edit, of which he does not see everything."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from ptc_studio.core.permissions import merged
from ptc_studio.core.redaction import Redacted
from ptc_studio.core.redaction.redacted import MARKER_START, is_marker
from ptc_studio.ui.forms import ABSENT, FieldError, SchemaForm, same
from ptc_studio.ui.forms.factory import kind_for
from ptc_studio.ui.forms.field import FormContext, FormField
from ptc_studio.ui.forms.schema.shapes import Path, Shape
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

LEFT_OVER = "A part of this is hidden and cannot be kept in a changed text: write the whole text, or reset it."
_ALTERNATIVES = ("anyOf", "oneOf", "allOf", "not", "if")


class HiddenField(FormField, QWidget):
    """A chip, and a button to write another value in its place.

    Signals: edited: the value is to be another. outgrown: a field to write it in is wanted.
    """

    is_line = True
    edited = Signal()
    outgrown = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        QWidget.__init__(self, parent)
        self._value: Any = ABSENT
        self.chip = PlainLabel()
        self.chip.setProperty("role", "redacted")
        self.chip.setMinimumWidth(1)
        self.chip.setToolTip("Hidden from you; the tool gets the real value as long as you leave it alone.")
        self.button = QPushButton("Replace")
        self.button.setAutoDefault(False)
        self.button.setProperty("flat", True)
        self.button.clicked.connect(self._on_replaced)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        row.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.button)
        row.addStretch(1)
        self.setFocusProxy(self.button)

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._value = value
        self.chip.setText(str(value))

    def set_read_only(self, read_only: bool) -> None:
        self.button.setVisible(not read_only)

    def set_names(self, name: str, description: str) -> None:
        self.button.setAccessibleName(f"{name}: hidden. Replace")
        self.button.setAccessibleDescription(description)

    def target(self) -> QWidget:
        return self.button

    def _on_replaced(self) -> None:
        self._value = ABSENT
        self.edited.emit()
        self.outgrown.emit()


def hiding_kind(shape: Shape, value: Any, context: FormContext) -> type[FormField]:
    """The usual kind of field, but a chip for what is hidden."""
    return HiddenField if _is_hidden(value) else kind_for(shape, value, context)


def spared(fault: FieldError, value: Any) -> bool:
    """Whether what is wrong is only that a hidden value does not look like what it stands for."""
    found = _at(value, fault.path)
    return _is_hidden(found) or (fault.rule in _ALTERNATIVES and any(True for _ in _left_over(found)))


def left_over(shown: Any, edited: Any) -> list[FieldError]:
    """Where the marks of hidden values would be sent in their stead, because what is around them was changed."""
    whole = merged(_with_stand_ins(shown), shown, edited)
    return [FieldError(path, LEFT_OVER, "hidden") for path in _left_over(whole)]


def _is_hidden(value: Any) -> bool:
    return isinstance(value, str) and is_marker(value, lambda _: True)


def _with_stand_ins(value: Any) -> Any:
    """The value with something that is no text for every text that hides something."""
    if isinstance(value, dict):
        return {key: _with_stand_ins(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_stand_ins(item) for item in value]
    return None if isinstance(value, str) and MARKER_START in value else value


def _left_over(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _left_over(item, (*path, key))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _left_over(item, (*path, position))
    elif isinstance(value, str) and MARKER_START in value:
        yield path


def _at(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return ABSENT
    return value


TOO_LONG = "Too long to be edited here: what is shown was cut off."
_NO_VALUE = ("json", "required", "hidden")
"""What keeps a value from being sent, whatever its schema thinks of it."""


class ValuePage(QWidget):
    """A form over the value as it is shown; what is left alone stays what it was.

    Signals: changed: the user changed the value, or put it back.
    """

    changed = Signal()

    def __init__(self, schema: Any, shown: Redacted, *, strict: bool = True, parent: QWidget | None = None) -> None:
        """`strict`: a changed value has to fit the schema; else only advice is given."""
        super().__init__(parent)
        self._shown = shown.value
        self._strict = strict
        self.form = SchemaForm(
            schema,
            kinds=hiding_kind,
            also=lambda value: left_over(self._shown, value),
            spares=spared,
        )
        self.form.set_value(self._shown)
        self.form.changed.connect(self._on_changed)
        self.reset_button = self._reset_button()
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        column.setSpacing(2 * SPACE)
        if shown.truncated:
            note = PlainLabel(TOO_LONG, wordWrap=True)
            note.setProperty("role", "note")
            column.addWidget(note)
            self.form.set_read_only(True)
        column.addWidget(self.form, 1)

    @property
    def corner(self) -> QWidget:
        """Form or JSON, for whoever has a place for it above."""
        return self.form.bar

    @property
    def is_changed(self) -> bool:
        return not same(self.form.value(), self._shown)

    @property
    def may_be_sent(self) -> bool:
        """Whether a call can go on with it; what the script itself sent may be as wrong as it likes."""
        if not self.is_changed:
            return True
        faults = [fault for fault in self.form.faults() if not fault.advice]
        return not faults if self._strict else not any(fault.rule in _NO_VALUE for fault in faults)

    @property
    def edited(self) -> Any:
        """The value as it was edited; `ABSENT` if it was not."""
        return self.form.value() if self.is_changed else ABSENT

    def show_faults(self) -> None:
        """Says what is wrong, and goes there."""
        self.form.reveal_faults()

    def reset(self) -> None:
        """Puts back what was shown."""
        self.form.set_value(self._shown)
        self._on_changed()

    def _on_changed(self) -> None:
        self.reset_button.setVisible(self.is_changed)
        self.changed.emit()

    def _reset_button(self) -> QToolButton:
        button = QToolButton()
        button.setText("Reset")
        button.setProperty("flat", True)
        button.setToolTip("Puts back what the call came with")
        button.clicked.connect(self.reset)
        button.hide()
        layout = self.form.bar.layout()
        assert layout is not None
        layout.addWidget(button)
        return button
