"""A field for a value that follows one of several schemas: a choice, and the field of what was chosen."""

from collections.abc import Iterator, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from ptc_studio.ui.forms.controls import QuietCombo
from ptc_studio.ui.forms.field import FormContext, FormField
from ptc_studio.ui.forms.object_field import ObjectField
from ptc_studio.ui.forms.row import FormRow
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.shapes import Shape, Variant
from ptc_studio.ui.forms.schema.shaping import fresh_value_of, is_group, shape_of, variant_for
from ptc_studio.ui.forms.schema.values import ABSENT, FieldError, Path, Step
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.layout import discard


class VariantsField(FormField, QWidget):
    """What was typed for another variant comes back when it is chosen again.

    Signals: edited: the value is another.
    """

    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        QWidget.__init__(self, parent)
        self.inner: FormRow | None = None
        self._name = ""
        self._position = -1
        self._remembered: dict[int, Any] = {}
        self._read_only = False
        self.chooser = QuietCombo(self)
        self.chooser.addItem("Choose…" if required else "Not set")
        self.chooser.addItems([variant.label for variant in shape.variants])
        self.chooser.activated.connect(lambda index: self.choose(index - 1))
        below = is_group(shape)
        direction = QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        self._layout = QBoxLayout(direction, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme().pixels(2 * SPACE))
        self._layout.addWidget(self.chooser, 0 if below else 2)
        if not below:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        self._show(-1)

    def value(self) -> Any:
        return self.inner.value() if self.inner is not None else ABSENT

    def set_value(self, value: Any) -> None:
        self._remembered.clear()
        position = -1 if value is ABSENT else variant_for(value, self.shape.variants, self.context.checker.fits)
        self._show(position)
        if self.inner is not None:
            self.inner.set_value(value)
            self._hide_tag()

    def choose(self, position: int) -> None:
        """Goes over to another variant, with all of the value that fits there."""
        if position == self._position:
            return
        old, self._remembered[self._position] = self.value(), self.value()
        self._show(position)
        if self.inner is not None:
            variant = self.shape.variants[position]
            kept = self._remembered.get(position, ABSENT)
            value = kept if kept is not ABSENT else _carried(old, self.inner.shape, variant, self.context.checker)
            self.inner.set_value(value)
            self._hide_tag()
        self.edited.emit()

    def set_read_only(self, read_only: bool) -> None:
        self._read_only = read_only
        self.chooser.setEnabled(not read_only)
        if self.inner is not None:
            self.inner.set_read_only(read_only)

    def mistakes(self) -> Iterator[FieldError]:
        if self.inner is not None:
            yield from self.inner.mistakes()

    def chosen(self) -> Iterator[tuple[Path, tuple[str, int]]]:
        if self.inner is not None:
            variant = self.shape.variants[self._position]
            if variant.keyword:
                yield (), (variant.keyword, variant.index)
            yield from self.inner.chosen()

    def rows(self) -> Mapping[Step, FormRow]:
        return self.inner.field.rows() if self.inner is not None and self.inner.field is not None else {}

    def set_names(self, name: str, description: str) -> None:
        self._name = name
        self.chooser.setAccessibleName(f"{name}: kind" if name else "Kind")
        self.chooser.setAccessibleDescription(description)
        if self.inner is not None and self.inner.field is not None:
            self.inner.field.set_names(name, description)

    def target(self) -> QWidget:
        return self.chooser

    def _show(self, position: int) -> None:
        """Makes the row of a variant; -1 is none."""
        self.chooser.setCurrentIndex(position + 1)
        set_property(self.chooser, "unset", position < 0)
        if position == self._position and (position < 0 or self.inner is not None):
            return
        self._position = position
        if self.inner is not None:
            discard(self._layout, self.inner)
            self.inner = None
        if position >= 0:
            shape = shape_of(self.shape.variants[position].part)
            self.inner = FormRow(shape, self.context, required=True, bare=True, name=self._name, parent=self)
            self.inner.set_read_only(self._read_only)
            self.inner.edited.connect(self.edited)
            self._layout.addWidget(self.inner, 3)
            self.inner.show()
        self.updateGeometry()

    def _hide_tag(self) -> None:
        variant, field = self.shape.variants[self._position], self.inner and self.inner.field
        if variant.tag is not None and isinstance(field, ObjectField):
            field.hide_tag(*variant.tag)


def _carried(old: Any, shape: Shape, variant: Variant, checker: Checker) -> Any:
    """What a variant begins with: its own beginnings, and what fits of the value before."""
    fresh = fresh_value_of(shape)
    if isinstance(old, dict) and isinstance(fresh, dict):
        fitting = {
            key: value
            for key, value in old.items()
            if key in shape.properties and checker.fits(value, shape.properties[key])
        }
        return fresh | fitting
    if old is not ABSENT and checker.fits(old, variant.alone):
        return old
    return fresh
