"""The examples that the product ships, in both runtimes."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.locations import EXAMPLES, GUIDE, SAMPLE_TOOLS
from ptc_studio.samples import DEMO, DEMO_FIGURES, figures_of

RUN_KEYS = [
    "run_id", "runtime", "status", "stdout", "stderr", "return_code", "error", "value", "duration_ms",
    "prepare_ms", "isolation", "cost", "target", "model_sees", "warnings", "calls",
]  # fmt: skip
CALL_KEYS = [
    "id", "parent_id", "depth", "tool", "alias", "source", "arguments", "status", "result", "error",
    "started_ms", "duration_ms", "line", "redactions", "truncated", "answered_by",
]  # fmt: skip

EXPECTED = {
    "01_one_call.py": (1, 1, 145.6),
    "02_loop.py": (25, 1, {"BLK-01": 5, "LMP-01": 2, "MUG-02": 18, "TWL-01": 24}),
    "03_concurrent.py": (41, 1, {"Edsger": 196.64, "John": 98.23, "Katherine": 92.64, "Ken": 318.37}),
    "04_nested.py": (18, 3, "Ken is over budget"),
    "05_error_handled.py": (
        13,
        2,
        {"reserved": ["LMP-01", "MUG-01"], "refused": ["LMP-02", "TWL-01", "SOFA-9"]},
    ),
}


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_gives_its_record(name: str, runtime: str, run_record: Callable[..., Any]):
    count, depth, value = EXPECTED[name]
    record = run_record(EXAMPLES / name, "--runtime", runtime, "--functions", SAMPLE_TOOLS)
    assert list(record) == RUN_KEYS
    assert (record["status"], record["runtime"], record["error"]) == ("ok", runtime, None)
    assert (len(record["calls"]), record["value"]) == (count, value)
    assert max(call["depth"] for call in record["calls"]) == depth
    _check_tree(record)


def _check_tree(record: dict[str, Any]) -> None:
    by_id = {call["id"]: call for call in record["calls"]}
    assert [call["started_ms"] for call in record["calls"]] == sorted(call["started_ms"] for call in record["calls"])
    for call in record["calls"]:
        assert list(call) == CALL_KEYS
        assert call["answered_by"] == "tool"
        parent = by_id.get(call["parent_id"])
        assert call["depth"] == (parent["depth"] + 1 if parent else 1)
        assert (call["line"] is None) == (parent is not None)
        if parent:
            assert parent["started_ms"] <= call["started_ms"]
            assert call["started_ms"] + call["duration_ms"] <= parent["started_ms"] + parent["duration_ms"] + 1


def test_both_runtimes_see_the_same_calls(run_record: Callable[..., Any]):
    seen = [
        [
            (call["tool"], call["arguments"], call["status"], call["result"], call["line"], call["redactions"])
            for call in run_record(EXAMPLES / "04_nested.py", "--runtime", runtime, "--functions", SAMPLE_TOOLS)[
                "calls"
            ]
        ]
        for runtime in ("python", "python-inprocess")
    ]
    assert seen[0] == seen[1]


def test_concurrent_calls_overlap(run_record: Callable[..., Any]):
    record = run_record(EXAMPLES / "03_concurrent.py", "--functions", SAMPLE_TOOLS)
    starts = [call["started_ms"] for call in record["calls"]]
    ends = [call["started_ms"] + call["duration_ms"] for call in record["calls"]]
    under_way = [sum(start <= now for start in starts) - sum(end <= now for end in ends) for now in starts]
    assert max(under_way) > 3
    hidden = [call for call in record["calls"] if call["redactions"]]
    assert len(hidden) == 20
    assert "sk_live" not in str(record)


def test_the_figures_of_the_welcome_page_are_those_of_the_demo(run_record: Callable[..., Any]):
    record = run_record(DEMO, "--functions", SAMPLE_TOOLS)
    found = figures_of(record, DEMO.read_text(encoding="utf-8"))
    known = DEMO_FIGURES
    assert (found.calls, found.passed, found.read) == (known.calls, known.passed, known.read)
    assert found.waiting_ms > found.elapsed_ms
    # Sleeps of the tools; what comes on top is the machine's.
    assert found.waiting_ms > known.waiting_ms * 0.6


@pytest.mark.parametrize(
    ("sheet", "runtime", "ending"),
    [
        ("python", "python", ".py"),
        ("python", "monty", ".py"),
        ("javascript", "node", ".mjs"),
        ("typescript", "typescript", ".ts"),
        ("bash", "bash", ".sh"),
        ("go", "go", ".go"),
        ("rust", "rust", ".rs"),
        ("csharp", "csharp", ".cs"),
        ("wasm", "wasm", ".wat"),
    ],
)
def test_what_the_guide_says_of_a_language_runs(
    sheet: str, runtime: str, ending: str, tmp_path: Path, run_record: Callable[..., Any]
):
    code = re.search(r"```\w+\n(.*?)```", (GUIDE / f"{sheet}.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    script = tmp_path / f"sheet{ending}"
    script.write_text(code[1], encoding="utf-8")
    record = run_record(script, "--runtime", runtime, "--functions", SAMPLE_TOOLS)
    assert record["status"] == "ok", record["error"]
    assert record["stdout"].startswith("3")
    failed = [call["tool"] for call in record["calls"] if call["status"] != "ok"]
    assert failed == ([] if sheet == "wasm" else ["price"])
