"""What a script sees of its tools."""

import asyncio
import copy
import inspect
import pydoc
from typing import Any

import pytest
from ptc_kit import tools


class FakeCaller:
    """Gives back what it was asked."""

    def call(self, *request: Any) -> Any:
        return request

    async def call_async(self, *request: Any) -> Any:
        return request


def described(*names: str, doc: str = "", params: Any = ()) -> dict[str, Any]:
    return {"names": list(names), "doc": doc, "params": [list(param) for param in params]}


def namespace(*described_tools: dict[str, Any], filename: str = "script.py") -> dict[str, Any]:
    return tools.tool_namespace(list(described_tools), FakeCaller(), filename)


def test_a_tool_is_a_function_of_each_of_its_names_and_is_called_by_its_own():
    found = namespace(described("calc.mul", "mul", "deep.calc.mul"))
    assert found["calc"].mul(1, b=2)[:3] == ("calc.mul", (1,), {"b": 2})
    assert found["mul"](3)[:2] == ("calc.mul", (3,))
    assert found["deep"].calc.mul()[0] == "calc.mul"
    assert found["mul"].__name__ == "mul"


async def test_each_has_an_async_twin():
    found = namespace(described("calc.mul", "mul"))
    assert (await found["aio"].mul(1))[0] == "calc.mul"
    assert (await found["aio"].calc.mul(a=1))[2] == {"a": 1}


@pytest.mark.parametrize("order", [("price", "price.history"), ("price.history", "price")])
async def test_a_tool_stands_beside_a_namespace_of_its_name(order: tuple[str, str]):
    found = namespace(*(described(name, doc=f"About {name}.") for name in order))
    assert found["price"]("A")[:2] == ("price", ("A",))
    assert found["price"].history("B")[:2] == ("price.history", ("B",))
    assert (await found["aio"].price("A"))[0] == "price"
    assert found["price"].__doc__ == "About price."


def test_a_name_with_an_underscore_in_front_survives_a_tool_of_the_namespaces_name():
    found = namespace(described("plot.3d", "plot._3d"), described("z.plot", "plot"))
    assert eval("plot._3d()", found)[0] == "plot.3d"
    assert found["plot"]()[0] == "z.plot"


def test_a_tool_that_is_not_there_is_told_with_those_that_are():
    found = namespace(described("calc.mul"), described("calc.add"))
    with pytest.raises(AttributeError, match=r"there is no tool calc.sub; try <tools calc: mul, add>"):
        _ = found["calc"].sub


def test_a_namespace_can_be_copied():
    found = namespace(described("calc.mul"))
    assert copy.copy(found["calc"]).mul()[0] == "calc.mul"
    assert copy.deepcopy(found["calc"]).mul()[0] == "calc.mul"


def test_odd_names_are_there_under_their_twins_and_by_call_tool():
    found = namespace(described("server.get-sum", "server.get_sum"))
    assert found["server"].get_sum()[0] == "server.get-sum"
    assert getattr(found["server"], "get-sum")()[0] == "server.get-sum"
    assert found["call_tool"]("server.get-sum")[0] == "server.get-sum"


def test_call_tool_passes_on_name_arguments_and_timeout():
    found = namespace()
    assert found["call_tool"]("add", {"a": 1}, timeout=2.5) == ("add", (), {"a": 1}, None, 2.5)
    assert found["call_tool"]("add")[1:3] == ((), {})
    assert asyncio.run(found["call_tool_async"]("add", {"a": 1}))[0] == "add"


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        ((5,), TypeError, "name must be a text, not int"),
        (("add", [1, 2]), TypeError, "Invalid parameters for tool 'add': they must be a dict, not list"),
        (("add", '{"a": 1}'), TypeError, "must be a dict, not str"),
        (("add", {1: 2}), TypeError, "keys of the dict must be texts"),
        (("add", {}, "soon"), TypeError, "must be a number, not str"),
        (("add", {}, True), TypeError, "must be a number, not bool"),
        (("add", {}, 0), ValueError, "above 0"),
        (("add", {}, -1.5), ValueError, "above 0"),
        (("add", {}, float("nan")), ValueError, "above 0"),
    ],
)
@pytest.mark.parametrize("name", ["call_tool", "call_tool_async"])
def test_a_request_that_makes_no_sense_is_an_error_at_once(
    name: str, request_: tuple[Any, ...], error: type[Exception], message: str
):
    with pytest.raises(error, match=message):
        namespace()[name](*request_)


PARAMS = (
    ("sku", True, None, "str", False),
    ("qty", False, 1, "int", False),
    ("currency", False, "EUR", "Literal['EUR', 'USD'] | None", True),
    ("plain", False, None, "", True),
)


def test_help_shows_the_signature_as_its_author_wrote_it_and_the_docstring():
    found = namespace(described("price", doc="Price of an article.\n\nIn full.", params=PARAMS))
    # From 3.13 on it may stand in several lines.
    shown = " ".join(pydoc.plain(pydoc.render_doc(found["price"])).split()).replace("( ", "(").replace(" )", ")")
    assert "price(sku: str, qty: int = 1, *, currency: Literal['EUR', 'USD'] | None = 'EUR', plain=None)" in shown
    assert "Price of an article." in shown
    assert "In full." in shown


@pytest.mark.parametrize(
    "params",
    [
        [("odd-name", True, None, "", False)],
        [("class", True, None, "", False)],
        [("a", False, 1, "", False), ("b", True, None, "", False)],
        [("a", True, None, "", False), ("a", True, None, "", False)],
    ],
    ids=["no identifier", "a keyword", "required after optional", "twice"],
)
def test_parameters_that_python_cannot_write_are_any_arguments(params: Any):
    found = namespace(described("odd", params=params))
    assert str(inspect.signature(found["odd"])) == "(**arguments)"
    assert found["odd"](**{"odd-name": 1})[2] == {"odd-name": 1}


SCRIPT = """
def inner():
    return [
        tool(
            1),
        ns.tool(),
        call_tool('tool'),
    ]

lines = [request[3] for request in inner()]
sorted_lines = sorted([1], key=lambda _: lines.append(tool()[3]) or 0)
"""


def test_a_call_knows_the_line_of_the_script_that_it_comes_from():
    found = namespace(described("tool", "ns.tool"))
    exec(compile(SCRIPT, "script.py", "exec"), found)
    assert found["lines"] == [4, 6, 7, 11]


def test_a_call_through_another_file_has_the_line_of_the_script_and_one_from_nowhere_has_none():
    found = namespace(described("tool"))
    exec(compile("def through(f):\n    return f()\n", "helper.py", "exec"), found)
    exec(compile("\n\nline = through(tool)[3]", "script.py", "exec"), found)
    assert found["line"] == 3
    assert found["tool"]()[3] is None
