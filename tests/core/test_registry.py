"""Names, aliases and what they lead to."""

import threading

import pytest

from ptc_studio.core import registry as registry_module
from ptc_studio.core.errors import RegistrationError, ToolNotFound
from ptc_studio.core.registry import EVERYTHING, Alias, Grant, check_alias_loops, identifier
from tests.support import Engine, FakeTool


def price(sku: str, qty: int = 1, currency: str = "EUR"):
    """Price of an article."""
    return [sku, qty, currency]


def test_a_duplicate_name_raises_and_names_both_owners(engine: Engine):
    engine.add(price, source="shop", origin="shop.py:1")
    with pytest.raises(RegistrationError, match=r"'price' is taken: shop \(shop.py:1\) and stock \(stock.py:9\)"):
        engine.registry.register(FakeTool(price, source="stock", origin="stock.py:9"))


def test_a_disposer_takes_away_its_own_tool_only(engine: Engine):
    dispose = engine.registry.register(FakeTool(price))
    dispose()
    engine.add(price)
    dispose()
    assert engine.registry.resolve("price").spec.name == "price"


def test_a_disposed_alias_is_gone(engine: Engine):
    engine.add(price)
    dispose = engine.registry.register_alias(Alias("cheap", "price"))
    dispose()
    with pytest.raises(ToolNotFound):
        engine.registry.resolve("cheap")


def test_a_missing_name_gets_a_suggestion(engine: Engine):
    engine.add(price)
    with pytest.raises(ToolNotFound, match="Tool not found: prise. Did you mean 'price'?"):
        engine.registry.resolve("prise")


def test_further_names_lead_to_the_tool_unless_two_tools_want_them(engine: Engine):
    engine.add(price, name="a.price", also=("price", "a_price"))
    engine.add(price, name="b.price", also=("price",))
    assert engine.registry.resolve("a_price").spec.name == "a.price"
    with pytest.raises(ToolNotFound):
        engine.registry.resolve("price")


def test_a_name_that_is_no_identifier_has_a_twin(engine: Engine):
    engine.add(price, name="server.get-sum")
    target = engine.registry.resolve("server.get_sum")
    assert target.spec.name == "server.get-sum"
    assert engine.registry.names_of(target) == ("server.get-sum", "server.get_sum")
    assert identifier("3d.plot") == "_3d.plot"


def test_an_alias_may_lead_to_the_twin_of_a_name(engine: Engine):
    engine.add(price, name="server.get-sum")
    engine.alias("total", "server.get_sum")
    assert engine.registry.resolve("total").tool.spec.name == "server.get-sum"


def test_a_pattern_without_a_dot_does_not_mean_a_source(engine: Engine):
    engine.add(price, source="functions")
    assert engine.registry.targets(Grant(("f*",))) == []
    assert len(engine.registry.targets(Grant(("functions.*",)))) == 1
    assert len(engine.registry.targets(Grant(("*",)))) == 1


def test_an_alias_of_an_alias_is_refused(engine: Engine):
    engine.add(price)
    engine.alias("cheap", "price")
    with pytest.raises(RegistrationError, match="leads to the alias 'cheap'; name the tool itself: 'price'"):
        engine.alias("cheaper", "cheap")


def test_a_loop_of_aliases_is_refused():
    with pytest.raises(RegistrationError, match="a -> b -> a lead round in a circle"):
        check_alias_loops([Alias("a", "b"), Alias("b", "a")])
    check_alias_loops([Alias("a", "b"), Alias("b", "tool")])


def test_an_alias_that_shadows_a_tool_is_refused(engine: Engine):
    engine.add(price, also=("shop.price",))
    for name in ("price", "shop.price"):
        with pytest.raises(RegistrationError, match="would shadow the tool"):
            engine.alias(name, "price")


def test_an_alias_to_nowhere_and_one_with_an_unknown_preset_are_refused(engine: Engine):
    engine.add(price)
    with pytest.raises(RegistrationError, match="leads nowhere. Tool not found: prize"):
        engine.alias("cheap", "prize")
    with pytest.raises(RegistrationError, match="sets 'colour', but 'price' takes sku, qty, currency"):
        engine.alias("cheap", "price", preset={"colour": "red"})


def test_a_tool_that_takes_an_alias_name_is_refused(engine: Engine):
    engine.add(price)
    engine.alias("cheap", "price")
    with pytest.raises(RegistrationError, match="has the name of an alias"):
        engine.registry.register(FakeTool(price, name="cheap"))


def test_a_disabled_alias_is_not_found(engine: Engine):
    engine.add(price)
    engine.alias("cheap", "price", enabled=False)
    with pytest.raises(ToolNotFound):
        engine.registry.resolve("cheap")


def test_through_an_alias_presets_are_gone_and_defaults_are_filled_in(engine: Engine):
    engine.add(price)
    engine.alias("cheap", "price", preset={"sku": "A1"}, defaults={"qty": 3}, description="Three.", timeout=5)
    spec = engine.registry.resolve("cheap").spec
    assert [parameter.name for parameter in spec.signature] == ["qty", "currency"]
    assert spec.parameters["properties"] == {"qty": {"default": 3}, "currency": {}}
    assert spec.parameters["required"] == []
    assert (spec.description, spec.timeout) == ("Three.", 5)


def test_a_required_parameter_after_a_defaulted_one_is_by_keyword(engine: Engine):
    engine.add(lambda a, b: a, name="pair")
    engine.alias("half", "pair", defaults={"a": 1})
    signature = engine.registry.resolve("half").spec.signature
    assert [(parameter.name, parameter.keyword_only) for parameter in signature] == [("a", False), ("b", True)]


def test_a_grant_lists_what_it_means_and_nothing_else(engine: Engine):
    engine.add(price, source="shop")
    engine.add(lambda: 1, name="other", source="misc")
    engine.alias("cheap", "price")
    names = [target.spec.name for target in engine.registry.targets(EVERYTHING)]
    assert names == ["cheap", "other", "price"]
    only = engine.registry.targets(Grant(("cheap", "misc.*")))
    assert [target.spec.name for target in only] == ["cheap", "other"]


def test_two_thousand_tools_are_registered_and_listed_quickly(engine: Engine):
    for number in range(2000):
        engine.add(lambda: 1, name=f"server.tool-{number}")
    targets = engine.registry.targets(EVERYTHING)
    assert len([engine.registry.names_of(target) for target in targets]) == 2000


def test_an_index_that_was_outdated_while_a_thread_built_it_is_not_kept(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    building, built = threading.Event(), threading.Event()

    class SlowIndex(registry_module.NameIndex):
        def __init__(self, *parts) -> None:
            super().__init__(*parts)
            if threading.current_thread() is reader:
                building.set()
                built.wait(10)

    monkeypatch.setattr(registry_module, "NameIndex", SlowIndex)
    engine.add(price)
    reader = threading.Thread(target=lambda: engine.registry.resolve("price"))
    reader.start()
    building.wait(10)
    engine.add(price, name="other")
    built.set()
    reader.join()
    assert engine.registry.resolve("other").spec.name == "other"


def test_a_tool_with_the_name_of_a_keyword_is_reached_by_a_name_that_can_be_written(engine: Engine):
    engine.add(lambda: 1, name="import")
    engine.add(lambda: 2, name="shop.class")
    assert (engine.call("import_"), engine.call("shop.class_"), engine.call("import")) == (1, 2, 1)
