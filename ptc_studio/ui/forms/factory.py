"""Which field shows which value, and single fields for those who lay out forms of their own."""

import re
from typing import Any

from ptc_studio.ui.forms.array_field import ArrayField
from ptc_studio.ui.forms.boolean_field import BooleanField
from ptc_studio.ui.forms.button_field import FileField, FolderField, MomentField, PasswordField
from ptc_studio.ui.forms.choice_field import ChoiceField
from ptc_studio.ui.forms.field import Context, Field, KindFor, Labels
from ptc_studio.ui.forms.json_field import JsonField
from ptc_studio.ui.forms.line_field import LineField
from ptc_studio.ui.forms.lines_field import LinesField
from ptc_studio.ui.forms.null_field import NullField
from ptc_studio.ui.forms.number_field import NumberField
from ptc_studio.ui.forms.object_field import ObjectField
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.fitting import variant_for
from ptc_studio.ui.forms.schema.numerals import is_number
from ptc_studio.ui.forms.schema.shapes import Shape, TextStyle
from ptc_studio.ui.forms.schema.values import ABSENT, position_of
from ptc_studio.ui.forms.variants_field import VariantsField

MOST_ITEMS = 200
"""Longer lists and larger objects are quicker to edit as text."""
_UNTYPEABLE = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u2028\u2029\ud800-\udfff\ufdd0\ufdd1\ufffc\ufeff]")
"""What a text field would change or not show."""
_STYLES: dict[TextStyle, type[Field]] = {
    "line": LineField,
    "lines": LinesField,
    "password": PasswordField,
    "file": FileField,
    "folder": FolderField,
    "moment": MomentField,
}
_KINDS: dict[str, type[Field]] = {
    "number": NumberField,
    "boolean": BooleanField,
    "choice": ChoiceField,
    "null": NullField,
    "array": ArrayField,
    "object": ObjectField,
    "variants": VariantsField,
    "json": JsonField,
}


def new_context(checker: Checker, labels: Labels = "names", kinds: KindFor | None = None) -> Context:
    """What the fields of a form share."""
    return Context(checker, kinds or kind_for, labels)


def kind_for(shape: Shape, value: Any, context: Context) -> type[Field]:
    """The kind of field that shows the value to the letter; JSON where no other does."""
    if shape.kind == "text":
        return _text_kind(shape, value)
    kind = _KINDS[shape.kind]
    return kind if value is ABSENT or _shows(shape, value, context) else JsonField


def _text_kind(shape: Shape, value: Any) -> type[Field]:
    native = _STYLES[shape.style]
    if value is ABSENT:
        return native
    if not isinstance(value, str) or _UNTYPEABLE.search(value):
        return JsonField
    return LinesField if "\n" in value or "\t" in value else native


def _shows(shape: Shape, value: Any, context: Context) -> bool:
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
