"""What an alias presets or hides is not told to a script that gets its arguments wrong."""

from typing import Any

import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.core.stages import MISFIT
from ptc_studio.core.tools import ToolSpec
from ptc_studio.sources.schema_tool import SchemaTool
from tests.support import Engine

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}, "unit": {"type": "object"}},
    "required": ["sku"],
    "additionalProperties": False,
    "dependentRequired": {"qty": ["unit"]},
}


@pytest.fixture
def shop(engine: Engine) -> Engine:
    engine.registry.register(SchemaTool(ToolSpec("price", "", SCHEMA, "shop"), lambda arguments, _ticket: arguments))
    engine.alias("cheap", "price", preset={"qty": 3, "unit": {}})
    engine.alias("bare", "price", hidden=("qty", "unit"))
    engine.alias("wrong", "price", preset={"qty": "a secret", "unit": {}})
    engine.alias("half", "price", preset={"qty": 77})
    engine.alias("deep", "price", preset={"unit": []})
    return engine


@pytest.mark.parametrize("name", ["cheap", "bare"])
def test_an_unexpected_argument_is_refused_as_if_there_were_only_what_is_seen(shop: Engine, name: str):
    for given in ({"bogus": 1}, {"qty": 1}, {"unit": {}}):
        with pytest.raises(TypeError) as caught:
            shop.call(name, sku="a", **given)
        odd = next(iter(given))
        assert str(caught.value) == f"Invalid parameters for tool {name!r}: unexpected {odd!r} (takes sku)"


@pytest.mark.parametrize("name", ["wrong", "half", "deep"])
def test_a_preset_that_does_not_fit_is_not_told_to_the_script(shop: Engine, name: str):
    with pytest.raises((TypeError, ValueError)) as caught:
        shop.call(name, sku="a")
    assert str(caught.value) == f"Invalid parameters for tool {name!r}: {MISFIT}"


def test_what_the_script_got_wrong_itself_is_told_as_ever(shop: Engine):
    with pytest.raises(ValueError, match="'sku'.*not of type 'string'"):
        shop.call("cheap", sku=1)
    with pytest.raises(TypeError, match="missing 'sku'"):
        shop.call("cheap")
    assert shop.call("cheap", sku="a") == {"sku": "a", "qty": 3, "unit": {}}


def test_refusals_keep_their_kind(shop: Engine):
    assert issubclass(UnfitValues, UnfitArguments)
    for name in ("wrong", "cheap"):
        with pytest.raises((TypeError, ValueError)):
            shop.call(name, sku="a", bogus=1)
    assert [record["status"] for record in shop.records()] == ["invalid", "invalid"]


def test_a_tool_that_takes_anything_still_takes_it_through_an_alias(engine: Engine):
    schema = {"type": "object", "properties": {"sku": {}}}
    engine.registry.register(SchemaTool(ToolSpec("any", "", schema, "shop"), lambda arguments, _ticket: arguments))
    engine.alias("mine", "any", preset={"extra": 1})
    assert engine.call("mine", sku="a", more=2) == {"sku": "a", "more": 2, "extra": 1}
    with pytest.raises(TypeError, match="unexpected 'extra'"):
        engine.call("mine", extra=2)
