"""The tools of a registry, called."""

import asyncio
import threading
from typing import Any

import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues

MODULE = '''
    import asyncio, sys
    from typing import Literal, TypedDict
    from toolregistry import ToolRegistry, Tool, ToolMetadata

    class Point(TypedDict):
        x: int
        y: int

    class OddError(Exception):
        pass

    registry = ToolRegistry()
    ended = []

    @registry.register
    def add(a: int, b: int = 2, *, mode: Literal["x", "y"] = "x") -> int:
        """Adds.

        At length.
        """
        print("adding")
        return a + b

    @registry.register
    async def later(n: float) -> dict[str, float]:
        await asyncio.sleep(0)
        return {"n": n}

    @registry.register
    async def never() -> None:
        try:
            await asyncio.sleep(600)
        finally:
            ended.append(True)

    @registry.register
    def fails(kind: str) -> None:
        raise {"key": KeyError, "odd": OddError}[kind]("why")

    @registry.register
    def place(point: Point, tags: list[str] | None = None) -> list:
        return [point, tags]

    class Calc:
        def __init__(self, factor: int) -> None:
            self.factor = factor

        def mul(self, a: float) -> float:
            """Multiplies."""
            return a * self.factor

    registry.register(Calc(3), namespace="calc")
    registry.register(Tool.from_function(lambda: 1, name="quick", metadata=ToolMetadata(timeout=7.5)))
'''


@pytest.fixture
def opened(workspace: Any) -> Any:
    workspace.write("tools.py", MODULE)
    return workspace.open()


def test_the_registry_is_found_and_its_tools_are_named(opened: Any) -> None:
    assert opened.errors == []
    assert sorted(opened.tools) == [
        "reg.add", "reg.calc.mul", "reg.fails", "reg.later", "reg.never", "reg.place", "reg.quick",
    ]  # fmt: skip
    assert opened.source.status.state == "ready"


def test_a_namespaced_tool_has_its_old_name_too(opened: Any) -> None:
    spec = opened.tools["reg.calc.mul"].spec
    assert spec.also == ("reg.calc-mul",)
    assert spec.description == "Multiplies."
    assert opened.call("reg.calc.mul", a=1.5) == 4.5


def test_the_spec_tells_all(opened: Any) -> None:
    spec = opened.tools["reg.add"].spec
    assert (spec.description, spec.doc) == ("Adds.", "Adds.\n\nAt length.")
    assert spec.parameters["properties"]["mode"]["enum"] == ["x", "y"]
    assert spec.parameters["required"] == ["a"]
    assert spec.parameters["additionalProperties"] is False
    assert [parameter.name for parameter in spec.signature] == ["a", "b", "mode"]
    assert spec.output == {"type": "integer"}
    assert spec.origin.endswith("tools.py:15") or spec.origin.endswith("tools.py:16")
    assert opened.tools["reg.quick"].spec.timeout == 7.5


def test_values_are_converted_as_the_library_does(opened: Any) -> None:
    assert opened.call("reg.add", a="3") == 5
    assert opened.spoken == ["r1"]
    assert opened.call("reg.place", point={"x": 1, "y": 2}) == [{"x": 1, "y": 2}, None]


def test_wrong_arguments_are_refused_by_name(opened: Any) -> None:
    with pytest.raises(UnfitArguments, match=r"'reg.add': missing 'a'; unexpected 'z' \(takes a, b, mode\)"):
        opened.call("reg.add", z=1)
    with pytest.raises(UnfitValues, match="Expected int at 'point.x', got str"):
        opened.call("reg.place", point={"x": "one", "y": 2})


def test_original_exceptions_come_through(opened: Any) -> None:
    with pytest.raises(KeyError, match="why"):
        opened.call("reg.fails", kind="key")
    with pytest.raises(Exception, match="why") as caught:
        opened.call("reg.fails", kind="odd")
    assert type(caught.value).__name__ == "OddError"


def test_async_tools_are_awaited(opened: Any) -> None:
    assert opened.call("reg.later", n=1) == {"n": 1.0}


def test_a_call_that_is_given_up_is_cancelled(opened: Any, ticket: Any) -> None:
    threading.Timer(0.1, ticket.abandon).start()
    with pytest.raises(asyncio.CancelledError):
        opened.call("reg.never", ticket)


def test_what_the_registry_forbids_stays_forbidden(workspace: Any) -> None:
    workspace.write(
        "tools.py",
        """
        from toolregistry import ToolRegistry
        from toolregistry.permissions import PermissionPolicy, PermissionResult, PermissionRule

        registry = ToolRegistry()

        @registry.register
        def drop(table: str) -> str:
            return table

        @registry.register
        def look() -> int:
            return 1

        @registry.register
        def risky() -> int:
            return 2

        @registry.register
        def close_down() -> None:
            registry.disable("look", reason="not now")

        registry.set_permission_policy(PermissionPolicy(rules=[
            PermissionRule(name="no", match=lambda t, p: p.get("table") == "users", result=PermissionResult.DENY, reason="users stay"),
            PermissionRule(name="ask", match=lambda t, p: t.name == "risky", result=PermissionResult.ASK),
        ], fallback=PermissionResult.ALLOW))
        """,
    )
    workspace.open()
    assert workspace.tools["reg.risky"].spec.permission == "ask"
    assert workspace.call("reg.risky") == 2
    assert workspace.call("reg.drop", table="tmp") == "tmp"
    with pytest.raises(PermissionError, match="'reg.drop' is denied by its registry's policy: users stay"):
        workspace.call("reg.drop", table="users")
    tool = workspace.tools["reg.look"]
    workspace.call("reg.close_down")
    with pytest.raises(PermissionError, match="'reg.look' is disabled: not now"):
        tool.invoke({}, None)
    assert "reg.look" not in workspace.tools


def test_tools_that_come_and_go_at_run_time_are_seen(workspace: Any) -> None:
    grow = """
    @registry.register
    def grow() -> None:
        registry.register(lambda a: a, name="new")
    """
    workspace.write("tools.py", MODULE + grow)
    before = workspace.open().tools
    workspace.call("reg.grow")
    after = workspace.tools
    assert set(after) - set(before) == {"reg.new"}
    assert after["reg.add"] is before["reg.add"]
