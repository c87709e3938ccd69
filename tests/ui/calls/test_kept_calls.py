"""Which calls the tree keeps where there are very many."""

import random

import pytest
from PySide6.QtTest import QAbstractItemModelTester

from ptc_studio.ui.calls import call_tree
from ptc_studio.ui.calls.call_tree import CallTree, Kept
from ptc_studio.ui.calls.filter import CallFilter
from ptc_studio.ui.calls.model import CALL_ID, CallModel
from ptc_studio.ui.calls.nodes import CallGroup, TreeNode
from ptc_studio.ui.calls.values import row_text
from tests.ui.calls.test_call_model import arrivals

FEW = Kept(first=5, newest=20, more=10)


def sound(tree: CallTree) -> None:
    """Every row knows its place, and whatever can be found stands in the tree."""
    found: set[str] = set()

    def look(node: TreeNode) -> None:
        assert node.shown == len(node.rows)
        for row, below in enumerate(node.rows):
            assert (below.parent, below.row) == (node, row)
            look(below)
        found.update(call.call_id for call in node.calls())

    look(tree.root)
    assert found == set(tree.calls) == {call.call_id for call in tree.order}


def calls_of(run, tree: CallTree, count: int, tool: str = "price") -> None:
    for _ in range(count):
        tree.take(run.call(tool, line=None))
        for operation in tree.forget(tree.superfluous(FEW)):
            operation.apply()


def test_the_first_and_the_newest_stay_and_the_rest_is_counted(run):
    tree = CallTree()
    calls_of(run, tree, 1_000)
    sound(tree)
    kept = [int(call.call_id[1:]) for call in tree.order]
    assert kept[:5] == [0, 1, 2, 3, 4]
    assert kept[5:] == list(range(1_000 - len(kept) + 5, 1_000))
    assert 25 <= len(kept) <= FEW.most
    assert tree.left_out == 1_000 - len(kept)
    assert row_text(tree.root.rows[0]) == f"price ×1,000 · {tree.left_out} left out"


def test_ranges_keep_their_numbers_and_empty_ones_go(run, monkeypatch):
    monkeypatch.setattr(call_tree, "SPAN", 10)
    tree = CallTree()
    calls_of(run, tree, 200)
    calls_of(run, tree, 100, "stock")
    calls_of(run, tree, 12)
    sound(tree)
    group = tree.root.rows[0]
    assert isinstance(group, CallGroup)
    assert [row_text(row) for row in group.rows] == ["1 – 10 · 5 left out", "201 – 210", "211 – 212"]
    assert group.count == 212


def test_what_runs_and_what_it_was_made_from_stays(run):
    tree = CallTree()
    before, outer = run.starts(6), run.start("outer", line=None)
    tree.take([*before, outer])
    inner = run.start("inner", parent=outer.call_id)
    tree.take([inner])
    calls_of(run, tree, 100)
    sound(tree)
    assert {outer.call_id, inner.call_id} <= set(tree.calls)
    tree.take([run.end(inner), run.end(outer)])
    calls_of(run, tree, 100)
    sound(tree)
    assert not {outer.call_id, inner.call_id} & set(tree.calls)
    # One more of a kind of which none is left stands in the tree like any other.
    calls_of(run, tree, 3, "outer")
    sound(tree)


@pytest.mark.parametrize("wanted", [CallFilter(), CallFilter(tool="price")])
@pytest.mark.parametrize("grouped", [True, False])
def test_the_model_is_sound_while_calls_come_and_go(qtmodeltester, run, monkeypatch, wanted, grouped):
    monkeypatch.setattr(call_tree, "SPAN", 10)
    model = CallModel()
    model.start_run()
    model.kept = FEW
    model.set_grouped(grouped)
    model.set_filter(wanted)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for batch in arrivals(run, 300):
        model.apply(batch)
        model.let_go()
    model.filtering.finish()
    tester.deleteLater()
    assert model.total == 300
    assert model.left_out > 100
    assert len(model.all_calls) == 300 - model.left_out
    assert model.matching <= len(model.all_calls) or not wanted


def test_the_call_that_is_looked_at_stays_and_the_panel_says_how_many_are_left_out(panel, run):
    panel.start_job(before=7)
    panel.model.kept = FEW
    chance = random.Random(1)
    panel.apply([event for _ in range(10) for event in run.call(line=None)])
    panel.select_call("c8")
    for _ in range(50):
        panel.apply([event for _ in range(chance.randrange(1, 9)) for event in run.call(line=None)])
    assert panel.tree.currentIndex().data(CALL_ID) == "c8"
    left = panel.model.left_out
    assert left > 100
    assert panel.model.total == len(panel.model.all_calls) + left
    assert panel.left_out.text() == f"{left:,} calls are left out here; the history has all of them"
    assert panel.left_out.isVisible()
    panel.has_history = False
    panel.apply([event for _ in range(40) for event in run.call(line=None)])
    assert panel.left_out.text().endswith("they are not kept, as the history is off")
    panel.start_run()
    assert not panel.left_out.isVisible()
