"""Objects, lists and alternatives: what can be added, moved, switched and left out."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from ptc_studio.ui.forms import SchemaForm, same
from ptc_studio.ui.forms.object_field import KeyRow, ObjectField, VariantsField
from ptc_studio.ui.forms.rows_field import ArrayField, ItemRow
from ptc_studio.ui.forms.simple_fields import JsonField
from tests.ui.forms.conftest import MakeForm

TAGS = {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}
PETS = {
    "oneOf": [
        {
            "title": "Cat",
            "type": "object",
            "properties": {"kind": {"const": "cat"}, "name": {"type": "string"}, "lives": {"type": "integer"}},
            "required": ["kind", "name"],
        },
        {
            "title": "Dog",
            "type": "object",
            "properties": {"kind": {"const": "dog"}, "name": {"type": "string"}, "lives": {"type": "string"}},
            "required": ["kind"],
        },
    ]
}
TREE = {
    "$defs": {"node": {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}}}},
    "$ref": "#/$defs/node",
}


def click(button: QAbstractButton | None) -> None:
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def items(form: SchemaForm, *path: str | int) -> ArrayField:
    field = form.field(*path)
    assert isinstance(field, ArrayField)
    return field


def item(form: SchemaForm, *path: str | int) -> ItemRow:
    row = form.row(*path)
    assert isinstance(row, ItemRow)
    return row


def test_items_are_added_moved_and_removed(make_form: MakeForm, qtbot: QtBot) -> None:
    form = make_form(TAGS)
    with qtbot.waitActive(form):
        form.activateWindow()
    assert form.value() == {}
    field = items(form, "tags")
    for text in ("a", "b", "c"):
        click(field.add_button)
        QTest.keyClicks(form.field("tags", len(field.rows()) - 1).target(), text)
    assert form.value() == {"tags": ["a", "b", "c"]}
    click(item(form, "tags", 2).up_button)
    assert form.value() == {"tags": ["a", "c", "b"]}
    form.field("tags", 0).target().setFocus()
    QTest.keyClick(form.field("tags", 0).target(), Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert form.value() == {"tags": ["c", "a", "b"]}
    click(item(form, "tags", 1).remove_button)
    assert form.value() == {"tags": ["c", "b"]}
    assert [row.label for row in field.rows().values()] == ["1", "2"]
    assert not item(form, "tags", 0).up_button.isEnabled()


def test_an_emptied_list_stays_and_can_be_left_out(make_form: MakeForm) -> None:
    form = make_form(TAGS, {"tags": ["a"]})
    click(item(form, "tags", 0).remove_button)
    assert form.value() == {"tags": []}
    click(form.row("tags").set_button)
    assert form.value() == {}
    click(form.row("tags").set_button)
    assert form.value() == {"tags": []}


@pytest.mark.parametrize(
    ("rules", "value", "message"),
    [
        ({"minItems": 2}, ["a"], "Must have at least 2 items; it has 1."),
        ({"maxItems": 1}, ["a", "b"], "Must have at most 1 item; it has 2."),
        ({"uniqueItems": True}, ["a", "b", "a"], "Items 1 and 3 are the same; each may appear only once."),
    ],
)
def test_rules_of_lists_are_said_at_the_list(make_form: MakeForm, rules: Any, value: Any, message: str) -> None:
    form = make_form({"type": "object", "properties": {"x": {"type": "array", "items": {"type": "string"}, **rules}}})
    form.set_value({"x": value})
    form.reveal_faults()
    assert form.row("x").fault.text == message


def test_a_full_list_takes_no_more(make_form: MakeForm) -> None:
    form = make_form({"type": "array", "items": {"type": "string"}, "maxItems": 1}, ["a"])
    assert not items(form).add_button.isEnabled()


def test_an_item_that_is_not_filled_in_is_a_fault(make_form: MakeForm) -> None:
    form = make_form({"type": "array", "items": {"type": "integer"}}, [])
    click(items(form).add_button)
    assert [fault.path for fault in form.faults()] == [(0,)]
    QTest.keyClicks(form.field(0).target(), "3")
    assert form.value() == [3]
    assert form.is_valid()


def test_a_tuple_has_fields_of_its_own_kinds_in_their_places(make_form: MakeForm) -> None:
    schema = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}], "items": False}
    form = make_form(schema, [1, True])
    assert type(form.field(0)) is not type(form.field(1))
    assert not items(form).add_button.isVisible()
    assert not item(form, 0).up_button.isVisible()


def test_a_tuple_of_an_older_draft_is_one_too(make_form: MakeForm) -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "array",
        "items": [{"type": "integer"}, {"type": "string"}],
        "additionalItems": False,
    }
    form = make_form(schema, [1, "a"])
    assert form.is_valid()
    form.set_value([1, 2])
    assert [fault.path for fault in form.faults()] == [(1,)]


def test_a_long_list_is_edited_as_json(make_form: MakeForm) -> None:
    form = make_form({"type": "array", "items": {"type": "integer"}}, list(range(1000)))
    assert isinstance(form.root.field, JsonField)
    assert form.value() == list(range(1000))


def test_an_optional_group_is_there_once_something_is_in_it(make_form: MakeForm) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "string"}, "c": {"type": "string"}}, "required": ["c"]}
    form = make_form({"type": "object", "properties": {"a": inner}})
    assert form.is_valid()
    assert form.row("a").field is None
    QTest.keyClicks(form.field("a", "b").target(), "x")
    assert form.value() == {"a": {"b": "x"}}
    assert [fault.path for fault in form.faults()] == [("a", "c")]
    form.field("a", "b").target().clear()  # type: ignore[attr-defined]
    assert form.value() == {}
    click(form.row("a").set_button)
    assert form.value() == {"a": {}}


def test_a_closed_group_counts_what_is_wrong_inside(make_form: MakeForm) -> None:
    inner = {"type": "object", "properties": {"b": {"type": "integer"}}}
    form = make_form({"type": "object", "properties": {"a": inner}}, {"a": {"b": "x"}})
    form.row("a").set_open(False)
    form.faults()
    form.set_value({"a": {"b": "y"}})
    form.faults()
    assert form.row("a").summary.startswith("✕ 1 to correct inside")


def test_a_schema_that_contains_itself_is_drawn_as_far_as_one_opens_it(make_form: MakeForm) -> None:
    form = make_form(TREE)
    assert form.row("next").field is None
    QTest.keyClicks(form.field("next", "next", "v").target(), "3")
    assert form.value() == {"next": {"next": {"v": 3}}}


def test_keys_of_ones_own_are_added_renamed_and_removed(make_form: MakeForm) -> None:
    form = make_form({"type": "object", "additionalProperties": {"type": "integer"}})
    field = form.root.field
    assert isinstance(field, ObjectField)
    click(field.add_button)
    row = field.labelled_rows()[-1]  # type: ignore[index]
    assert isinstance(row, KeyRow)
    QTest.keyClicks(row.field.target(), "5")  # type: ignore[union-attr]
    assert [fault.message for fault in form.faults()] == ["A value has no key yet."]
    QTest.keyClicks(row.editor, "five")
    assert form.value() == {"five": 5}
    assert form.is_valid()
    click(field.add_button)
    twin = field.labelled_rows()[-1]  # type: ignore[index]
    QTest.keyClicks(twin.editor, "five")
    assert [fault.message for fault in form.faults()] == ["The key 'five' appears twice."]
    click(twin.trailing[-1])
    assert form.value() == {"five": 5}


def test_a_pattern_decides_the_kind_of_a_key(make_form: MakeForm) -> None:
    schema = {
        "type": "object",
        "patternProperties": {"^n_": {"type": "integer"}, "^s_": {"type": "string"}},
        "additionalProperties": False,
    }
    form = make_form(schema, {"n_a": 1, "s_b": "x"})
    assert type(form.field("n_a")) is not type(form.field("s_b"))
    assert form.is_valid()
    form.set_value({"other": 1})
    assert [(fault.path, fault.rule) for fault in form.faults()] == [(("other",), "additionalProperties")]
    assert form.value() == {"other": 1}


def test_unknown_keys_survive_and_stand_in_their_order(make_form: MakeForm) -> None:
    form = make_form(TAGS, {"z": 1, "tags": ["a"], "b": {"c": None}})
    assert list(form.value()) == ["z", "tags", "b"]
    QTest.keyClicks(form.field("tags", 0).target(), "x")
    assert list(form.value()) == ["z", "tags", "b"]


@pytest.mark.parametrize(
    ("rules", "value", "message"),
    [
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "'b' is required when 'a' is given."),
        ({"propertyNames": {"maxLength": 2}}, {"abc": 1}, "Must have at most 2 characters; it has 3."),
        ({"minProperties": 2}, {"a": 1}, "Must have at least 2 keys."),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, "Required."),
        ({"unevaluatedProperties": False}, {"zz": 1}, "Has a key that the schema does not allow."),
    ],
)
def test_rules_of_objects_are_checked(make_form: MakeForm, rules: Any, value: Any, message: str) -> None:
    form = make_form({"type": "object", "properties": {"a": {}, "b": {}}, **rules}, value)
    assert [fault.message for fault in form.faults()] == [message]
    assert form.value() == value


@pytest.mark.parametrize(("value", "label"), [({"kind": "cat", "name": "Tom"}, "Cat"), ({"kind": "dog"}, "Dog")])
def test_the_right_variant_is_found_for_a_value(make_form: MakeForm, value: Any, label: str) -> None:
    form = make_form(PETS, value)
    field = form.root.field
    assert isinstance(field, VariantsField)
    assert field.chooser.currentText() == label
    assert not form.row("kind").isVisible()
    assert form.is_valid()


def test_another_variant_keeps_what_fits_and_gives_back_the_rest(make_form: MakeForm) -> None:
    form = make_form(PETS, {"kind": "cat", "name": "Tom", "lives": 9})
    field = form.root.field
    assert isinstance(field, VariantsField)
    field.choose(1)
    assert form.value() == {"kind": "dog", "name": "Tom"}
    field.choose(0)
    assert form.value() == {"kind": "cat", "name": "Tom", "lives": 9}


def test_what_is_wrong_is_said_of_the_chosen_variant(make_form: MakeForm) -> None:
    form = make_form(PETS)
    field = form.root.field
    assert isinstance(field, VariantsField)
    field.choose(0)
    assert [(fault.path, fault.message) for fault in form.faults()] == [(("name",), "Required.")]


def test_variants_by_type_are_chosen_beside_the_field(make_form: MakeForm) -> None:
    form = make_form({"type": "object", "properties": {"x": {"type": ["string", "integer", "null"]}}})
    field = form.field("x")
    assert isinstance(field, VariantsField)
    assert [field.chooser.itemText(row) for row in range(4)] == ["Not set", "string", "integer", "null"]
    field.choose(0)
    QTest.keyClicks(field.inner.field.target(), "7")  # type: ignore[union-attr]
    assert same(form.value(), {"x": "7"})
    field.choose(1)
    assert form.value() == {}
    QTest.keyClicks(field.inner.field.target(), "7")  # type: ignore[union-attr]
    assert same(form.value(), {"x": 7})
    field.choose(2)
    assert form.value() == {"x": None}
    field.choose(-1)
    assert form.value() == {}


def test_what_may_be_a_text_a_number_or_a_truth_is_typed_without_choosing(make_form: MakeForm) -> None:
    form = make_form({"type": "object", "properties": {"x": {"type": ["string", "number", "boolean"]}}})
    for typed, value in (("shop.py", "shop.py"), ("7", 7), ("true", True), ('"7"', "7")):
        form.field("x").setPlainText("")
        QTest.keyClicks(form.field("x"), typed)
        assert same(form.value(), {"x": value})
        assert form.is_valid()
    form.field("x").setPlainText("[1]")
    assert not form.is_valid()


def test_null_is_one_of_the_alternatives_where_all_of_them_may_be_null(make_form: MakeForm) -> None:
    several = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
    form = make_form({"type": "object", "properties": {"x": {"anyOf": [several, {"type": "null"}]}}})
    field = form.field("x")
    assert isinstance(field, VariantsField)
    assert [field.chooser.itemText(row) for row in range(4)] == ["Not set", "string", "integer", "null"]
    field.choose(2)
    assert form.value() == {"x": None}
    assert form.is_valid()
    form.set_value({"x": 5})
    assert field.chooser.currentText() == "integer"
    form.set_value({"x": None})
    assert field.chooser.currentText() == "null"


def test_of_the_alternatives_that_fit_the_one_with_most_fields_for_the_value_is_shown(make_form: MakeForm) -> None:
    kinds = [{"type": "object", "properties": {name: {"type": "string"} for name in names}} for names in ("a", "ab")]
    form = make_form({"anyOf": kinds}, {"a": "x", "b": "y"})
    field = form.root.field
    assert isinstance(field, VariantsField)
    assert field.chooser.currentIndex() == 2
    form.set_value({"a": "x"})
    assert field.chooser.currentIndex() == 1


def test_a_required_group_that_is_not_there_can_be_given_empty(make_form: MakeForm) -> None:
    schema = {
        "type": "object",
        "properties": {"g": {"type": "object", "additionalProperties": True}},
        "required": ["g"],
    }
    form = make_form(schema, {"g": {"a": 1}})
    button = form.row("g").set_button
    assert button is not None
    assert not button.isVisible()
    form.set_value({})
    assert [fault.message for fault in form.faults()] == ["Required."]
    click(button)
    assert form.value() == {"g": {}}
    assert form.is_valid()
    assert not button.isVisible()


def test_alternatives_that_only_add_conditions_are_checked_and_not_drawn(make_form: MakeForm) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    form = make_form(schema)
    assert isinstance(form.root.field, ObjectField)
    assert not form.is_valid()
    QTest.keyClicks(form.field("b").target(), "x")
    assert form.is_valid()


def test_all_of_is_one_object(make_form: MakeForm) -> None:
    schema = {
        "$defs": {"base": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}},
        "allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": {"type": "integer"}}}],
    }
    form = make_form(schema)
    assert list(form.root.shape.properties) == ["a", "b"]
    assert form.row("a").required


def test_a_required_constant_and_a_required_default_are_there_from_the_start(make_form: MakeForm) -> None:
    properties = {"v": {"const": 2}, "d": {"type": "integer", "default": 3}, "o": {"type": "integer", "default": 4}}
    form = make_form({"type": "object", "properties": properties, "required": ["v", "d"]})
    assert form.value() == {"v": 2, "d": 3}


def test_two_hundred_fields_are_drawn_and_large_closed_groups_are_not(make_form: MakeForm) -> None:
    many = {f"p{number}": {"type": "string"} for number in range(200)}
    form = make_form({"type": "object", "properties": {**many, "g": {"type": "object", "properties": many}}})
    assert len(form.root.field.rows()) == 201  # type: ignore[union-attr]
    assert form.row("g").field is None
