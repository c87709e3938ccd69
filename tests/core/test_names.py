"""Names that mean something else in a script already, and names where dots are not taken."""

from typing import Any

import pytest
from ptc_kit import tools as kit_tools

from ptc_studio.core.names import clash, exported_names, free_name
from ptc_studio.core.session import Session
from tests.support import Engine


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("print", "print_"),
        ("import.class", "import_.class_"),
        ("time.now", "time_.now"),
        ("git.import", "git.import_"),
        ("call_tool", "call_tool_"),
        ("shop.list", "shop.list"),
        ("add", "add"),
    ],
)
def test_a_name_that_means_something_of_pythons_has_a_free_one_beside_it(name: str, free: str):
    assert free_name(name) == free
    assert bool(clash(name)) == (name != free)


@pytest.mark.parametrize("name", ["sum", "time.now", "get-sum.all", "import"])
def test_a_tool_is_found_by_its_free_name(engine: Engine, name: str):
    tool = engine.add(lambda: 7, name=name)
    free = free_name(name.replace("-", "_"))
    assert engine.executor.registry.resolve(free).spec.name == tool.spec.name
    assert engine.call(free) == 7


def test_what_python_has_keeps_its_name_in_a_script():
    asked: list[Any] = []

    class Caller:
        def call(self, name: str, args: Any, *_: Any) -> Any:
            asked.append((name, args))

        call_async = call

    tools = [
        {"names": ["sum", "sum_"], "doc": "", "params": []},
        {"names": ["time.now", "time_.now"], "doc": "", "params": []},
    ]
    found = kit_tools.tool_namespace(tools, Caller(), "script.py")
    assert "sum" not in found
    found["sum_"]([1])
    found["time"].now()
    found["time_"].now()
    assert asked == [("sum", ([1],)), ("time.now", ()), ("time.now", ())]


def test_every_exported_name_is_an_identifier_that_leads_to_its_tool(engine: Engine):
    names = ["calc.mul", "calc_mul", "get-sum", "9lives", "import", "print", "time.now", f"{'long.' * 20}end", "ü.b"]
    for name in names:
        engine.add(lambda name=name: name, name=name)
    exported = exported_names(names)
    assert len(set(exported.values())) == len(names)
    for name, flat in exported.items():
        assert flat.isidentifier()
        assert flat.isascii()
        assert len(flat) <= 64
        assert engine.executor.registry.resolve(flat).spec.name == name
    visible = Session(engine.executor).visible_tools(" ".join(exported.values()))
    assert {name for each in visible for name in each.names} >= {*exported.values()}
