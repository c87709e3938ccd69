"""What the script gets of a call, and what is recorded of it."""

import threading
from typing import Any

import pytest

from ptc_studio.core.calls import CallRequest
from tests.support import Engine, wait_until


def test_a_result_that_json_cannot_carry_is_an_error_naming_the_type(engine: Engine):
    engine.add(lambda: threading.Lock(), name="odd")
    with pytest.raises(TypeError, match="The result of tool 'odd' has no JSON form: a value of type '_thread.lock'"):
        engine.call("odd")
    assert engine.records()[0]["status"] == "error"


def test_a_result_over_the_limit_is_cut_for_display_and_whole_for_the_script(engine: Engine):
    engine.add(lambda: "x" * 5000, name="large")
    value = engine.call("large", run=engine.run(result_bytes=1000))
    assert len(value) == 5000
    (record,) = engine.records()
    assert record["truncated"] is True
    assert len(record["result"]) <= 1100


def test_an_iterator_reaches_the_script_as_a_list(engine: Engine):
    engine.add(lambda: (number * 2 for number in range(3)), name="numbers")
    assert engine.call("numbers") == [0, 2, 4]
    assert engine.records()[0]["result"] == [0, 2, 4]


def test_what_is_cut_for_display_is_redacted_before(engine: Engine):
    secret = "sk-proj-abcdefghij0123456789ABCDEFGHIJ"
    engine.add(lambda: [{"password": "hunter2canary", "note": secret, "n": n} for n in range(3000)], name="large")
    assert len(engine.call("large", run=engine.run(result_bytes=5000))) == 3000
    (record,) = engine.records()
    assert record["truncated"] is True
    assert record["result"].startswith('[{"password":"[REDACTED')
    assert "canary" not in record["result"]
    assert "sk-proj" not in record["result"]


def test_a_value_that_the_script_changes_afterwards_is_recorded_as_it_was(engine: Engine):
    engine.add(lambda n: {"rows": list(range(n))}, name="rows")
    for count in (3, 5000):
        engine.call("rows", count)["rows"].clear()
    assert [len(record["result"]["rows"]) for record in engine.records()] == [3, 5000]


def test_arguments_and_results_are_redacted_in_the_record_and_raw_for_the_script(engine: Engine):
    engine.add(lambda api_key: {"password": api_key, "n": 1}, name="login")
    assert engine.call("login", api_key="s3cret-canary") == {"password": "s3cret-canary", "n": 1}
    (record,) = engine.records()
    assert "canary" not in str(record)
    assert [(r["rule"], r["where"], r["path"]) for r in record["redactions"]] == [
        ("api_key", "arguments", "$.api_key"),
        ("password", "result", "$.password"),
    ]


def test_an_aliases_own_keys_are_redacted_in_its_calls(engine: Engine):
    engine.add(lambda: {"iban": "DE02120300000000202051"}, name="account")
    engine.alias("mine", "account", redact=("iban",))
    engine.call("account")
    # What the alias hides is known as a secret from then on, also in a report that is not made yet.
    engine.records()
    engine.call("mine")
    plain, hidden = engine.records()
    assert plain["result"]["iban"].startswith("DE")
    assert hidden["result"]["iban"].startswith("[REDACTED")


def test_redaction_to_the_script_gives_the_script_what_everybody_sees():
    engine = Engine(redact_to_script=True)
    engine.add(lambda: {"password": "hunter2-canary"}, name="login")

    def fail():
        raise KeyError("sk-proj-abcdefghij0123456789ABCDEFGHIJ")

    engine.add(fail)
    assert "canary" not in str(engine.call("login"))
    with pytest.raises(RuntimeError, match=r"KeyError: .*\[REDACTED"):
        engine.call("fail")


@pytest.mark.parametrize("depth", [190, 230, 250])
def test_a_deeply_nested_value_is_given_and_recorded(engine: Engine, depth: int):
    value = 1
    for _ in range(depth):
        value = [value]
    engine.add(lambda value: value, name="echo")
    assert engine.call("echo", value) == value
    assert [record["status"] for record in engine.records()] == ["ok"]
    wait_until(lambda: not engine.own_run.active)


def test_an_argument_that_cannot_be_looked_at_is_shown_as_such(engine: Engine):
    class Broken:
        def __repr__(self) -> str:
            raise ZeroDivisionError

    engine.add(lambda value: 1, name="take")
    assert engine.call("take", Broken()) == 1
    assert "whose repr fails" in str(engine.records()[0]["arguments"])


def test_what_an_exception_carries_is_hidden_with_the_rest(engine: Engine):
    class Failed(Exception):
        pass

    def fail() -> None:
        error = Failed("no")
        error.body = {"token": "sk-proj-" + "a" * 48}
        raise error

    engine.add(fail)
    outcomes: list[Any] = []
    request = CallRequest(engine.own_run, "fail", redacted=True)
    engine.executor.perform(engine.executor.admit(request, outcomes.append))
    assert not vars(outcomes[0].exception)


def test_what_is_kept_of_a_runs_calls_is_bounded_and_the_script_gets_every_value_whole(engine: Engine):
    engine.add(lambda text: text + "!", name="echo")
    run = engine.run(kept_bytes=10_000)
    long = "a" * 3_000
    assert [engine.call("echo", long, run=run) for _ in range(20)] == [long + "!"] * 20
    calls = engine.records()
    assert calls[0]["result"] == long + "!"
    last = calls[-1]
    assert last["truncated"]
    assert last["result"].startswith('"aaa')
    assert len(last["result"]) == len(last["arguments"]) == 2_000


def test_a_caller_elsewhere_gets_whole_what_is_no_longer_kept_whole(engine: Engine):
    engine.add(lambda: {"password": "hunter2-hunter2", "text": "a" * 5_000}, name="page")
    run = engine.run(kept_bytes=1_000)
    value = engine.executor.call(CallRequest(run, "page", redacted=True))
    assert value["text"] == "a" * 5_000
    (record,) = engine.records()
    assert record["truncated"]
    assert len(record["result"]) == 2_000
    assert "hunter2" not in f"{value} {record}"
