"""Modules as tools: what they may do, what ends them, and what stands in the tree."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from wasmtime import wat2wasm

from ptc_studio.core.calls import CallRequest, Outcome
from ptc_studio.core.redaction import Redactor
from ptc_studio.wasm.source import ModuleFailed
from tests.runtimes.stopping import end_time
from tests.support import Engine, wait_until
from tests.wasm import modules
from tests.wasm.conftest import Bench


@pytest.mark.parametrize("module", [modules.ECHO, bytes(wat2wasm(modules.ECHO))], ids=["text", "compiled"])
def test_it_is_given_the_parameters_and_returns_json(bench: Bench, module: str | bytes):
    bench.add("echo", module, parameters={"a": {}, "b": {"default": [None]}})
    assert bench.engine.call("echo", a="ü") == {"a": "ü", "b": [None]}


def test_an_empty_answer_is_nothing(bench: Bench):
    bench.add("nothing", modules.NOTHING)
    assert bench.engine.call("nothing") is None


def test_it_calls_another_tool_by_alias_which_stands_below_it_in_the_tree(bench: Bench):
    bench.engine.add(lambda a: time.sleep(0.02) or [a, a], name="twice")
    bench.engine.alias("double", "twice")
    bench.add("outer", modules.calling("double"), aliases=["double"])
    assert bench.engine.call("outer", a=7) == [7, 7]
    outer, inner = bench.engine.records()
    assert (inner["tool"], inner["alias"], inner["depth"]) == ("twice", "double", 2)
    assert (inner["parent_id"], outer["parent_id"], outer["depth"]) == (outer["id"], None, 1)
    assert outer["started_ms"] <= inner["started_ms"]
    assert inner["duration_ms"] <= outer["duration_ms"]


def test_an_alias_that_was_not_granted_is_unknown(bench: Bench):
    bench.engine.add(lambda a: a, name="other")
    bench.add("outer", modules.calling("other"), aliases=["double"])
    with pytest.raises(LookupError) as caught:
        bench.engine.call("outer")
    assert str(caught.value) == "Unknown tool alias: other"


@pytest.mark.parametrize(
    ("aliases", "told"),
    [
        (None, {"type": "PermissionError", "message": "Tool invocation capability not granted"}),
        ([], {"type": "LookupError", "message": "Unknown tool alias: other"}),
    ],
)
def test_the_module_is_told_of_a_refusal(bench: Bench, aliases: Any, told: Any):
    bench.engine.add(lambda a: a, name="other")
    bench.add("outer", modules.calling("other", raises=False), aliases=aliases)
    assert bench.engine.call("outer") == told
    assert [record["tool"] for record in bench.engine.records()] == ["outer"]


def test_without_the_capability_nothing_can_be_called(bench: Bench):
    bench.engine.add(lambda a: a, name="other")
    bench.add("outer", modules.calling("other"))
    with pytest.raises(PermissionError) as caught:
        bench.engine.call("outer")
    assert str(caught.value) == "Tool invocation capability not granted"


@pytest.mark.parametrize(("options", "most"), [({}, 20), ({"max_invocations": 3}, 3)])
def test_it_may_call_so_often_in_one_execution(bench: Bench, options: Any, most: int):
    bench.engine.add(lambda a: a, name="same")
    bench.add("enough", modules.calling("same", most), aliases=["same"], **options)
    bench.add("more", modules.calling("same", most + 1), aliases=["same"], **options)
    # Every execution has its own count.
    assert [bench.engine.call("enough") for _ in range(2)] == [1, 1]
    with pytest.raises(RecursionError) as caught:
        bench.engine.call("more")
    assert str(caught.value) == f"Too many tool invocations (max {most})"
    assert [record["tool"] for record in bench.engine.records()].count("same") == 3 * most


def test_a_failure_of_a_tool_is_passed_on_as_it_is(bench: Bench):
    def fail(a: int) -> None:
        raise KeyError(a)

    bench.engine.add(fail)
    bench.add("outer", modules.calling("fail"), aliases=["fail"])
    with pytest.raises(KeyError) as caught:
        bench.engine.call("outer")
    assert caught.value.args == (1,)


def test_one_that_calls_itself_ends_at_the_depth_limit(bench: Bench):
    bench.add("again", modules.calling("again"), aliases=["again"])
    with pytest.raises(RecursionError, match=r"Nesting depth exceeded \(max 5\)"):
        bench.engine.call("again")
    assert [record["depth"] for record in bench.engine.records()] == [1, 2, 3, 4, 5, 6]


def test_every_call_has_a_fresh_instance(bench: Bench):
    bench.add("count", modules.COUNT)
    assert [bench.engine.call("count") for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (modules.TRAP, r"The module 'bad\.wat' trapped in run: wasm `unreachable` instruction executed\."),
        (modules.DIVIDE, r"trapped in run: integer divide by zero\."),
        (modules.GROW, r"unreachable.*, with its memory grown to the limit of 64 MB\."),
        (modules.OUTSIDE, r"The module 'bad\.wat' failed: The module gave a place outside of its memory"),
        (modules.NOT_JSON, r"The module 'bad\.wat' returned what is no JSON: "),
        (modules.NOT_TEXT, r"failed: The module gave a text that is not UTF-8"),
    ],
)
def test_what_goes_wrong_in_a_module_is_told(bench: Bench, module: str, message: str):
    bench.add("bad", module)
    with pytest.raises(ModuleFailed, match=message):
        bench.engine.call("bad")
    [record] = bench.engine.records()
    assert record["status"] == "error"


def test_fuel_ends_what_has_no_end(bench: Bench):
    bench.add("endless", modules.ENDLESS, fuel=1_000_000)
    with pytest.raises(ModuleFailed, match="it used up its fuel of 1000000 instructions"):
        bench.engine.call("endless")


def test_time_ends_what_has_no_end(bench: Bench):
    bench.add("endless", modules.ENDLESS)
    with pytest.raises(TimeoutError, match="Tool execution timed out: endless"):
        bench.engine.call("endless", timeout=0.2)
    run = bench.engine.own_run
    wait_until(lambda: not run.busy)


def test_a_run_that_is_stopped_ends_the_module_and_what_it_called(bench: Bench):
    release, entered = threading.Event(), threading.Event()
    bench.engine.add(lambda a: entered.set() or release.wait(20), name="hold")
    bench.add("outer", modules.calling("hold"), aliases=["hold"])
    run = bench.engine.run()
    caught: list[BaseException] = []

    def call() -> None:
        try:
            bench.engine.call("outer", run=run)
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    assert entered.wait(10)
    run.stop("cancelled")
    thread.join(10)
    wait_until(lambda: not run.busy)
    release.set()
    assert str(caught[0]) == "Tool call cancelled: outer"
    assert [record["status"] for record in bench.engine.records()] == ["cancelled", "cancelled"]


def test_a_call_that_times_out_gives_up_what_the_module_called(bench: Bench):
    release, entered = threading.Event(), threading.Event()
    bench.engine.add(lambda a: entered.set() or release.wait(20), name="hold")
    bench.add("outer", modules.calling("hold"), aliases=["hold"])
    outcomes: list[Outcome] = []
    call = bench.engine.executor.submit(CallRequest(bench.engine.run(), "outer", kwargs={"a": 1}), outcomes.append)
    assert entered.wait(10)
    end_time(call, bench.engine)
    wait_until(lambda: outcomes)
    outer, inner = bench.engine.records()
    release.set()
    assert (outer["status"], inner["status"]) == ("timeout", "cancelled")


def test_fifty_at_once_all_answer(bench: Bench):
    bench.engine.add(lambda a: a * 2, name="double")
    bench.add("outer", modules.calling("double", 5), aliases=["double"])
    results: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda n=n: results.update({n: bench.engine.call("outer", a=n)})) for n in range(50)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert results == {n: n * 2 for n in range(50)}
    calls = {record["id"]: record for record in bench.engine.records()}
    inner = [record for record in calls.values() if record["depth"] == 2]
    assert len(inner) == 250
    assert all(call["arguments"] == calls[call["parent_id"]]["arguments"] for call in inner)


def test_what_it_prints_goes_to_the_runs_stderr(bench: Bench):
    said: list[tuple[str, str]] = []
    bench.add("speak", modules.SPEAK)
    run = bench.engine.run()
    with bench.stdio.listening(run.run_id, lambda stream, text: said.append((stream, text))):
        bench.engine.call("speak", a="ü", run=run)
    assert said == [("stderr", '{"a":"ü"}')]


def test_arguments_and_results_are_redacted_like_all_others(tmp_path: Path):
    bench = Bench(Engine(redactor=Redactor(keys=["iban"])), tmp_path)
    bench.engine.add(lambda iban: {"iban": iban}, name="same")
    bench.add("pay", modules.calling("same"), aliases=["same"], parameters={"iban": {}})
    assert bench.engine.call("pay", iban="DE02120300000000202051") == {"iban": "DE02120300000000202051"}
    records = bench.engine.records()
    assert len(records) == 2
    assert "DE0212" not in str(records)
