"""What the events tell, as a record."""

from ptc_studio.core.events import (
    CallFailure,
    CallFinished,
    CallStarted,
    OutputWritten,
    RunFinished,
    RunPrepared,
    RunStarted,
    ScriptFailure,
)
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.trace import STRETCH, Trace

redactor = Redactor()


def started(call_id: str, at: float, run_id: str = "r1", **arguments) -> CallStarted:
    shown = redactor.value(arguments, "arguments")
    return CallStarted(run_id, call_id, None, 1, "add", None, "shop", shown, at, 3)


def finished(call_id: str, value: object = 1) -> CallFinished:
    return CallFinished("r1", call_id, "ok", redactor.value(value, "result"), None, 2.5, "tool")


def test_a_run_that_has_not_begun_has_a_record_of_nothing():
    record = Trace("r1").record()
    assert record.pop("run_id") == "r1"
    assert (record.pop("stdout"), record.pop("stderr"), record.pop("calls")) == ("", "", [])
    assert (record.pop("target"), record.pop("warnings")) == ("plain", [])
    assert set(record.values()) == {None}


def test_a_long_record_lets_others_have_their_turn():
    trace, breaths = Trace("r1"), []
    trace.observe([started(f"c{number}", number) for number in range(3 * STRETCH + 1)])
    record = trace.record(lambda: breaths.append(1))
    assert len(breaths) == 3
    assert record == trace.record()
    assert len(record["calls"]) == 3 * STRETCH + 1


def test_a_run_without_end_keeps_its_last_calls_and_those_under_way():
    trace = Trace("r1")
    trace.most_calls = 10
    for number in range(100):
        trace.observe([started(f"c{number}", number), *([finished(f"c{number}")] if number != 95 else [])])
    assert trace.call_count == 100
    assert trace.forgotten + len(trace.started_calls()) == 100
    assert 10 <= len(trace.started_calls()) <= 20
    trace.observe([started(f"c{number}", number) for number in range(100, 150)])
    assert trace.started_calls()[0].call_id == "c95"


def test_a_run_from_its_start_to_its_end_is_the_record():
    trace = Trace("r1")
    failure = ScriptFailure("KeyError", redactor.text("'x'", "error"), redactor.text("Traceback", "traceback"), 4)
    trace.observe(
        [
            RunStarted("r1", "python", "process", "anthropic"),
            RunPrepared("r1", 250.0),
            OutputWritten("r1", "stdout", redactor.text("a", "stdout")),
        ]
    )
    trace.observe([OutputWritten("r1", "stderr", redactor.text("e", "stderr"))])
    trace.observe([OutputWritten("r1", "stdout", redactor.text("b", "stdout"))])
    reply, warning = redactor.value({"stdout": "ab"}, "model_sees"), redactor.text("no", "warning")
    trace.observe(
        [
            RunFinished(
                "r1",
                "error",
                1,
                failure,
                redactor.value([1], "value"),
                12.5,
                model_sees=reply,
                warnings=((2, warning),),
            )
        ]
    )
    assert trace.record() == {
        "run_id": "r1",
        "runtime": "python",
        "status": "error",
        "stdout": "ab",
        "stderr": "e",
        "return_code": 1,
        "error": {"type": "KeyError", "message": "'x'", "traceback": "Traceback", "line": 4},
        "value": [1],
        "duration_ms": 12.5,
        "prepare_ms": 250.0,
        "isolation": "process",
        "cost": None,
        "target": "anthropic",
        "model_sees": {"stdout": "ab"},
        "warnings": [{"line": 2, "message": "no"}],
        "calls": [],
    }


def test_what_belongs_to_another_run_is_left_out():
    trace = Trace("r1")
    trace.observe([started("c1", 1.0, "r2"), RunStarted("r2", "bash"), started("c9", 2.0)])
    assert [call["id"] for call in trace.calls()] == ["c9"]
    assert trace.call_count == 1
    assert trace.record()["runtime"] is None


def test_calls_stand_in_the_order_in_which_they_started_whatever_order_the_events_have():
    trace = Trace("r1")
    trace.observe([finished("c2"), started("c2", 2.0), started("c3", 3.0), started("c1", 1.0), finished("c1")])
    assert [(call["id"], call["status"]) for call in trace.calls()] == [("c1", "ok"), ("c2", "ok"), ("c3", None)]


def test_a_call_under_way_has_nulls_for_what_is_not_known_yet():
    trace = Trace("r1")
    trace.observe([started("c1", 1.0, a=1)])
    (call,) = trace.calls()
    unknown = {key for key, value in call.items() if value is None}
    assert unknown == {"parent_id", "alias", "status", "result", "error", "duration_ms", "answered_by"}
    assert (call["arguments"], call["truncated"], call["redactions"]) == ({"a": 1}, False, [])


def test_redactions_of_arguments_result_and_error_are_gathered():
    trace = Trace("r1")
    error = CallFailure("KeyError", redactor.text("key sk-proj-canary0123456789ABCDEFGHIJabcd", "error"))
    trace.observe([started("c1", 1.0, api_key="s3cret-canary")])
    trace.observe([CallFinished("r1", "c1", "error", None, error, 1.0, "tool")])
    (call,) = trace.calls()
    assert [redaction["where"] for redaction in call["redactions"]] == ["arguments", "error"]
    assert call["redactions"][0] == {"rule": "api_key", "where": "arguments", "path": "$.api_key"}
    assert "canary" not in str(call)


def test_a_result_that_was_cut_is_told():
    trace = Trace("r1")
    cut = redactor.value("x" * 100, "result", limit=10)
    trace.observe([started("c1", 1.0), CallFinished("r1", "c1", "ok", cut, None, 1.0, "tool")])
    assert next(trace.calls())["truncated"] is True


def test_a_value_of_false_or_zero_is_no_missing_value():
    trace = Trace("r1")
    trace.observe([RunFinished("r1", "ok", 0, None, redactor.value(0, "value"), 1.0)])
    assert trace.record()["value"] == 0
