"""Answers of the user's own instead of a tool's."""

import threading
from typing import Any

import pytest

from ptc_studio.core.events import CallNoted
from ptc_studio.core.responders.mocks import Mock, Mocks
from tests.support import Engine, wait_until

OUTPUT = {"type": "object", "required": ["eur"], "properties": {"eur": {"type": "number", "minimum": 1, "maximum": 2}}}


@pytest.fixture
def shop(engine: Engine) -> Engine:
    engine.add(lambda sku, qty=1: {"eur": 9.0}, name="shop.price", source="shop", output=OUTPUT)
    engine.add(lambda: "real", name="login")
    engine.alias("cheap", "shop.price", preset={"qty": 3})
    return engine


@pytest.fixture
def mocks(shop: Engine) -> Mocks:
    return Mocks(shop.executor)


def test_a_fixed_value_answers_and_the_record_says_so(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", value={"rows": [1]})])
    got = shop.call("login")
    assert got == {"rows": [1]}
    got["rows"].append(2)
    assert shop.call("login") == {"rows": [1]}
    assert {record["answered_by"] for record in shop.records()} == {"mock"}


def test_without_mocks_nobody_is_in_the_chain(shop: Engine, mocks: Mocks):
    assert shop.executor.answers.members == ()
    mocks.set([Mock("login")])
    assert shop.executor.answers.members == (mocks,)
    mocks.set([Mock("login", enabled=False)])
    assert shop.executor.answers.members == ()
    assert shop.call("login") == "real"


def test_the_most_specific_name_wins(shop: Engine, mocks: Mocks):
    every = Mock("*", value="all")
    pattern, tool, alias = (
        Mock("shop.*", value="source"),
        Mock("shop.price", value="tool"),
        Mock("cheap", value="alias"),
    )
    mocks.set([every, pattern, tool, alias])
    assert (shop.call("cheap", sku="a"), shop.call("shop.price", sku="a")) == ("alias", "tool")
    mocks.set([every, pattern, tool])
    assert shop.call("cheap", sku="a") == "tool"
    mocks.set([every, pattern])
    assert (shop.call("cheap", sku="a"), shop.call("login")) == ("source", "all")


def test_of_two_for_one_name_the_first_that_is_enabled_counts_and_added_ones_go_first(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", value=1, enabled=False), Mock("login", value=2), Mock("login", value=3)])
    assert shop.call("login") == 2
    mocks.add(Mock("login", value=4))
    assert shop.call("login") == 4
    mocks.set([])
    assert shop.call("login") == 4


def test_a_value_is_made_from_the_output_schema(shop: Engine, mocks: Mocks):
    mocks.set([Mock("shop.price", "schema", seed=5), Mock("login", "schema")])
    first, second = shop.call("shop.price", sku="a"), shop.call("cheap", sku="b")
    assert first == second
    assert 1 <= first["eur"] <= 2
    assert shop.call("login") is None


def test_an_expression_sees_the_effective_arguments_and_defaults(shop: Engine, mocks: Mocks):
    mocks.set([Mock("shop.price", "expression", expression='{"eur": qty * 2, "of": sku}')])
    assert shop.call("cheap", sku="a") == {"eur": 6, "of": "a"}
    assert shop.call("shop.price", sku="b") == {"eur": 2, "of": "b"}


def test_a_broken_expression_is_told_to_the_script(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", "expression", expression="nothing + 1")])
    with pytest.raises(RuntimeError, match=r"The mock of 'login' has no answer\..*no argument 'nothing'"):
        shop.call("login")


def test_an_error_is_of_the_type_that_is_named(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", "error", error="TimeoutError", message="too slow")])
    with pytest.raises(TimeoutError, match="too slow"):
        shop.call("login")
    record = shop.records()[0]
    assert (record["status"], record["answered_by"]) == ("error", "mock")


def test_arguments_are_still_checked_and_what_is_denied_stays_denied(shop: Engine, mocks: Mocks):
    shop.add(lambda: 1, name="secret", permission="deny")
    mocks.set([Mock("*", value=1)])
    with pytest.raises(TypeError, match="missing 'sku'"):
        shop.call("shop.price")
    with pytest.raises(TypeError, match="unexpected 'qty'"):
        shop.call("cheap", sku="a", qty=5)
    with pytest.raises(PermissionError):
        shop.call("secret")


def test_failures_come_in_the_same_order_in_every_run(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", value="ok", failure_rate=0.5, seed=3, error="ConnectionError")])

    def course() -> list[str]:
        run, ends = shop.run(), []
        for _ in range(20):
            try:
                ends.append(shop.call("login", run=run))
            except ConnectionError as error:
                ends.append(str(error))
        return ends

    first = course()
    assert first == course()
    assert set(first) == {"ok", "A failure on purpose: 50% of the calls of 'login' fail."}
    mocks.set([Mock("login", value="ok", failure_rate=0.5, seed=4, error="ConnectionError")])
    assert course() != first
    shop.executor.bus.flush()
    assert any(isinstance(event, CallNoted) and event.kind == "fault" for event in shop.events)


def test_a_tool_of_its_own_may_be_late_or_fail_at_times(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", "tool", delay=0.01), Mock("shop.price", "tool", failure_rate=1.0, message="down")])
    assert shop.call("login") == "real"
    assert shop.records()[0]["answered_by"] == "tool"
    with pytest.raises(RuntimeError, match="down"):
        shop.call("shop.price", sku="a")


def test_a_delay_counts_against_the_calls_time(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", value=1, delay=30)])
    with pytest.raises(TimeoutError):
        shop.call("login", timeout=0.05)
    assert shop.records()[0]["status"] == "timeout"


def test_a_delay_ends_with_its_run(shop: Engine, mocks: Mocks):
    mocks.set([Mock("login", value=1, delay=300)])
    run, ends = shop.run(), []

    def call() -> None:
        try:
            shop.call("login", run=run)
        except RuntimeError as error:
            ends.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    wait_until(lambda: run.active)
    run.stop("cancelled")
    thread.join(10)
    assert len(ends) == 1


def test_mocks_change_while_calls_go_on(shop: Engine, mocks: Mocks):
    done = threading.Event()
    got: set[Any] = set()

    def call() -> None:
        while not done.is_set():
            got.add(shop.call("login"))

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(100):
            mocks.set([Mock("login", value=number % 3)] if number % 2 else [])
        mocks.set([])
        wait_until(lambda: "real" in got)
    finally:
        done.set()
        for thread in threads:
            thread.join(10)
    assert got <= {"real", 0, 1, 2}
