"""What a run cost a model's context is told, as an estimate, and honestly where nothing was saved."""

import json
from typing import Any

import pytest

from ptc_studio.core.cost import (
    TOKENIZER,
    cost_of,
    cost_text,
    parallel_turns,
    tokens_of,
    tokens_of_text,
    tokens_saved,
    waiting_saved_ms,
    why_nothing_saved,
)


def call(number: int, result: Any = None, start: float = 0.0, took: float = 10.0, parent: str | None = None) -> Any:
    return {
        "id": f"c{number}", "parent_id": parent, "result": result, "error": None, "started_ms": start, "duration_ms": took
    }  # fmt: skip


def record(*calls: Any, stdout: str = "", value: Any = None) -> Any:
    return {"calls": list(calls), "stdout": stdout, "stderr": "", "value": value, "error": None}


ORDERS = [{"id": n, "total": n * 1.5, "customer": "Ada Lovelace"} for n in range(40)]


def test_results_that_the_script_kept_to_itself_are_kept_out():
    cost = cost_of(
        record(call(1, ORDERS), call(2, ORDERS), call(3, {"x": 1}, parent="c2"), stdout="total 9"), "sum(...)"
    )
    assert cost["turns_saved"] == 1
    assert cost["tokens_kept_out"] == 2 * tokens_of(ORDERS) - tokens_of_text("total 9")
    assert cost["tokens_in_context"] == tokens_of_text("sum(...)") + tokens_of_text("total 9")
    assert (cost["estimated"], cost["tokenizer"]) == (True, TOKENIZER)


def test_a_script_that_prints_every_result_saved_nothing():
    cost = cost_of(record(call(1, "a long text " * 50), stdout="a long text " * 50), "print(x())")
    assert (cost["turns_saved"], cost["tokens_kept_out"]) == (0, 0)
    assert cost_text(cost).startswith("no turn saved · ≈ ")
    assert cost_text(cost).endswith("nothing kept out")
    assert cost_of(record(), "")["turns_saved"] == 0


def test_it_is_told_that_nothing_was_saved_where_nothing_was_and_only_there():
    half = record(call(1, "a long text " * 60), stdout="a long text " * 40)
    # More came back than was kept out; the results alone would still have been longer than script and output.
    cost = cost_of(half, "print(x()[:480])")
    assert 0 < cost["tokens_kept_out"] < cost["tokens_in_context"]
    assert (tokens_saved(cost, half) > 0, why_nothing_saved(cost, half)) == (True, "")
    all_of_it = record(call(1, "a long text"), stdout="a long text")
    assert "as long as the results" in why_nothing_saved(cost_of(all_of_it, "print(x())"), all_of_it)
    assert "called no tool" in why_nothing_saved(cost_of(record(), "print(1)"), record())


def test_an_error_is_what_the_model_gets_of_a_failed_call():
    failed = {**call(1), "error": {"type": "KeyError", "message": "'nobody'"}}
    assert cost_of(record(failed), "")["tokens_kept_out"] == tokens_of_text("KeyError: 'nobody'")


COUNTED: dict[str, tuple[str, int]] = {
    "prose": (
        "Every run is kept with its script, its calls and what came of them. A search finds it again by a word, a tool or a time, and a stranger can open what you send without having any of the tools.",
        46,
    ),
    "code": (
        'for person in team_members("engineering"):\n    spent = sum(item["amount"] for item in get_expenses(person["id"], quarter="Q3"))\n    if spent > get_budget(person["level"])["travel_limit"]:\n        print(f"{person[\'name\']} is over by {spent:,.2f}")\n',
        63,
    ),
    "objects": (
        json.dumps(
            [{"id": 1000 + n, "customer": "Ada Lovelace", "total": n * 1.25, "status": "shipped"} for n in range(30)],
            separators=(",", ":"),
        ),
        693,
    ),
    "integers": (str(list(range(300))), 900),
    "integers as JSON": (json.dumps(list(range(0, 30_000, 97)), separators=(",", ":")), 920),
    "floats": (str([n * 1.37 for n in range(200)]), 1385),
    "table": ("\n".join(f"| order {n} | {n * 3} | {n * 1.5:.2f} | open |" for n in range(60)), 900),
    "rows": ("\n".join(" ".join(str(n * m % 97) for m in range(12)) for n in range(30)), 719),
    "dates": (json.dumps([f"2026-11-{n:02d}T08:{n:02d}:00Z" for n in range(1, 29)]), 420),
    "identifiers": (json.dumps([f"LMP-{n:02d}" for n in range(60)]), 360),
    "German": ("Die Läufe werden in einer Datenbank aufbewahrt; Änderungen können rückgängig gemacht werden.", 20),
    "Russian": ("История запусков хранится в базе данных, и её можно искать по тексту и времени.", 20),
    "Chinese": ("快速的棕色狐狸跳过懒狗。今天的天气很好,我们去公园散步吧。", 25),
    "traceback": (
        'Traceback (most recent call last):\n  File "script.py", line 12, in <module>\n    total = get_order("nobody")["total"]\nKeyError: \'nobody\'\n',
        41,
    ),
    "addresses": (
        "\n".join(f"https://api.example.com/v2/customers/{n * 371}/orders?status=open&page={n}" for n in range(20)),
        396,
    ),
}
"""Texts, and how many tokens o200k_base makes of each: counted once with a real tokenizer."""


@pytest.mark.parametrize("name", COUNTED)
def test_tokens_are_about_what_a_tokenizer_makes(name: str):
    text, counted = COUNTED[name]
    near = 0.2 if name in ("identifiers", "Chinese") else 0.11
    assert tokens_of_text(text) == pytest.approx(counted, rel=near)


def test_nothing_costs_nothing():
    assert (tokens_of(None), tokens_of_text("")) == (0, 0)


def test_a_long_text_is_judged_by_parts_of_it():
    text = "\n".join(f"{n},Ada Lovelace,{n * 7 % 13}.50,shipped" for n in range(5_000))
    exact = sum(tokens_of_text(line + "\n") for line in text.splitlines())
    assert tokens_of_text(text) == pytest.approx(exact, rel=0.05)


def test_calls_that_overlapped_would_have_been_one_turn_of_parallel_calls():
    calls = [
        call(1, start=0, took=10),
        call(2, start=5, took=10),
        call(3, start=20, took=5),
        call(4, start=21, took=1, parent="c3"),
    ]
    assert parallel_turns(calls) == 2
    assert waiting_saved_ms(calls) == pytest.approx(5)
