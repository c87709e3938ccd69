"""Which call stands in which lane and row, which times stand where, what was saved by calling at once."""

from itertools import pairwise

import pytest

from ptc_studio.core.cost import RunStats
from ptc_studio.core.events import CallFinished, CallStarted
from ptc_studio.ui.calls.call_tree import CallTree
from ptc_studio.ui.timeline.lanes import MOST_ROWS, SHORTEST, Bar, LaneRow, Lanes, Scale, place


def forest_of(*events: object) -> CallTree:
    forest = CallTree()
    forest.take(events)
    return forest


def lanes_of(forest: CallTree) -> Lanes:
    lanes = Lanes()
    lanes.take(forest.order)
    return lanes


def drawn(row: LaneRow, first: float = 0.0, last: float = 1_000.0, step: float = 0.1) -> list[Bar]:
    return list(row.bars(first, last, step, now=last))


def test_calls_one_after_the_other_share_a_row_and_calls_at_once_do_not(run) -> None:
    one, two, three = (run.start(at=at) for at in (0.0, 5.0, 6.0))
    forest = forest_of(one, run.end(one, ms=5.0), two, three, run.end(two, ms=5.0), run.end(three, ms=1.0))
    (lane,) = lanes_of(forest).all()
    assert (lane.name, lane.count) == ("price", 3)
    assert [[call.call_id for call in row.calls] for row in lane.rows] == [["c0", "c1"], ["c2"]]


def test_calls_of_calls_have_lanes_below_their_callers(run) -> None:
    outer = run.start("fulfil", at=0.0)
    inner = [run.start("reserve", parent="c0", at=float(at)) for at in range(5)]
    other = run.start("reserve", at=9.0)
    lanes = lanes_of(forest_of(outer, *inner, other)).all()
    assert [(lane.name, lane.depth, lane.count) for lane in lanes] == [
        ("fulfil", 0, 1),
        ("reserve", 1, 5),
        ("reserve", 0, 1),
    ]


def test_looking_for_a_call_that_has_not_been_taken_in_makes_no_lane(run) -> None:
    forest = forest_of(run.start("team", at=0.0), run.start("price", at=1.0), run.start("stock", parent="c1", at=2.0))
    lanes = Lanes()
    assert lanes.find(forest.order[1]) is lanes.find(forest.order[2]) is None
    lanes.take(forest.order)
    assert [lane.name for lane in lanes.all()] == ["team", "price", "stock"]
    lane, row = lanes.find(forest.order[2])
    assert (lane.name, row.calls) == ("stock", [forest.order[2]])


def test_a_call_that_runs_keeps_its_row_until_it_has_ended(run) -> None:
    first, second, third = run.start(at=0.0), run.start(at=10.0), run.start(at=30.0)
    forest, lanes = CallTree(), Lanes()
    forest.take([first, second])
    lanes.take(forest.order)
    forest.take([run.end(first, ms=20.0), third])
    lanes.settle()
    lanes.take(forest.order[lanes.taken :])
    (lane,) = lanes.all()
    assert [[call.call_id for call in row.calls] for row in lane.rows] == [["c0", "c2"], ["c1"]]
    assert drawn(lane.rows[0], last=40.0) == [(0.0, 20.0, "ok"), (30.0, 40.0, "running")]


def test_there_is_an_end_to_the_rows_of_a_lane(run) -> None:
    (lane,) = lanes_of(forest_of(*(run.start(at=0.0) for _ in range(3 * MOST_ROWS)))).all()
    assert len(lane.rows) == MOST_ROWS
    assert lane.count == 3 * MOST_ROWS == sum(len(row.calls) for row in lane.rows)


def test_bars_that_cannot_be_told_apart_are_drawn_as_one_and_failures_are_seen_all_the_same(run) -> None:
    events: list[object] = []
    for number in range(10_000):
        started = run.start(at=number / 10)
        failed = number == 5_555
        events += [started, run.fail(started) if failed else run.end(started, ms=0.05)]
    (lane,) = lanes_of(forest_of(*events)).all()
    bars = [bar for row in lane.rows for bar in drawn(row, step=2.0)]
    assert len(bars) < 600
    assert [round(start, 1) for start, _end, status in bars if status == "error"] == [555.5]


def test_only_what_is_seen_is_drawn(run) -> None:
    events: list[object] = []
    for number in range(100):
        started = run.start(at=number * 10.0)
        events += [started, run.end(started, ms=5.0)]
    (lane,) = lanes_of(forest_of(*events)).all()
    assert [start for start, _end, _status in drawn(lane.rows[0], 502.0, 530.0)] == [500.0, 510.0, 520.0]
    assert [start for start, _end, _status in drawn(lane.rows[0], 507.0, 530.0)] == [510.0, 520.0]


