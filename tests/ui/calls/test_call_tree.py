"""The tree of a run, without any Qt."""

import random
from typing import Any

import pytest

from ptc_studio.ui.calls.call_tree import SPAN, CallTree, NodeInserted, NodesAppended, NodesChanged, NodesMoved
from ptc_studio.ui.calls.filter import CallFilter, FilterPass
from ptc_studio.ui.calls.nodes import CallNode, LineGroup, RangeGroup, TreeNode
from ptc_studio.ui.calls.values import row_text


def shape(node: TreeNode) -> list[Any]:
    """The tree as nested lists of names."""
    return [
        (row_text(row).partition("(")[0], shape(row)) if row.rows else row_text(row).partition("(")[0]
        for row in node.rows
    ]


def check(node: TreeNode) -> int:
    """Everything is shown, and knows where it stands; the answer is the number of calls."""
    assert node.shown == len(node.rows) <= SPAN
    for row, below in enumerate(node.rows):
        assert below.parent is node
        assert below.row == row
    return isinstance(node, CallNode) + sum(map(check, node.rows))


def test_a_call_comes_as_one_row(run):
    forest = CallTree()
    operations = forest.take([run.start()])
    assert [(type(o), o.first, o.count) for o in operations] == [(NodesAppended, 0, 1)]


def test_a_batch_of_one_loop_comes_as_one_operation(run):
    forest = CallTree()
    assert [type(o) for o in forest.take(run.starts(200))] == [NodesAppended]
    assert shape(forest.root)[0][0] == "price ×200 · line 8"


def test_calls_made_at_once_stand_as_the_script_made_them_whoever_reports_first(run):
    forest = CallTree(grouped=False)
    first, second, below = run.start("a"), run.start("b"), run.start("c", parent="c0")
    forest.take([second, run.end(second), first, below, run.end(first)])
    assert shape(forest.root) == [("a", ["c"]), "b"]
    assert all(call.finished for call in forest.root.rows)


def test_two_calls_from_one_line_stay_apart_and_the_third_folds_them(run):
    forest = CallTree()
    forest.take(run.starts(2))
    assert shape(forest.root) == ["price", "price"]
    operations = forest.take([run.start()])
    assert [type(o) for o in operations] == [NodeInserted, NodesMoved, NodesMoved, NodesAppended, NodesChanged]
    assert shape(forest.root) == [("price ×3 · line 8", ["price"] * 3)]


def test_other_lines_tools_and_aliases_are_other_groups(run):
    forest = CallTree()
    forest.take([*run.starts(3), *run.starts(2, line=9), *run.starts(2, tool="stock"), *run.starts(2, alias="cheap")])
    assert [type(node) for node in forest.root.rows] == [LineGroup, *[CallNode] * 6]


def test_a_group_stands_where_its_first_call_stood(run):
    forest = CallTree()
    batch = [run.start("a"), run.start("b"), run.start("c"), run.start("b"), run.start("d")]
    for event in batch:
        forest.take([event])
    forest.take([run.start("b")])
    assert [row_text(node).partition("(")[0] for node in forest.root.rows] == ["a", "b ×3 · line 8", "c", "d"]


def test_what_a_tool_calls_stands_below_its_call(run):
    forest = CallTree()
    above = run.start("outer")
    forest.take([above, *run.starts(3, tool="inner", parent=above.call_id, line=None)])
    assert shape(forest.root) == [("outer", [("inner ×3", ["inner"] * 3)])]


def test_a_subtree_that_comes_at_once_is_one_operation(run):
    forest = CallTree()
    above = run.start("outer")
    operations = forest.take([above, *run.starts(5, tool="inner", parent=above.call_id)])
    assert [(type(o), o.count) for o in operations] == [(NodesAppended, 1)]
    assert check(forest.root) == 6


def test_a_call_whose_parent_is_unknown_stands_at_the_top(run):
    forest = CallTree()
    forest.take([run.start(parent="nobody")])
    assert shape(forest.root) == ["price"]


def test_what_is_told_twice_or_ends_without_a_start_is_passed_over(run):
    forest = CallTree()
    started = run.start()
    forest.take([started, started, run.end(run.start()), run.end(started), run.fail(started)])
    assert len(forest.order) == 1
    assert forest.order[0].status == "ok"


def test_a_group_has_the_worst_status_and_spans_all_its_calls(run):
    forest = CallTree()
    calls = [run.start(at=float(at)) for at in (10, 20, 30)]
    forest.take(calls)
    group = forest.root.rows[0]
    assert isinstance(group, LineGroup)
    assert (group.status, group.start, group.end) == ("running", 10, None)
    forest.take([run.end(calls[0]), run.end(calls[1], ms=100)])
    forest.take([run.end(calls[2])])
    assert (group.status, group.end) == ("ok", 120)
    late = [run.start(at=40), run.start(at=50)]
    forest.take([*late, run.fail(late[0], status="denied")])
    assert group.status == "denied"
    forest.take([run.fail(late[1], status="timeout")])
    assert group.status == "timeout"


