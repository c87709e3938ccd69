"""Stubs for Python."""

import ast
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ptc_studio.core.python_text import parsed
from ptc_studio.core.tools import Parameter
from ptc_studio.exports.types import BUDGET, TypeNames, TypeReader
from tests.exports.conftest import Shelf
from tests.exports.schema_strategies import names, schemas

ORDER = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
        "mode": {"enum": ["fast", "slow"], "description": "How."},
        "note": {"type": ["string", "null"], "default": None},
    },
    "required": ["items"],
    "$defs": {
        "Item": {
            "type": "object",
            "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}},
            "required": ["sku"],
        }
    },
}

GOLDEN = '''\
# The tools of PTC Studio as scripts see them. A type checker knows them everywhere
# when this file is called `__builtins__.pyi` and lies in the project's folder.
from typing import Any, Literal, NotRequired, TypedDict

class _ShopOrderResult(TypedDict):
    total: float

class _ShopItem(TypedDict):
    sku: str
    qty: NotRequired[int]

def hello() -> Any: ...

class shop:
    @staticmethod
    def order(items: list[_ShopItem], mode: Literal['fast', 'slow'] = ..., note: str | None = ...) -> _ShopOrderResult:
        """Orders.

        mode: How."""
        ...

def call_tool(
    name: str, arguments: Any = ..., timeout: float | None = ..., *, timeout_secs: float | None = ...
) -> Any: ...
async def call_tool_async(
    name: str, arguments: Any = ..., timeout: float | None = ..., *, timeout_secs: float | None = ...
) -> Any: ...

class aio:
    """The tools once more, to be awaited."""
    @staticmethod
    async def hello() -> Any: ...
    class shop:
        @staticmethod
        async def order(items: list[_ShopItem], mode: Literal['fast', 'slow'] = ..., note: str | None = ...) -> _ShopOrderResult: ...
'''
TOTAL = {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}


def test_a_small_stub_to_the_letter(shelf: Any) -> None:
    shelf.add("shop.order", ORDER, description="Orders.", output=TOTAL).add("hello")
    assert shelf.export("pyi") == GOLDEN


def test_a_type_checker_knows_the_tools_of_a_script(shelf: Any, check_python: Any) -> None:
    shelf.add("shop.order", ORDER, description="Orders.", output=TOTAL).add("hello")
    script = """
        done = shop.order([{"sku": "a"}], mode="fast")
        print(done["total"] + 1)
        call_tool("hello", {})

        async def main() -> None:
            print((await aio.shop.order(items=[{"sku": "a", "qty": 2}], note=None))["total"])

        shop.order([{"qty": 1}])
        shop.order([], mode="middling")
        done["sum"]
        hello(1)
    """
    text = dedent(script).lstrip("\n")
    found = check_python(__builtins__=shelf.export("pyi"), script=text)
    assert {item.partition(": ")[0] for item in found} == {f"script.py:{line}" for line in (8, 9, 10, 11)}, found


NODE = {"type": "object", "properties": {"value": {}, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}}}
JSON = {
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"$ref": "#/$defs/Json"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Json"}},
    ]
}
NASTY: dict[str, Any] = {
    "list": {"type": "object", "properties": {"list": {"type": "array", "items": {"type": "string"}}, "int": {"type": "integer"}}},
    "Any": {"type": "object", "properties": {"Any": {}, "b": {"type": "object", "properties": {"int": {"type": "integer"}, "str": {"type": "integer"}}}}},
    "str.int.dict": {"type": "object", "properties": {"a": {"type": "object"}}},
    "tree": {"type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}, "json": {"$ref": "#/$defs/Json"}}, "$defs": {"Node": NODE, "Json": JSON}},
    "tree.walk": {"type": "object", "properties": {"self": {"type": "string"}, "class": {}, "a-b": {}, "__x": {}}},
    "tree.walk.deep": {"type": "object", "properties": {"more": {"type": "string"}, "x y": {}}, "additionalProperties": True},
    "get-sum": {"type": "object", "properties": {"o": {"type": "object", "properties": {"a-b": {"enum": ["'", '"""', "\\", 1, True, None, 1.5]}, "__m": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/nowhere"}]}}, "required": ["a-b"]}}},
    "staticmethod": {"type": "object"},
    "call_tool": {"type": "object"},
    "Literal.Never": {"type": "object", "properties": {"k": {"enum": []}, "l": {"const": "x"}, "m": False, "n": True}},
    "_TreeNode": {"type": "object"},
    "loop": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "r": {"$ref": "#"}}, "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "string"}]}, "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "array", "items": {"$ref": "#/$defs/A"}}]}}},
    "self_made": {"type": "object", "properties": {"a": {"$ref": "#/$defs/Me"}}, "$defs": {"Me": {"$ref": "#/$defs/Me"}}},
    "nullable": {"type": "object", "properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"nullable": True, "type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}}},
    "all_of": {"type": "object", "properties": {"a": {"allOf": [{"$ref": "#/$defs/X"}, {"type": "object", "properties": {"y": {"type": "integer"}}, "required": ["x"]}]}}, "$defs": {"X": {"type": "object", "properties": {"x": {"type": "string"}}}}},
    "either": {"type": "object", "properties": {"a": {"type": "object", "properties": {"k": {"type": "string"}}, "oneOf": [{"required": ["k"]}, {"properties": {"z": {"type": "integer"}}}]}}},
    "import.class": {"type": "object"},
    "__init__": {"type": "object"},
    "none": {"type": "object", "properties": {"None": {}, "True": {}}},
}  # fmt: skip