def test_a_call_is_found_where_it_is_pointed_at_and_a_little_beside(run) -> None:
    started = run.start(at=10.0)
    forest = forest_of(started, run.end(started, ms=5.0))
    row = lanes_of(forest).all()[0].rows[0]
    assert row.at(12.0, 0.0, 100.0) is row.at(9.5, 1.0, 100.0) is row.at(15.9, 1.0, 100.0) is forest.order[0]
    assert row.at(17.0, 1.0, 100.0) is None


def test_one_goes_from_call_to_call_of_a_tool_by_time_and_back(run) -> None:
    starts = [run.start(at=at) for at in (0.0, 0.0, 1.0, 2.0, 2.0, 9.0)]
    forest = forest_of(*starts, *(run.end(each, ms=1.5) for each in starts))
    (lane,) = lanes_of(forest).all()
    call, there = forest.order[0], [forest.order[0]]
    while (following := lane.next_to(call, after=True)) is not None:
        there.append(call := following)
    assert sorted(each.call_id for each in there) == [f"c{number}" for number in range(6)]
    back = [call]
    while (former := lane.next_to(call, after=False)) is not None:
        back.append(call := former)
    assert back == there[::-1]


def test_many_rows_have_thin_bars_and_a_single_one_stands_in_the_middle(run) -> None:
    few = lanes_of(forest_of(run.start(at=0.0))).all()
    many = lanes_of(forest_of(*(run.start("stock", at=0.0) for _ in range(30)))).all()
    one, thirty = place([*few, *many], round)
    assert (one.top, thirty.top) == (0, one.height)
    assert abs((one.first_bar - one.top) - (one.bottom - one.first_bar - one.bar)) <= 1
    assert thirty.bar < one.bar
    assert thirty.bar_top(29) + thirty.bar <= thirty.bottom
    assert thirty.row_at(thirty.bar_top(17) + 1) is many[0].rows[17]
    assert thirty.row_at(-100) is many[0].rows[0]


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (1_840.0, ["0", "0.5 s", "1.0 s", "1.5 s"]),
        (90.0, ["0", "20 ms", "40 ms", "60 ms", "80 ms"]),
        (0.9, ["0", "0.2 ms", "0.4 ms", "0.6 ms", "0.8 ms"]),
        (120_000.0, ["0", "50 s", "100 s"]),
    ],
)
def test_the_axis_has_round_times_with_room_for_their_words(last: float, words: list[str]) -> None:
    scale = Scale(0.0, last, 100.0, 500.0)
    assert [text for _moment, text in scale.marks()] == words
    places = [scale.x(moment) for moment, _text in scale.marks()]
    assert all(b - a >= 90 for a, b in pairwise(places))


def test_a_moment_stays_where_it_is_while_one_zooms_and_nothing_lies_beyond_the_run() -> None:
    scale = Scale(0.0, 1_000.0, 0.0, 500.0)
    first, last = scale.zoomed(0.5, 800.0, 1_000.0)
    assert (first, last) == (400.0, 900.0)
    nearer = Scale(first, last, 0.0, 500.0)
    assert nearer.x(800.0) == scale.x(800.0)
    assert nearer.moment(nearer.x(512.0)) == pytest.approx(512.0)
    assert nearer.zoomed(10.0, 500.0, 1_000.0) == (0.0, 1_000.0)
    shortest = scale.zoomed(1e-9, 1_000.0, 1_000.0)
    assert shortest == (pytest.approx(1_000.0 - SHORTEST), pytest.approx(1_000.0))


def test_waiting_that_was_saved_is_told_and_nested_calls_save_none(run) -> None:
    figures = RunStats()
    first, second = run.start(at=0.0), run.start(at=10.0)
    inner = run.start("stock", parent="c0", at=20.0)
    assert isinstance(inner, CallStarted)
    ends: list[CallFinished] = [run.end(inner, ms=900.0), run.end(first, ms=1_000.0), run.end(second, ms=1_500.0)]
    figures.take([first, second, inner, *ends])
    assert (figures.at_once, round(figures.saved_ms)) == (2, 990)
    assert figures.concurrency_text == "2 at once · 990 ms of waiting saved"
    later = run.start(at=5_000.0)
    figures.take([later, run.end(later, ms=100.0)])
    assert round(figures.saved_ms) == 990


def test_calls_one_after_the_other_save_nothing_and_nothing_is_said(run) -> None:
    figures = RunStats()
    for number in range(3):
        started = run.start(at=number * 10.0)
        figures.take([started, run.end(started, ms=5.0)])
    assert (figures.at_once, figures.saved_ms, figures.concurrency_text) == (1, 0.0, "")
