"""Two runs are compared call by call: by place and arguments, whatever their order."""

from typing import Any

import pytest

from ptc_studio.core.compare_runs import aligned, compare


def call(number: str, tool: str = "add", line: int | None = 1, parent: str | None = None, **more: Any) -> Any:
    return {
        "id": number, "parent_id": parent, "depth": 1 if parent is None else 2, "tool": tool, "alias": None,
        "source": "s", "arguments": {}, "status": "ok", "result": 1, "error": None, "started_ms": 0.0,
        "duration_ms": 1.0, "line": line, "redactions": [], "truncated": False, "answered_by": "tool", **more,
    }  # fmt: skip


def run(*calls: Any, **more: Any) -> Any:
    return {
        "run_id": "r", "status": "ok", "return_code": 0, "value": None, "stdout": "", "stderr": "", "error": None,
        "calls": list(calls), **more,
    }  # fmt: skip


def told(a: Any, b: Any) -> list[tuple[Any, ...]]:
    return [
        (each["change"], each["a"] and each["a"]["id"], each["b"] and each["b"]["id"], each["fields"])
        for each in compare(a, b)["calls"]
    ]


def args(number: int) -> dict[str, Any]:
    return {"arguments": {"n": number}}


def test_runs_that_differ_in_times_ids_order_and_line_alone_are_equal():
    a = run(call("c1", **args(1)), call("c2", **args(2), duration_ms=5.0), call("c3", tool="mul", line=4))
    b = run(call("x2", **args(2)), call("x1", **args(1.0)), call("x3", tool="mul", line=9), duration_ms=7.0)
    assert compare(a, b) == {"same": True, "calls": [], "stdout": "", "fields": []}


CASES = {
    "one more in the middle": (
        [call("c1", **args(1)), call("c2", **args(3))],
        [call("x1", **args(1)), call("x2", **args(2)), call("x3", **args(3))],
        [("added", None, "x2", [])],
    ),
    "one less at the head": (
        [call("c1", **args(1)), call("c2", **args(2))],
        [call("x1", **args(2))],
        [("gone", "c1", None, [])],
    ),
    "another result": ([call("c1", result=1)], [call("x1", result=2)], [("changed", "c1", "x1", ["result"])]),
    "other arguments on the same line": (
        [call("c1", **args(1)), call("c2", line=2, **args(1))],
        [call("x1", **args(7)), call("x2", line=2, **args(1))],
        [("changed", "c1", "x1", ["arguments"])],
    ),
    "an error instead of a value": (
        [call("c1")],
        [call("x1", status="error", result=None, error={"type": "KeyError", "message": "x"})],
        [("changed", "c1", "x1", ["status", "result", "error"])],
    ),
    "another tool": ([call("c1")], [call("x1", tool="mul")], [("gone", "c1", None, []), ("added", None, "x1", [])]),
    "the same tool by another name": (
        [call("c1")],
        [call("x1", alias="sum_of_two")],
        [("changed", "c1", "x1", ["alias"])],
    ),
    "below a call that has no counterpart": (
        [],
        [call("x1"), call("x2", parent="x1")],
        [("added", None, "x1", []), ("added", None, "x2", [])],
    ),
    "below calls that belong together": (
        [call("c1"), call("c2", parent="c1", **args(1))],
        [call("x1"), call("x2", parent="x1", **args(2))],
        [("changed", "c2", "x2", ["arguments"])],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_calls_that_came_went_or_changed_are_told(name: str):
    a, b, expected = CASES[name]
    assert told(run(*a), run(*b)) == expected
    assert not compare(run(*a), run(*b))["same"]


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"status": "timeout"}, ["status"]),
        ({"value": 3}, ["value"]),
        ({"stderr": "careful"}, ["stderr"]),
        ({"error": {"type": "E", "message": "m", "traceback": "", "line": 1}}, ["error"]),
        ({"stdout": "a\nc\n"}, []),
    ],
)
def test_what_else_differs_of_two_runs_is_told(change: dict[str, Any], fields: list[str]):
    found = compare(run(stdout="a\nb\n"), run(**{"stdout": "a\nb\n", **change}))
    assert not found["same"]
    assert found["fields"] == fields
    assert bool(found["stdout"]) == ("stdout" in change)
    if "stdout" in change:
        assert "-b\n+c" in found["stdout"]


def test_many_calls_in_another_order_are_aligned_in_one_go():
    a = [call(f"c{n}", **args(n)) for n in range(20_000)]
    b = [call(f"x{n}", **args(n)) for n in reversed(range(20_000)) if n != 77]
    (gone,) = [pair for pair in aligned(a, b) if pair.change != "same"]
    assert gone.a == a[77]
