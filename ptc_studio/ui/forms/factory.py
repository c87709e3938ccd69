"""Which field shows which value, and single fields for those who lay out forms of their own."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import isValid

from ptc_studio.core.json_schema import part_of, position_of
from ptc_studio.ui.forms.controls import apply_form_style
from ptc_studio.ui.forms.field import (
    FileField,
    FolderField,
    FormContext,
    FormField,
    KindFor,
    Labels,
    LineField,
    MomentField,
    PasswordField,
)
from ptc_studio.ui.forms.object_field import ObjectField, VariantsField
from ptc_studio.ui.forms.row import FormRow
from ptc_studio.ui.forms.rows_field import ArrayField
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError, Path, Shape, TextStyle, is_number
from ptc_studio.ui.forms.schema.shaping import fresh_value_of, shape_of, summary_of, variant_for
from ptc_studio.ui.forms.simple_fields import BooleanField, ChoiceField, JsonField, LinesField, NullField, NumberField
from ptc_studio.ui.widgets.layout import filled

MOST_ITEMS = 200
"""Longer lists and larger objects are quicker to edit as text."""
_UNTYPEABLE = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u2028\u2029\ud800-\udfff\ufdd0\ufdd1\ufffc\ufeff]")
"""What a text field would change or not show."""
_STYLES: dict[TextStyle, type[FormField]] = {
    "line": LineField,
    "lines": LinesField,
    "password": PasswordField,
    "file": FileField,
    "folder": FolderField,
    "moment": MomentField,
}
_KINDS: dict[str, type[FormField]] = {
    "number": NumberField,
    "boolean": BooleanField,
    "choice": ChoiceField,
    "null": NullField,
    "array": ArrayField,
    "object": ObjectField,
    "variants": VariantsField,
    "json": JsonField,
}


def new_context(checker: Checker, labels: Labels = "names", kinds: KindFor | None = None) -> FormContext:
    """What the fields of a form share."""
    return FormContext(checker, kinds or kind_for, labels)


def kind_for(shape: Shape, value: Any, context: FormContext) -> type[FormField]:
    """The kind of field that shows the value to the letter; JSON where no other does."""
    if shape.kind == "text":
        return _text_kind(shape, value)
    kind = _KINDS[shape.kind]
    return kind if value is ABSENT or _shows(shape, value, context) else JsonField


def _text_kind(shape: Shape, value: Any) -> type[FormField]:
    native = _STYLES[shape.style]
    if value is ABSENT:
        return native
    if not isinstance(value, str) or _UNTYPEABLE.search(value):
        return JsonField
    return LinesField if "\n" in value or "\t" in value else native


def _shows(shape: Shape, value: Any, context: FormContext) -> bool:
    if shape.kind == "number":
        return is_number(value)
    if shape.kind == "boolean":
        return isinstance(value, bool) or (value is None and shape.nullable)
    if shape.kind == "choice":
        return position_of(value, [choice.value for choice in shape.choices]) >= 0
    if shape.kind == "null":
        return value is None
    if shape.kind == "array":
        return isinstance(value, list) and len(value) <= MOST_ITEMS
    if shape.kind == "object":
        return isinstance(value, dict) and len(value) <= MOST_ITEMS + len(shape.properties)
    if shape.kind == "variants":
        return variant_for(value, shape.variants, context.checker.fits) >= 0
    return True


class ErrorPlaces:
    """Knows the outermost row of a form."""

    def __init__(self, root: FormRow) -> None:
        self._root = root
        self._told: list[FormRow] = []

    def show(self, errors: Sequence[FieldError], *, revealed: bool) -> None:
        """Has every fault said at the row nearest to it; a closed group counts what is wrong inside."""
        here: dict[FormRow, list[FieldError]] = {}
        inside: Counter[FormRow] = Counter()
        for error in errors:
            rows = self._rows_on(error.path)
            rest = error.path[len(rows) - 1 :]
            here.setdefault(rows[-1], []).append(_named(error, rest))
            inside.update(row for row in rows[:-1] if not row.is_open)
        told = [*here, *(row for row in inside if row not in here)]
        for row in self._told:
            if isValid(row) and row not in here and row not in inside:
                row.show_faults(())
        for row in told:
            row.show_faults(here.get(row, ()), inside[row], revealed=revealed)
        self._told = told

    def open_to(self, path: Path) -> tuple[FormRow, Path]:
        """Opens what is around the place; gives its row, or the nearest around it, and the rest of the way."""
        row = self._root
        for position, step in enumerate(path):
            row.set_open(True)
            found = row.child(step)
            if found is None:
                return row, path[position:]
            row = found
        return row, ()

    def _rows_on(self, path: Path) -> list[FormRow]:
        rows = [self._root]
        for step in path:
            found = rows[-1].child(step)
            if found is None:
                break
            rows.append(found)
        return rows


def _named(fault: FieldError, rest: Path) -> FieldError:
    """The fault as it is said further out: with the rest of the way."""
    if not rest:
        return fault
    return replace(fault, message=f"{replace(fault, path=rest).location}: {fault.message}")


class ParameterField(QWidget):
    """The field of one value, without a label; what is wrong stands below it.

    Signals: changed: the user changed the value.
    """

    changed = Signal()

    def __init__(self, schema: Any, root: Any, *, name: str, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._part = part_of(schema, root)
        self._checker = Checker(root)
        shape = shape_of(self._part)
        apply_form_style(self)
        self.summary = summary_of(shape)
        """Such as `integer, 1 to 500 · default 100`."""
        self.row = FormRow(shape, new_context(self._checker), required=required, bare=True, name=name, parent=self)
        self._places = ErrorPlaces(self.row)
        filled(QVBoxLayout(self), self.row, margins=0)
        assert self.row.field is not None
        self.setFocusProxy(self.row.field.target())
        self.row.edited.connect(self._on_edited)
        if required:
            self.set_value(fresh_value_of(shape))

    def value(self) -> Any:
        """The exact value; `ABSENT` where there is none."""
        return self.row.value()

    def set_value(self, value: Any) -> None:
        """Shows another value; says nothing."""
        self.row.set_value(value)
        self._check()

    def faults(self) -> list[FieldError]:
        """All that is wrong with the value."""
        mistakes, value = list(self.row.mistakes()), self.row.value()
        if value is ABSENT:
            return [*mistakes, *([FieldError((), "Required.", "required")] if self.row.required else [])]
        return mistakes + self._checker.faults(value, dict(self.row.chosen()), self._part)

    def is_valid(self) -> bool:
        """Whether nothing is wrong; advice aside."""
        return all(error.advice for error in self.faults())

    def reveal_faults(self) -> None:
        """Says everything that is wrong, also if nobody has touched the field."""
        self._places.show(self.faults(), revealed=True)

    def set_read_only(self, read_only: bool) -> None:
        """Whether the value can only be looked at."""
        self.row.set_read_only(read_only)

    def _check(self) -> None:
        self._places.show(self.faults(), revealed=False)

    def _on_edited(self) -> None:
        self._check()
        self.changed.emit()


def field_for(schema: Any, root: Any = True, *, name: str = "", required: bool = False) -> ParameterField:
    """A field for one part of a schema; `root` is the document that its references lead into."""
    return ParameterField(schema, root, name=name, required=required)
