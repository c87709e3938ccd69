"""The picker: what it lists, what its entries choose, and what they may override."""

import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues

SCHEMA = {"type": "object", "properties": {"sku": {"type": "integer"}}, "required": ["sku"]}


@pytest.fixture
def catalog(folder, load):
    folder.write("shop.py", "def price(sku: str, qty: int = 1):\n    return [sku, qty]\n\ndef add(a: int): ...\n")
    folder.write("deep/more.py", "def zoom(**extra):\n    return extra\n\ndef twice(): ...\n")
    folder.write("two.py", "def twice(): ...\n")
    return load().catalog


def names(tools):
    return [tool.spec.name for tool in tools]


def test_whole_modules_come_first_all_sorted(catalog):
    assert catalog.listing() == [
        "deep/more:All",
        "shop:All",
        "two:All",
        "deep/more:twice",
        "deep/more:zoom",
        "shop:add",
        "shop:price",
        "two:twice",
    ]


def test_entries_are_expanded_in_order(catalog):
    assert names(catalog.select(["two:twice", {"name": "shop:All"}])) == ["two.twice", "add", "price"]


@pytest.mark.parametrize("entry", ["price", "shop:price", "shop.price", {"name": " price "}])
def test_a_function_goes_by_any_of_its_names(catalog, entry):
    assert names(catalog.select([entry])) == ["price"]


@pytest.mark.parametrize("key", ["description", "parameters", "auto_fill"])
def test_a_whole_module_refuses_overrides(catalog, key):
    with pytest.raises(ValueError, match=f"'shop:All' cannot override {key}"):
        catalog.select([{"name": "shop:All", key: None}])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("prize", "There is no function 'prize' in the folder. Did you mean 'price'?"),
        ("shoq:All", "Did you mean 'shop:All'?"),
        ("twice", "'deep/more:twice' or 'two:twice': choose one"),
        ({}, "needs a name"),
        (3, "needs a name"),
        ({"name": "price", "descripton": "x"}, "unknown key 'descripton'"),
        ({"name": "price", "description": 3}, "is no text"),
        ({"name": "price", "auto_fill": "no"}, "neither true nor false"),
        ({"name": "price", "auto_fill": False}, "needs 'parameters'"),
        ({"name": "price", "parameters": SCHEMA}, "needs 'auto_fill: false'"),
        ({"name": "price", "auto_fill": False, "parameters": {"a": 1}}, "no JSON Schema of an object"),
        ({"name": "add", "auto_fill": False, "parameters": SCHEMA}, "name 'sku', but it takes a"),
        ({"name": "add", "auto_fill": False, "parameters": {"type": "object"}}, "must have 'a'"),
    ],
)
def test_a_wrong_entry_is_explained(catalog, entry, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        catalog.select([entry])
    assert message in str(caught.value)


def test_a_description_can_be_overridden_beside_the_whole_module(catalog, make_ticket):
    _, price = catalog.select(["shop:All", {"name": "price", "description": "Mine."}])
    assert price.spec.description == "Mine."
    with pytest.raises(UnfitValues):
        price.bind({"sku": 1})
    assert price.invoke(price.bind({"sku": "a"}), make_ticket()) == ["a", 1]


def test_a_handwritten_schema_checks_names_and_values(catalog, make_ticket):
    [price] = catalog.select([{"name": "price", "auto_fill": False, "parameters": SCHEMA}])
    assert price.spec.parameters == SCHEMA
    assert [(p.name, p.required) for p in price.spec.signature] == [("sku", True)]
    assert price.invoke(price.bind({"sku": 1}), make_ticket()) == [1, 1]
    with pytest.raises(UnfitValues, match="'sku': \\[1\\] is not of type 'integer'"):
        price.bind({"sku": [1]})
    with pytest.raises(UnfitArguments, match="missing 'sku'; unexpected 'qty' \\(takes sku\\)"):
        price.bind({"qty": 1})


def test_a_handwritten_schema_may_use_a_functions_open_end(catalog, make_ticket):
    schema = {"type": "object", "properties": {"x": {}}, "additionalProperties": True}
    [zoom] = catalog.select([{"name": "zoom", "auto_fill": False, "parameters": schema}])
    assert zoom.invoke(zoom.bind({"x": 1, "y": 2}), make_ticket()) == {"x": 1, "y": 2}
    with pytest.raises(UnfitArguments, match="unexpected '_context'"):
        zoom.bind({"_context": 1})
