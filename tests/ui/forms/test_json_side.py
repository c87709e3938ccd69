"""The JSON side of a form, in step with its fields; and the values used before."""

from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from ptc_studio.ui.forms import ABSENT, JsonMistake, read_json, write_json
from ptc_studio.ui.forms.schema.json_text import line_of
from ptc_studio.ui.theme import theme
from tests.ui.forms.conftest import MakeForm

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}, "s": {"type": "string"}}}


def test_text_and_fields_are_in_step_both_ways(make_form: MakeForm) -> None:
    form = make_form(SCHEMA, {"n": 1, "other": [1, {"x": None}]})
    form.show_json(True)
    assert read_json(form.json.text.toPlainText()) == {"n": 1, "other": [1, {"x": None}]}
    form.json.text.setPlainText('{"n": 2, "other": [], "s": "x"}')
    assert form.value() == {"n": 2, "other": [], "s": "x"}
    assert form.field("n").value() == 2
    form.show_json(False)
    assert form.value() == {"n": 2, "other": [], "s": "x"}


def test_text_that_is_no_json_is_said_with_its_line_and_not_left_behind(make_form: MakeForm) -> None:
    form = make_form(SCHEMA, {"n": 1})
    form.show_json(True)
    form.json.text.setPlainText('{\n  "n": 2,\n  "s": oops\n}')
    assert [fault.message for fault in form.faults()] == ["Line 3: Text needs double quotes, at 'oops'."]
    assert form.json.notes.texts() == ["Line 3: Text needs double quotes, at 'oops'."]
    assert form.value() == {"n": 1}
    form.show_json(False)
    assert form.is_json
    assert form.bar.json_button.isChecked()
    form.json.text.setPlainText('{"n": 3}')
    form.show_json(False)
    assert not form.is_json
    assert form.value() == {"n": 3}


def test_a_fault_is_said_with_the_line_of_the_value(make_form: MakeForm) -> None:
    form = make_form(SCHEMA)
    form.show_json(True)
    form.json.text.setPlainText('{\n  "s": "x",\n  "n": 12\n}')
    form.faults()
    assert form.json.notes.texts() == ["Line 3: n: Must be at most 9."]
    assert len(form.json.text.extraSelections()) == 1


def test_an_empty_text_is_no_value(make_form: MakeForm) -> None:
    form = make_form(SCHEMA, {"n": 1})
    form.show_json(True)
    form.json.text.setPlainText("")
    assert form.value() is ABSENT
    assert [fault.message for fault in form.faults()] == ["Required."]


def test_values_used_before_are_offered_and_taken(make_form: MakeForm) -> None:
    form = make_form(SCHEMA)
    assert not form.bar.recent_button.isVisible()
    told: list[Any] = []
    form.changed.connect(lambda: told.append(form.value()))
    form.offer_history([{"label": "n = 4", "value": {"n": 4}}, {"label": "old", "value": {"s": "x"}}])
    assert form.bar.recent_button.isVisible()
    form.bar.menu.actions()[1].trigger()
    assert told == [{"s": "x"}]
    form.show_json(True)
    form.bar.menu.actions()[0].trigger()
    assert read_json(form.json.text.toPlainText()) == {"n": 4}


@pytest.mark.parametrize(
    "schema",
    [
        False,
        True,
        12,
        None,
        "x",
        [],
        {"type": 12},
        {"type": "object", "properties": 3},
        {"$ref": "#"},
        {"$ref": "x.json"},
    ],
)
def test_a_schema_that_cannot_be_drawn_is_json_and_says_why(make_form: MakeForm, schema: Any) -> None:
    form = make_form(schema, {"kept": [1]})
    assert form.value() == {"kept": [1]}
    assert form.root.field is not None
    form.faults()


def test_a_broken_schema_is_said_and_stops_nobody(make_form: MakeForm) -> None:
    form = make_form({"type": "object", "properties": {"x": {"type": "strange"}}}, {"x": 1})
    (fault,) = form.faults()
    assert fault.message.startswith("The schema is broken at properties/x/type")
    assert form.is_valid()


def test_a_reference_that_leads_out_is_never_followed(make_form: MakeForm, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("fetched")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    form = make_form({"type": "object", "properties": {"x": {"$ref": "https://example.org/s.json"}}}, {"x": 1})
    (fault,) = form.faults()
    assert fault.advice
    assert "cannot be checked" in fault.message
    assert form.value() == {"x": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,}', "Line 1"),
        ('{"a": 1, "a": 2}', "The key 'a' appears twice"),
        ("[NaN]", "NaN is no JSON"),
        ("[1\n 2]", "Line 2: A comma is missing"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_mistakes_in_json_are_told_plainly(text: str, message: str) -> None:
    with pytest.raises(JsonMistake, match=message):
        read_json(text)


def test_the_line_of_a_value_is_found() -> None:
    text = write_json({"a": [{"b": 1}, {"b": '}"{'}], "c": {"d": None}})
    lines = text.split("\n")
    assert '"b": "}' in lines[line_of(text, ("a", 1, "b")) - 1]
    assert '"d"' in lines[line_of(text, ("c", "d")) - 1]
    assert '"c"' in lines[line_of(text, ("c", "missing")) - 1]
    assert line_of(text, ()) == 1


@pytest.mark.parametrize("width", [360, 900])
@pytest.mark.parametrize("mode", ["dark", "light"])
def test_nothing_is_cut_off_or_overlaps(make_form: MakeForm, qapp: QApplication, width: int, mode: Any) -> None:
    theme().set_mode(mode)
    properties = {
        f"{kind}_{number}": {"type": kind, "description": "What it is for, at some length, so that it has to break."}
        for number in range(3)
        for kind in ("string", "boolean", "array", "object")
    }
    form = make_form({"type": "object", "properties": properties, "required": list(properties)})
    form.resize(width, 600)
    form.reveal_faults()
    for _ in range(5):
        qapp.processEvents()
    rows = [form.row(name) for name in properties]
    for row, following in pairwise(rows):
        assert row.height() >= row.heightForWidth(row.width())
        assert row.geometry().bottom() < following.geometry().top()
        for child in (row.content, *row.trailing):
            assert child is None or child.isHidden() or child.geometry().right() <= row.width()
    theme().set_mode("dark")
