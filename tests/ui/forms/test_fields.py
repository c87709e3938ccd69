"""Typing into the fields of a form: values, what is said about them, and the keys."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from ptc_studio.ui.forms import ABSENT, SchemaForm, field_for, same
from ptc_studio.ui.forms.field import FileField, FolderField, LineField, MomentField, PasswordField
from ptc_studio.ui.forms.simple_fields import BooleanField, ChoiceField, JsonField, LinesField, NumberField
from ptc_studio.ui.theme import theme
from tests.ui.forms.conftest import MakeForm


def one(schema: Any, *, required: bool = False) -> dict[str, Any]:
    """An object with the one property `x`."""
    return {"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []}


def type_into(form: SchemaForm, text: str, *path: str | int) -> None:
    target = form.field(*path).target()
    target.setFocus()
    QTest.keyClicks(target, text)


def said(form: SchemaForm, *path: str | int) -> str:
    """What stands at the field."""
    form.faults()
    return form.row(*path).fault.text


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, LineField),
        ({"type": "string", "format": "multiline"}, LinesField),
        ({"type": "string", "contentMediaType": "text/html"}, LinesField),
        ({"type": "string", "x-multiline": True}, LinesField),
        ({"type": "string", "default": "long " * 40}, LinesField),
        ({"type": "string", "format": "password"}, PasswordField),
        ({"type": "string", "writeOnly": True}, PasswordField),
        ({"type": "string", "format": "date"}, MomentField),
        ({"type": "string", "format": "time"}, MomentField),
        ({"type": "string", "format": "date-time"}, MomentField),
        ({"type": "string", "format": "email"}, LineField),
        ({"type": "string", "format": "uri"}, LineField),
        ({"type": "string", "format": "file-path"}, FileField),
        ({"type": "string", "format": "path"}, FileField),
        ({"type": "string", "format": "directory-path"}, FolderField),
        ({"type": "integer"}, NumberField),
        ({"minimum": 3}, NumberField),
        ({"type": "boolean"}, BooleanField),
        ({"enum": ["a", 1]}, ChoiceField),
        ({"const": 1}, ChoiceField),
        ({"anyOf": [{"const": 1}, {"enum": ["a"]}, {"type": "null"}]}, ChoiceField),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, LineField),
        ({"$ref": "#/properties/y"}, NumberField),
        ({"not": {"type": "string"}}, JsonField),
        ({"$ref": "#/nowhere"}, JsonField),
        ({"$ref": "https://example.org/schema.json"}, JsonField),
        ({"$dynamicRef": "#x"}, JsonField),
        (True, JsonField),
        ({}, JsonField),
    ],
)
def test_each_kind_has_its_field(make_form: MakeForm, schema: Any, kind: type) -> None:
    whole = {"type": "object", "properties": {"x": schema, "y": {"type": "integer"}}}
    assert type(make_form(whole).field("x")) is kind


def test_text_that_is_typed_is_the_value_and_emptied_is_left_out(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "default": "dflt"}))
    assert form.value() == {}
    assert form.field("x").target().placeholderText() == "dflt"
    type_into(form, "hi", "x")
    assert form.value() == {"x": "hi"}
    form.field("x").target().clear()
    assert form.value() == {}
    form.field("x").set_empty()
    assert form.value() == {"x": ""}


def test_a_required_text_may_be_empty(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string"}, required=True))
    assert form.value() == {}
    assert not form.is_valid()
    type_into(form, "a", "x")
    form.field("x").target().clear()
    assert form.value() == {"x": ""}
    assert form.is_valid()


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("12", 12),
        ("-0.5", -0.5),
        ("1.0", 1.0),
        ("1e3", 1e3),
        ("+5", 5),
        (".5", 0.5),
        ("007", 7),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("0.1234567890123456789012345", Decimal("0.1234567890123456789012345")),
        ("abc", "abc"),
        ("  ", ABSENT),
    ],
)
def test_numbers_are_taken_to_the_last_digit(make_form: MakeForm, typed: str, value: Any) -> None:
    form = make_form(one({"type": "number"}))
    type_into(form, typed, "x")
    assert same(form.value(), {} if value is ABSENT else {"x": value})
    form.show_json(True)
    form.show_json(False)
    assert same(form.value(), {} if value is ABSENT else {"x": value})


@pytest.mark.parametrize(
    ("schema", "typed", "message"),
    [
        ({"type": "integer"}, "abc", "Must be a whole number."),
        ({"type": "integer"}, "1.5", "Must be a whole number."),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "10", "Must be at most 9."),
        ({"type": "number", "exclusiveMinimum": 0}, "0", "Must be more than 0."),
        ({"type": "number", "multipleOf": 5}, "7", "Must be a multiple of 5."),
        ({"type": "string", "minLength": 3}, "ab", "Must have at least 3 characters; it has 2."),
        ({"type": "string", "maxLength": 1}, "ab", "Must have at most 1 characters; it has 2."),
        ({"type": "string", "pattern": "^[0-9]+$"}, "ab", "Must match the pattern ^[0-9]+$"),
        ({"type": "string", "not": {"const": "no"}}, "no", "The schema does not allow this value."),
        ({"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]}, "3", "Must be at least 5."),
        ({"type": "string", "format": "date"}, "soon", "Does not look like a date, such as 2026-03-31."),
        ({"type": "string", "format": "uri"}, "soon", "Does not look like an address, such as https://example.org/."),
        ({"type": "string", "format": "time"}, "soon", "Does not look like a time, such as 14:30:00Z."),
        (
            {"type": "string", "format": "email"},
            "ada",
            "Does not look like an e-mail address, such as name@example.org.",
        ),
        ({"type": "object", "$ref": "#/x"}, "[", "A value is missing here."),
    ],
)
def test_what_is_wrong_is_said_at_the_field_as_one_types(
    make_form: MakeForm, schema: Any, typed: str, message: str
) -> None:
    form = make_form(one(schema))
    type_into(form, typed, "x")
    assert said(form, "x") == message
    assert form.field("x").target().property("mark") in ("fault", "advice")
    form.field("x").target().clear()
    assert said(form, "x") == ""


def test_a_format_is_advice_and_does_not_make_the_form_wrong(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "format": "email"}))
    type_into(form, "ada", "x")
    assert [fault.advice for fault in form.faults()] == [True]
    assert form.is_valid()


def test_a_hostile_pattern_does_not_stall_the_form(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "pattern": "^(a+)+$"}), {"x": "a" * 60 + "!"})
    assert not form.is_valid()


def test_a_pattern_that_cannot_be_checked_is_let_through(make_form: MakeForm) -> None:
    assert make_form(one({"type": "string", "pattern": r"(?=.*\d)x"}), {"x": "y"}).is_valid()


def test_what_is_missing_is_said_after_a_visit_or_when_asked(make_form: MakeForm) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    }
    form = make_form(schema)
    assert {fault.path for fault in form.faults()} == {("a",), ("b",)}
    assert said(form, "a") == ""
    form.row("a").touch()
    assert (said(form, "a"), said(form, "b")) == ("Required.", "")
    form.reveal_faults()
    assert said(form, "b") == "Required."


def test_validity_is_told_when_it_changes(make_form: MakeForm, qtbot: QtBot) -> None:
    form = make_form(one({"type": "integer"}, required=True))
    form.faults()
    told: list[bool] = []
    form.validity_changed.connect(told.append)
    # Each time all is checked: on a busy machine a form takes its time for that.
    for text in ("1", "2", "x"):
        type_into(form, text, "x")
        form.faults()
    assert told == [True, False]


def test_changed_is_told_for_the_user_alone(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string"}))
    told: list[None] = []
    form.changed.connect(lambda: told.append(None))
    form.set_value({"x": "y"})
    assert told == []
    type_into(form, "z", "x")
    assert len(told) == 1


def test_a_boolean_has_a_button_for_every_state(make_form: MakeForm) -> None:
    form = make_form(one({"type": ["boolean", "null"], "default": True}))
    field = form.field("x")
    assert isinstance(field, BooleanField)
    for position, value in enumerate([{}, {"x": True}, {"x": False}, {"x": None}]):
        QTest.mouseClick(field.button(position), Qt.MouseButton.LeftButton)
        assert same(form.value(), value)
    assert field.button(0).text() == "Default (true)"


def test_a_required_boolean_begins_unset_and_has_two_states(make_form: MakeForm) -> None:
    form = make_form(one({"type": "boolean"}, required=True))
    field = form.field("x")
    assert isinstance(field, BooleanField)
    assert form.value() == {}
    QTest.mouseClick(field.button(1), Qt.MouseButton.LeftButton)
    assert same(form.value(), {"x": False})


def test_null_takes_the_place_of_a_value_and_gives_it_back(make_form: MakeForm) -> None:
    form = make_form(one({"type": ["string", "null"]}))
    type_into(form, "kept", "x")
    button = form.row("x").null_button
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert form.value() == {"x": None}
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert form.value() == {"x": "kept"}


def test_choices_keep_their_types(make_form: MakeForm) -> None:
    form = make_form(one({"enum": ["1", 1, 1.5, True, None, {"a": 1}]}))
    field = form.field("x")
    assert isinstance(field, ChoiceField)
    for index, value in enumerate(["1", 1, 1.5, True, None, {"a": 1}], start=1):
        field.setCurrentIndex(index)
        field.activated.emit(index)
        assert same(form.value(), {"x": value})
    assert field.itemText(1) == '"1"'


def test_a_value_that_is_no_choice_is_shown_as_json_and_kept(make_form: MakeForm) -> None:
    form = make_form(one({"enum": ["a"]}), {"x": "b"})
    assert isinstance(form.field("x"), JsonField)
    assert form.value() == {"x": "b"}
    assert said(form, "x") == "Must be one of a."


def test_pasting_several_lines_makes_room_for_them(make_form: MakeForm, qapp: QApplication) -> None:
    form = make_form(one({"type": "string"}))
    line = form.field("x")
    assert isinstance(line, LineField)
    line.setFocus()
    line.insert("one\ntwo")
    assert form.value() == {"x": "one\ntwo"}
    assert isinstance(form.field("x"), LinesField)


def test_return_in_a_text_of_several_lines_makes_a_line(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "format": "multiline"}))
    type_into(form, "a", "x")
    QTest.keyClick(form.field("x").target(), Qt.Key.Key_Return)
    type_into(form, "b", "x")
    assert form.value() == {"x": "a\nb"}


def test_a_text_of_several_lines_can_be_the_empty_text(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "format": "multiline", "default": "d"}))
    field = form.field("x")
    assert isinstance(field, LinesField)
    assert form.value() == {}
    field.set_empty()
    assert form.value() == {"x": ""}
    assert field.placeholderText() == "empty text"
    field.set_value(ABSENT)
    assert field.placeholderText() == "d"


def test_what_is_required_has_a_mark_and_the_description_is_the_help(make_form: MakeForm) -> None:
    properties = {"a": {"type": "string", "description": "What it is."}, "b": {"type": "string"}}
    form = make_form({"type": "object", "properties": properties, "required": ["a"]})
    assert (form.row("a").starred, form.row("b").starred) == (True, False)
    assert (form.row("a").help.text, form.row("b").help.text) == ("What it is.", "")


def test_examples_are_suggested_while_typing(make_form: MakeForm, qtbot: QtBot) -> None:
    form = make_form(one({"type": "string", "examples": ["Ada", "Grace"]}))
    with qtbot.waitActive(form):
        form.activateWindow()
    field = form.field("x")
    assert isinstance(field, LineField)
    field.setFocus()
    completer = field.completer()
    assert completer is not None
    completer.setCompletionPrefix("gr")
    assert completer.currentCompletion() == "Grace"
    assert field.placeholderText() == "such as Ada"


def test_arrows_step_a_whole_number_within_its_bounds(make_form: MakeForm) -> None:
    form = make_form(one({"type": "integer", "maximum": 5}), {"x": 4})
    for _ in range(3):
        QTest.keyClick(form.field("x").target(), Qt.Key.Key_Up)
    assert form.value() == {"x": 5}


def test_today_writes_a_date(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "format": "date"}))
    field = form.field("x")
    assert isinstance(field, MomentField)
    QTest.mouseClick(field.button, Qt.MouseButton.LeftButton)
    assert form.faults() == []
    assert len(form.value()["x"]) == 10


def test_a_password_is_hidden_until_asked_for(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "format": "password"}), {"x": "secret"})
    field = form.field("x")
    assert isinstance(field, PasswordField)
    assert field.line.displayText() != "secret"
    QTest.mouseClick(field.button, Qt.MouseButton.LeftButton)
    assert field.line.displayText() == "secret"


def test_a_read_only_form_takes_no_keys(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string"}), {"x": "a"})
    form.set_read_only(True)
    type_into(form, "b", "x")
    assert form.value() == {"x": "a"}


def test_what_the_schema_calls_read_only_or_deprecated_says_so(make_form: MakeForm) -> None:
    form = make_form(one({"type": "string", "readOnly": True, "deprecated": True, "description": "Old."}), {"x": "a"})
    assert form.row("x").help.text == "Deprecated. Read only. Old."
    type_into(form, "b", "x")
    assert form.value() == {"x": "a"}


def test_tab_goes_through_the_form_as_the_eye_does(make_form: MakeForm) -> None:
    properties = {
        "a": {"type": "string"},
        "b": {"enum": [1, 2]},
        "c": {"type": "object", "properties": {"d": {"type": "integer"}}},
        "e": {"type": "string", "format": "multiline"},
    }
    form = make_form({"type": "object", "properties": properties, "required": ["c"]})
    form.activateWindow()
    form.set_value({"a": "two\nlines", "c": {"d": 1}})
    order = [form.field("a"), form.field("b"), form.row("c").header, form.field("c", "d"), form.field("e")]
    order[0].target().setFocus()  # type: ignore[union-attr]
    for expected in order[1:]:
        focused = form.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        target = expected if isinstance(expected, QWidget) and not hasattr(expected, "target") else expected.target()  # type: ignore[union-attr]
        assert form.focusWidget() is target


def test_every_field_has_a_name_for_screen_readers(make_form: MakeForm) -> None:
    form = make_form(
        {
            "type": "object",
            "properties": {
                "a": {"type": "string", "description": "What it is."},
                "b": {"type": "boolean"},
                "c": {"type": "array"},
            },
        }
    )
    target = form.field("a").target()
    assert (target.accessibleName(), target.accessibleDescription()) == ("a", "What it is.")
    assert form.field("b").target().accessibleName() == "b: Not set"
    assert form.field("c").target().accessibleName() == "c: add item"


def test_titles_can_be_the_labels(make_form: MakeForm) -> None:
    schema = {
        "type": "object",
        "properties": {"max_depth": {"type": "integer"}, "url": {"type": "string", "title": "Address"}},
    }
    form = make_form(schema, labels="titles")
    assert (form.row("max_depth").label, form.row("url").label) == ("Max depth", "Address")
    assert make_form(schema).row("url").label == "url"


def test_one_parameter_can_stand_by_itself(dressed: QApplication, qtbot: QtBot) -> None:
    root = {"$defs": {"n": {"type": "integer", "minimum": 1, "maximum": 500, "default": 100}}}
    field = field_for({"$ref": "#/$defs/n"}, root, name="limit")
    qtbot.addWidget(field)
    field.show()
    assert field.value() is ABSENT
    assert field.summary == "integer, 1 to 500 · default 100"
    QTest.keyClicks(field.row.field.target(), "900")
    assert field.value() == 900
    assert field.row.fault.text == "Must be at most 500."
    assert not field.is_valid()


def test_a_file_that_is_browsed_for_is_the_value(make_form: MakeForm, tmp_path: Path) -> None:
    form = make_form(one({"type": "string", "format": "file-path"}))
    field = form.field("x")
    assert isinstance(field, FileField)
    QTest.mouseClick(field.button, Qt.MouseButton.LeftButton)
    dialog = field.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path))
    dialog.close()
    assert form.value() == {"x": str(tmp_path)}


def test_suggestions_have_a_ground_of_their_own(make_form: MakeForm, qtbot: QtBot) -> None:
    form = make_form(one({"type": "string", "examples": ["Ada"]}))
    with qtbot.waitActive(form):
        form.activateWindow()
    field = form.field("x")
    assert isinstance(field, LineField)
    field.setFocus()
    completer = field.completer()
    assert completer is not None
    popup = completer.popup()
    assert popup is not None
    popup.resize(80, 60)
    ground = popup.grab().toImage().pixelColor(40, 50)
    assert ground.name() == theme().colour("raised").name()
