"""What a person may not see in a form: shown as a chip, kept when left alone, never sent as the chip's own text."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ptc_studio.core.merging import merged
from ptc_studio.core.redaction.markers import MARKER_START, is_marker
from ptc_studio.ui.forms import ABSENT, Fault
from ptc_studio.ui.forms.factory import kind_for
from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import Path
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel

LEFT_OVER = "A part of this is hidden and cannot be kept in a changed text: write the whole text, or reset it."
_ALTERNATIVES = ("anyOf", "oneOf", "allOf", "not", "if")


class HiddenField(Field, QWidget):
    """A chip, and a button to write another value in its place.

    Signals: edited: the value is to be another. outgrown: a field to write it in is wanted.
    """

    is_line = True
    edited = Signal()
    outgrown = Signal()

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
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


def hiding_kind(shape: Shape, value: Any, context: Context) -> type[Field]:
    """The usual kind of field, but a chip for what is hidden."""
    return HiddenField if _is_hidden(value) else kind_for(shape, value, context)


def spared(fault: Fault, value: Any) -> bool:
    """Whether what is wrong is only that a hidden value does not look like what it stands for."""
    found = _at(value, fault.path)
    return _is_hidden(found) or (fault.rule in _ALTERNATIVES and any(True for _ in _left_over(found)))


def left_over(shown: Any, edited: Any) -> list[Fault]:
    """Where the marks of hidden values would be sent in their stead, because what is around them was changed."""
    whole = merged(_with_stand_ins(shown), shown, edited)
    return [Fault(path, LEFT_OVER, "hidden") for path in _left_over(whole)]


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