def _nasty() -> Shelf:
    shelf = Shelf()
    for name, schema in NASTY.items():
        shelf.add(
            name,
            schema,
            description=f'{name} """ \\ */ end"',
            output={"type": "object", "properties": {"int": {"type": "integer"}}},
        )
    return shelf


def test_nasty_names_and_schemas_pass_the_type_checker(check_python: Any) -> None:
    script = """
        walked: str = tree.walk.deep(more="x")["x"]
        get_sum(o={"a-b": "'"})
        tree()
        list_(["a"], 1)
    """
    stub = _nasty().export("pyi")
    found = check_python(__builtins__=stub, script=dedent(script).lstrip("\n"))
    assert found == ["script.py:1: " + found[0].partition(": ")[2]]
    assert "import_: _ImportNamespace" in stub or "class import_" in stub
    assert "# call_tool('__init__', ...)" in stub


def test_keyword_only_and_ordered_parameters(shelf: Any) -> None:
    schema = {"type": "object", "properties": {"c": {}, "b": {}, "a": {}}, "required": ["a", "b"]}
    signature = (Parameter("a"), Parameter("c", required=False), Parameter("b", keyword_only=True))
    shelf.add("f", schema, signature=signature)
    assert "def f(a: Any, c: Any = ..., *, b: Any) -> Any: ..." in shelf.export("pyi")


def test_names_that_are_anothers_too_are_called_by_text(shelf: Any) -> None:
    shelf.add("a-b").add("a_b").add("c-d").add("c d")
    text = shelf.export("pyi")
    assert "def a_b()" in text
    assert "c_d" not in text
    for name in ("a-b", "c-d", "c d"):
        assert f"# call_tool({name!r}, ...)" in text


def test_alternatives_within_alternatives_end() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(30):
        schema = {"type": "object", "properties": {"x": {}}, "anyOf": [schema, schema, schema]}
    reader = TypeReader(schema, TypeNames(), "t")
    reader.read(schema, "x")
    assert reader.parts < 3 * BUDGET
    deep: dict[str, Any] = {}
    for _ in range(3000):
        deep = {"type": "array", "items": deep}
    TypeReader(deep, TypeNames(), "t").read(deep, "x")


# A failure is told as it was found: making it small takes longer than a test may.
SOME = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
)


@SOME
@given(st.dictionaries(names(), st.tuples(schemas(), schemas(), st.text(max_size=30)), min_size=1, max_size=4))
def test_any_schema_makes_a_stub_that_parses(tools: dict[str, Any]) -> None:
    shelf = Shelf()
    for name, (parameters, output, description) in tools.items():
        shelf.add(name, parameters, signature=(), output=output, description=description)
    text = shelf.export("pyi")
    tree = parsed(text.encode("utf-8"))
    assert "call_tool" in text
    declared = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    assert len(declared) == len(set(declared))


@pytest.mark.slow
def test_random_stubs_pass_the_type_checker(check_python: Any) -> None:
    """A handful together: one run of the checker takes seconds."""
    stubs: dict[str, str] = {}

    @settings(max_examples=30, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(names(), schemas(), schemas())
    def gather(name: str, parameters: Any, output: Any) -> None:
        stubs[f"stub{len(stubs)}"] = Shelf().add(name, parameters, signature=(), output=output).export("pyi")

    gather()
    assert len(stubs) > 20
    assert check_python(**stubs) == []
