"""Fills a form in as a person does: types, picks, opens and adds; by the JSON side only what no field can take."""

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QAbstractButton

from ptc_studio.core.json_schema import position_of
from ptc_studio.ui.forms import SchemaForm, read_json, write_json
from ptc_studio.ui.forms.field import ButtonField, FormField, LineField
from ptc_studio.ui.forms.object_field import KeyRow, ObjectField, VariantsField
from ptc_studio.ui.forms.row import FormRow
from ptc_studio.ui.forms.rows_field import ArrayField
from ptc_studio.ui.forms.schema.shapes import ABSENT, is_number, numeral_of
from ptc_studio.ui.forms.schema.shaping import variant_for
from ptc_studio.ui.forms.simple_fields import BooleanField, ChoiceField, JsonField, LinesField, NullField, NumberField


class NoField(Exception):
    """No field of the form takes the value."""


def fill_in(form: SchemaForm, value: Any) -> bool:
    """Gives the form the value; True if the fields alone were enough."""
    try:
        _fill(form.root, value)
    except NoField:
        form.show_json(True)
        form.json.text.setPlainText(write_json(value))
        assert form.json.mistake is None, form.json.mistake
        form.show_json(False)
        return False
    return True


def _fill(row: FormRow, value: Any) -> None:
    if row.null_button is not None and (value is None) != row.null_button.isChecked():
        _press(row.null_button)
    if value is None and row.null_button is not None:
        return
    row.set_open(True)
    if value in ({}, []) and row.value() is ABSENT and row.set_button is not None:
        _press(row.set_button)
    assert row.field is not None
    _fill_field(row, row.field, value)


def _fill_field(row: FormRow, field: FormField, value: Any) -> None:
    if isinstance(field, LineField | ButtonField) and not isinstance(field, NumberField):
        _type_text(row, field.line if isinstance(field, ButtonField) else field, value)
        return
    for kind, fill in _WAYS.items():
        if isinstance(field, kind):
            fill(field, value)
            return
    raise NotImplementedError(type(field))


def _press_boolean(field: BooleanField, value: Any) -> None:
    _need(isinstance(value, bool) or (value is None and field.shape.nullable))
    texts = {"true": True, "false": False, "null": None}
    for button in field.findChildren(QAbstractButton):
        if button.text() in texts and texts[button.text()] is value:
            _press(button)


def _press_null(field: NullField, value: Any) -> None:
    _need(value is None)
    _press(field.button(1))


def _pick(field: ChoiceField, value: Any) -> None:
    place = position_of(value, [choice.value for choice in field.shape.choices])
    _need(place >= 0)
    field.setCurrentIndex(place + 1)
    field.activated.emit(place + 1)


def _type_number(field: NumberField, value: Any) -> None:
    _need(is_number(value))
    field.setText(numeral_of(value))


def _type_json(field: JsonField, value: Any) -> None:
    field.setPlainText(write_json(value))


def _type_text(row: FormRow, line: LineField, value: Any) -> None:
    _need(isinstance(value, str) and read_json(write_json(value)) == value and _is_typeable(value))
    if value == "":
        line.set_empty()
        return
    line.clear()
    line.insert(value)
    if isinstance(row.field, LinesField):
        # A pasted text of several lines made room for itself.
        _type_lines(row.field, value)


def _type_lines(field: LinesField, value: Any) -> None:
    _need(isinstance(value, str) and _is_typeable(value))
    if value == "":
        field.set_empty()
    else:
        field.setPlainText(value)


def _is_typeable(text: str) -> bool:
    return all(char.isprintable() or char in "\n\t\xa0" for char in text)


def _choose_variant(field: VariantsField, value: Any) -> None:
    place = variant_for(value, field.shape.variants, field.context.checker.fits)
    _need(place >= 0)
    field.chooser.activated.emit(place + 1)
    assert field.inner is not None
    _fill(field.inner, value)


def _fill_object(field: ObjectField, value: Any) -> None:
    _need(isinstance(value, dict))
    for key, item in value.items():
        if key not in field.rows():
            _need(field.shape.offers_keys and bool(key))
            _press(field.add_button)
            made = list(field.labelled_rows())[-1]
            assert isinstance(made, KeyRow)
            made.editor.setText(key)
            made.editor.editingFinished.emit()
        _fill(field.rows()[key], item)


def _fill_array(field: ArrayField, value: Any) -> None:
    _need(isinstance(value, list))
    while len(field.rows()) > len(value):
        _press(list(field.rows().values())[-1].remove_button)  # type: ignore[attr-defined]
    while len(field.rows()) < len(value):
        _need(field.add_button.isEnabled() and not field.add_button.isHidden())
        _press(field.add_button)
    for position, item in enumerate(value):
        _fill(field.rows()[position], item)


def _press(button: QAbstractButton) -> None:
    assert button.isEnabled(), button.accessibleName()
    button.click()


def _need(it_fits: bool) -> None:
    if not it_fits:
        raise NoField


_WAYS: dict[type[FormField], Callable[[Any, Any], None]] = {
    VariantsField: _choose_variant,
    ObjectField: _fill_object,
    ArrayField: _fill_array,
    BooleanField: _press_boolean,
    NullField: _press_null,
    ChoiceField: _pick,
    NumberField: _type_number,
    LinesField: _type_lines,
    JsonField: _type_json,
}
