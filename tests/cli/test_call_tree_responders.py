"""Who answered a call, if not its tool: told in the tree, and by the command itself."""

from typing import Any

import pytest

from tests.cli.conftest import only_document
from tests.cli.test_call_tree import call, draw


@pytest.mark.parametrize("who", ["mock", "cassette", "person"])
def test_a_call_that_its_tool_did_not_answer_says_who_did(who: str):
    (line,) = draw(call(1, arguments={"a": 1}, result=3, answered_by=who), width=60)
    assert line == f"✓ t1(a=1) → 3 · {who}".ljust(48) + "      1.0 ms"


@pytest.mark.parametrize("who", ["tool", None])
def test_of_a_call_that_its_tool_answered_nothing_is_said(who: str | None):
    (line,) = draw(call(1, result=3, answered_by=who), width=60)
    assert line == "✓ t1() → 3".ljust(48) + "      1.0 ms"


def test_who_answered_is_told_even_where_the_line_is_cut():
    arguments = {f"argument_{n}": n for n in range(20)}
    error = {"type": "ValueError", "message": "m"}
    (line,) = draw(call(1, status="error", arguments=arguments, error=error, answered_by="mock"), width=70)
    assert len(line) == 70
    assert line.endswith("… · mock       1.0 ms")


def test_calls_that_were_answered_by_different_ones_are_not_folded_together():
    calls = [call(n, tool="t", line=1, answered_by="mock" if n <= 8 else "tool") for n in range(1, 17)]
    lines = draw(*calls)
    assert [line.split("  ")[0] for line in lines if line.startswith("…")] == ["… 5 more of t · mock", "… 5 more of t"]
    assert sum("· mock" in line for line in lines) == 4


def test_the_tree_of_a_run_says_it_and_the_record_stays_as_it_is(project: Any):
    shown = project.run("print(add(1, 2), fail.__name__)\nadd(2, 2)", "--mock", "add=7").stdout
    assert [line.split("  ")[0] for line in shown.splitlines() if "add(" in line] == [
        "✓ add(a=1, b=2) → 7 · mock",
        "✓ add(a=2, b=2) → 7 · mock",
    ]
    document = project.run("add(1, 2)", "--mock", "add=7", "--json").stdout
    assert "·" not in document
    assert only_document(document)["calls"][0]["answered_by"] == "mock"


def test_a_replayed_run_says_that_the_cassette_answered(project: Any):
    script = "add(1, 2)"
    first = project.run(script, "--record", "kept.json").stdout
    again = project.run(script, "--replay", "kept.json").stdout
    assert "→ 3 · cassette" in again
    assert "·" not in next(line for line in first.splitlines() if "add(" in line)
