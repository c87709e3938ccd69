"""Every schema there is: a form is drawn, filled in as a person does, and gives back exactly what was filled in."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from ptc_studio.core.tools import ToolSpec
from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.sources.builtin.entry import BuiltinEntry
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.kinds import KINDS, SourceContext, make_source
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.openapi.entry import OpenApiEntry
from ptc_studio.ui.forms import SchemaForm, same
from tests.sources.mcp.conftest import EVERYTHING
from tests.sources.openapi.conftest import GITHUB
from tests.ui.forms.conftest import MakeForm
from tests.ui.forms.hand_made import HAND_MADE, JSON_SIDE, NOTHING_FITS
from tests.ui.forms.instances import instances_of
from tests.ui.forms.schema_strategies import pairs
from tests.ui.forms.typist import fill_in

EACH = 12
"""Of the large document, every so many-th operation."""


def filled(schema: Any, value: Any) -> bool:
    """Draws, fills in, reads back; True if no JSON had to be written for the whole."""
    form = SchemaForm(schema)
    try:
        by_fields = fill_in(form, value)
        assert same(form.value(), value), (form.value(), value)
        form.show_json(True)
        assert same(form.value(), value)
        form.show_json(False)
        assert same(form.value(), value)
        faults = form.faults()
        assert form.is_valid(), faults
        return by_fields
    finally:
        # Now, not when the loop comes to it: thousands of widgets would be waiting.
        delete(form)


def loaded(entry: Any, folder: Path) -> list[ToolSpec]:
    source = make_source(entry, SourceContext(folder))
    try:
        return [tool.spec for tool in source.refresh().tools]
    finally:
        source.close()


def assert_all_filled(specs: Iterable[ToolSpec]) -> int:
    """Fills each form with the least and with everything; gives for how many schemas there was a value."""
    tried = 0
    for spec in specs:
        values = list(instances_of(spec.parameters))
        tried += bool(values)
        for value in values:
            assert filled(spec.parameters, value), (spec.name, value)
    return tried


@pytest.mark.parametrize("name", [name for name in HAND_MADE if name not in NOTHING_FITS])
def test_a_hand_made_schema_is_filled_in_and_read_back(dressed: QApplication, name: str) -> None:
    schema, values = HAND_MADE[name]
    for value in values:
        assert filled(schema, value) is (name not in JSON_SIDE), value


def test_there_are_two_hundred_and_one_for_every_keyword() -> None:
    assert len(HAND_MADE) >= 200
    said = {keyword for schema, _ in HAND_MADE.values() for keyword in keywords_of(schema)}
    assert said >= {
        "type", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "enum", "const",
        "$ref", "$defs", "definitions", "$anchor", "$id", "$schema", "format", "pattern", "minLength", "maxLength",
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems",
        "uniqueItems", "contains", "minContains", "maxContains", "additionalProperties", "patternProperties",
        "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies",
        "if", "then", "else", "unevaluatedProperties", "unevaluatedItems", "default", "examples", "title", "description",
        "deprecated", "readOnly", "writeOnly", "contentMediaType", "contentEncoding", "discriminator", "$comment",
        "$dynamicRef", "$recursiveRef",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(NOTHING_FITS))
def test_what_nothing_fits_keeps_its_value_and_says_so(make_form: MakeForm, name: str) -> None:
    schema, values = HAND_MADE[name]
    form = make_form(schema, values[0])
    assert same(form.value(), values[0])
    assert [fault.message for fault in form.faults()] == ["No value is allowed here."]


def test_the_sample_tools_and_the_built_in_ones(dressed: QApplication, tmp_path: Path) -> None:
    samples = loaded(FunctionsEntry(path=SAMPLE_TOOLS), tmp_path)
    built_in = loaded(BuiltinEntry(), tmp_path)
    assert len(samples) > 10
    assert len(built_in) == 8
    assert assert_all_filled([*samples, *built_in]) == len(samples) + 8


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_settings_of_every_kind_of_source(dressed: QApplication, kind: str) -> None:
    schema = KINDS[kind].entry.model_json_schema()
    values = list(instances_of(schema))
    assert values
    for value in values:
        assert filled(schema, value), value


def test_the_tools_of_the_reference_server(dressed: QApplication, tmp_path: Path) -> None:
    if not EVERYTHING.exists():
        pytest.skip(f"no reference server at {EVERYTHING}: run packaging/node-packages .venv/node")
    specs = loaded(McpEntry(name="all", command="node", args=(str(EVERYTHING), "stdio")), tmp_path)
    assert assert_all_filled(specs) == len(specs) > 5


def test_operations_of_a_large_service(dressed: QApplication) -> None:
    if not GITHUB.exists():
        pytest.skip(f"no document at {GITHUB}: run packaging/openapi-documents .venv/openapi")
    specs = loaded(OpenApiEntry(name="github", document=GITHUB.name), GITHUB.parent)[::EACH]
    assert assert_all_filled(specs) == len(specs) > 50


@settings(
    max_examples=80,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_random_schemas(dressed: QApplication, data: st.DataObject) -> None:
    schema, values = data.draw(pairs)
    value = data.draw(values)
    form = SchemaForm(schema)
    fill_in(form, value)
    assert same(form.value(), value)
    delete(form)


def keywords_of(schema: Any) -> Iterator[str]:
    """Every key anywhere in the schema."""
    if isinstance(schema, dict):
        yield from schema
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from keywords_of(inner)
