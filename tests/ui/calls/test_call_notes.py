"""What is to be seen of a call beside its values: that it waits, was edited, drifted, and who answered it."""

from typing import Any

import pytest

from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallStarted
from ptc_studio.core.redaction import Redactor
from ptc_studio.ui.calls.call_tree import CallTree
from ptc_studio.ui.calls.filter import CallFilter, FilterPass
from ptc_studio.ui.calls.inspector import CallInspector, status_text
from ptc_studio.ui.calls.nodes import CallNode, LineGroup
from ptc_studio.ui.calls.values import row_parts, row_text, tooltip

REDACTOR = Redactor()


def value(plain: Any) -> Any:
    return REDACTOR.value(plain, "arguments")


def started(call_id: str, line: int = 1) -> CallStarted:
    return CallStarted("r", call_id, None, 1, "shop.pay", None, "shop", value({"amount": 5}), 1.0, line)


def noted(call_id: str, kind: Any, text: str = "") -> CallNoted:
    return CallNoted("r", call_id, kind, REDACTOR.text(text, "note"))


def finished(call_id: str, answered_by: str = "tool") -> CallFinished:
    return CallFinished("r", call_id, "ok", value(1), None, 3.0, answered_by)


@pytest.fixture
def forest() -> CallTree:
    made = CallTree()
    made.take([started("c1"), started("c2", 2)])
    return made


def test_a_call_that_waits_has_a_mark_until_it_goes_on(forest: CallTree):
    call = forest.calls["c1"]
    forest.take([noted("c1", "waiting", "asked by source 'shop'")])
    assert (call.mark, call.status) == ("waiting", "running")
    assert ("warning", " waits for you ") in row_parts(call)
    assert "Waits for you: asked by source 'shop'" in tooltip(call)
    forest.take([noted("c1", "resumed")])
    assert call.mark == "running"
    assert "waits" not in row_text(call)


def test_a_call_that_ends_while_it_waits_does_not_wait(forest: CallTree):
    forest.take([noted("c1", "waiting"), finished("c1"), noted("c1", "waiting")])
    assert forest.calls["c1"].mark == "ok"


def test_edited_arguments_take_the_place_of_those_that_came(forest: CallTree):
    forest.take([CallEdited("r", "c1", value({"amount": 6})), CallEdited("r", "c1", value({"amount": 7}))])
    call = forest.calls["c1"]
    assert call.record()["arguments"] == {"amount": 7}
    assert row_text(call) == "shop.pay edited (amount=7)"
    assert len(call.notes) == 1


def test_drift_and_faults_are_told_in_the_row_in_full_in_the_tooltip(forest: CallTree):
    forest.take([noted("c1", "drift", "'amount' was 4"), noted("c2", "fault", "fails on purpose"), finished("c1")])
    assert "▲ not as recorded" in row_text(forest.calls["c1"])
    assert tooltip(forest.calls["c1"]).endswith("Not as it was recorded: 'amount' was 4")
    assert "▲ fault" in row_text(forest.calls["c2"])


@pytest.mark.parametrize("who", ["mock", "cassette", "person"])
def test_who_answered_instead_of_the_tool_is_a_chip(forest: CallTree, who: str):
    forest.take([finished("c1", who), finished("c2")])
    assert ("badge", who) in row_parts(forest.calls["c1"])
    assert not [part for part in row_parts(forest.calls["c2"]) if part[0] == "badge"]
    assert status_text(forest.calls["c1"].record()).endswith(f"answered by {who}")


def test_a_group_waits_as_long_as_one_of_it_does():
    forest = CallTree()
    forest.take([started("c1"), noted("c1", "waiting"), *(started(f"c{number}") for number in range(2, 6))])
    group = forest.root.rows[0]
    assert isinstance(group, LineGroup)
    assert group.mark == "waiting"
    forest.take([noted("c3", "waiting"), noted("c1", "resumed")])
    assert group.mark == "waiting"
    forest.take([finished("c3")])
    assert (group.mark, group.waiting) == ("running", 0)


def test_the_filter_finds_what_waits_and_shows_its_notes(forest: CallTree):
    sieve, shown = FilterPass(forest, CallFilter(statuses=frozenset({"waiting"}))), CallTree()
    shown.take(sieve.catch_up(100))
    assert shown.calls == {}
    batch = [noted("c1", "waiting"), CallEdited("r", "c1", value({"amount": 9}))]
    forest.take(batch)
    shown.take([*sieve.ends(batch), *sieve.catch_up(100)])
    assert list(shown.calls) == ["c1"]
    assert shown.calls["c1"].mark == "waiting"
    assert shown.calls["c1"].record()["arguments"] == {"amount": 9}
    batch = [noted("c1", "resumed")]
    forest.take(batch)
    shown.take([*sieve.ends(batch), *sieve.catch_up(100)])
    assert shown.calls["c1"].mark == "running"


def test_notes_of_unknown_calls_are_passed_over(forest: CallTree):
    forest.take([noted("c9", "waiting"), CallEdited("r", "c9", value({}))])
    assert len(forest.calls) == 2


def test_the_inspector_tells_notes_in_full(forest: CallTree, qtbot: Any):
    inspector = CallInspector()
    qtbot.addWidget(inspector)
    forest.take([noted("c1", "waiting", "breakpoint")])
    call = forest.calls["c1"]
    assert isinstance(call, CallNode)
    inspector.show_record(call.record())
    inspector.show_notes(call.notes)
    assert "◆ waits for you" in inspector.summary.status.text()
    forest.take([noted("c1", "resumed"), noted("c1", "drift", "'amount' was 4"), finished("c1", "cassette")])
    inspector.show_record(call.record())
    inspector.show_notes(call.notes)
    text = inspector.summary.status.text()
    assert "Not as it was recorded: &#x27;amount&#x27; was 4" in text
    assert "cassette" in text