def test_the_end_of_a_call_changes_it_and_its_group(run):
    forest = CallTree()
    calls = run.starts(5)
    forest.take(calls)
    changes = forest.take([run.end(calls[1]), run.end(calls[3])])
    group = forest.root.rows[0]
    assert changes == [NodesChanged(group, 1, 3), NodesChanged(forest.root, 0, 0)]


def test_a_long_group_is_cut_into_ranges_of_a_thousand(run):
    forest = CallTree()
    for size in (999, 1, 1, 1_499):
        forest.take(run.starts(size))
        check(forest.root)
    group = forest.root.rows[0]
    assert [row_text(node) for node in group.rows] == ["1 – 1,000", "1,001 – 2,000", "2,001 – 2,500"]
    assert row_text(group) == "price ×2,500 · line 8"
    assert [node.count for node in group.rows if isinstance(node, RangeGroup)] == [1_000, 1_000, 500]


def test_many_siblings_of_different_kinds_are_cut_too(run):
    forest = CallTree()
    for line in range(2_500):
        forest.take([run.start(line=line)])
    assert [row_text(node) for node in forest.root.rows] == ["1 – 1,000", "1,001 – 2,000", "2,001 – 2,500"]
    assert check(forest.root) == 2_500


def test_a_group_may_form_from_calls_in_different_ranges(run):
    forest = CallTree()
    for line in [*range(1_200), 5]:
        forest.take([run.start(line=line)])
    forest.take([run.start(line=5)])
    first, second = forest.root.rows
    assert isinstance(first, RangeGroup)
    assert isinstance(second, RangeGroup)
    assert (len(first.rows), first.count, len(second.rows), second.count) == (1_000, 1_002, 200, 200)
    assert check(forest.root) == 1_202


@pytest.mark.parametrize("seed", range(5))
def test_any_order_gives_a_whole_tree(run, seed):
    chance = random.Random(seed)
    forest, open_calls, told = CallTree(), [], 0
    for _ in range(300):
        batch = []
        for _ in range(chance.randrange(20)):
            if open_calls and chance.random() < 0.5:
                batch.append(run.end(open_calls.pop(chance.randrange(len(open_calls)))))
                continue
            parent = chance.choice(open_calls).call_id if open_calls and chance.random() < 0.4 else None
            open_calls.append(run.start(chance.choice("abc"), line=chance.randrange(5), parent=parent))
            batch.append(open_calls[-1])
            told += 1
        forest.take(batch)
        assert check(forest.root) == told


def filtered(forest: CallTree, wanted: CallFilter) -> CallTree:
    sieve, shown = FilterPass(forest, wanted), CallTree()
    while sieve.behind:
        shown.take(sieve.catch_up(7))
    return shown


def test_the_filter_looks_at_text_status_tool_and_duration(run):
    forest = CallTree()
    ada, bob, eve = (run.start("price", line=n, arguments={"who": who}) for n, who in enumerate(("Ada", "Bob", "Eve")))
    stock = run.start("stock", alias="depot")
    forest.take([ada, bob, eve, stock, run.end(ada, {"town": "Oslo"}, ms=100), run.fail(bob, "out of order")])

    def ids(**wanted: Any) -> list[str]:
        return list(filtered(forest, CallFilter(**wanted)).calls)

    assert ids(text="ADA") == ids(text="oslo") == ids(minimum_ms=50) == ids(statuses=frozenset({"ok"})) == ["c0"]
    assert ids(text="out of") == ids(statuses=frozenset({"error"})) == ["c1"]
    assert ids(statuses=frozenset({"running"})) == ["c2", "c3"]
    assert ids(tool="stock") == ids(tool="depot") == ids(text="depot") == ["c3"]
    assert ids(text="who", tool="stock") == []


def test_a_call_that_is_wanted_brings_those_above_it(run):
    forest = CallTree()
    outer = run.start("outer")
    inner = run.start("inner", parent=outer.call_id)
    forest.take([outer, inner, run.start("other")])
    assert shape(filtered(forest, CallFilter(text="inner")).root) == [("outer", ["inner"])]


def test_a_call_may_become_wanted_by_its_end(run):
    forest = CallTree()
    sieve, shown = FilterPass(forest, CallFilter(statuses=frozenset({"error"}))), CallTree()
    calls = run.starts(2)
    forest.take(calls)
    shown.take(sieve.catch_up(100))
    assert not shown.calls
    ends = [run.fail(calls[1]), run.end(calls[0])]
    forest.take(ends)
    shown.take([*sieve.ends(ends), *sieve.catch_up(100)])
    assert list(shown.calls) == ["c1"]
    assert sieve.matches == 1
    assert not sieve.behind
