"""The model over the tree, as Qt's views see it."""

import random

import pytest
from PySide6.QtCore import QAbstractItemModel, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from ptc_studio.ui.calls import call_tree
from ptc_studio.ui.calls.filter import CallFilter
from ptc_studio.ui.calls.model import CALL_ID, LINE, MS, RECORD, STATUS, CallModel, RunClock
from ptc_studio.ui.calls.values import row_text


def arrivals(run, count: int, seed: int = 1):
    """Calls in random batches: loops, nested calls, lone ones, with their ends mixed in."""
    chance, started, made = random.Random(seed), [], 0
    while made < count or started:
        batch = []
        for _ in range(chance.randrange(1, 120)):
            if started and (made >= count or chance.random() < 0.5):
                batch.append(run.end(started.pop(chance.randrange(len(started)))))
            elif made < count:
                parent = chance.choice(started).call_id if started and chance.random() < 0.3 else None
                started.append(
                    run.start(chance.choice(("price", "stock")), line=chance.choice((1, 2, made)), parent=parent)
                )
                batch.append(started[-1])
                made += 1
        yield batch


class Witness:
    """Checks what each signal promises. Qt's own tester walks the whole model at each: too slow for thousands of calls."""

    def __init__(self, model: CallModel) -> None:
        self.model, self.before, self.seen = model, [], 0
        model.rowsAboutToBeInserted.connect(lambda parent, *_: self.before.append(model.rowCount(parent)))
        model.rowsInserted.connect(self.inserted)
        model.rowsAboutToBeMoved.connect(self.moving)
        model.rowsMoved.connect(self.moved)

    def inserted(self, parent, first, last):
        assert self.model.rowCount(parent) == self.before.pop() + last - first + 1
        for row in (first, last):
            assert self.model.index(row, 0, parent).parent() == parent
        self.seen += 1

    def moving(self, source, first, last, target, _row):
        size = last - first + 1
        self.before.append(
            (QPersistentModelIndex(self.model.index(first, 0, source)), self.model.rowCount(target) + size)
        )

    def moved(self, _source, _first, _last, target, _row):
        first, count = self.before.pop()
        # The index of the target is the one from before the move; what moved knows the new one.
        assert first.isValid()
        assert self.model.rowCount(first.parent()) == count
        self.seen += 1


@pytest.mark.parametrize("wanted", [CallFilter(), CallFilter(tool="price"), CallFilter(statuses=frozenset({"ok"}))])
def test_the_model_is_sound_while_calls_arrive(qtmodeltester, run, wanted):
    model = CallModel()
    model.start_run()
    model.set_filter(wanted)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for batch in arrivals(run, 200):
        model.apply(batch)
    model.filtering.finish()
    tester.deleteLater()
    assert model.total == 200
    assert model.matching <= model.total
    assert bool(wanted) or model.matching == model.total


@pytest.mark.parametrize("seed", range(3))
def test_five_thousand_calls_in_random_batches_keep_every_promise(panel, run, seed):
    witness = Witness(panel.model)
    for batch in arrivals(run, 5_000, seed):
        panel.apply(batch)
    assert panel.model.total == 5_000
    assert witness.seen > 100
    assert not witness.before


def test_a_list_that_is_cut_into_ranges_is_sound_too(qtmodeltester, run, monkeypatch):
    monkeypatch.setattr(call_tree, "SPAN", 10)
    model = CallModel()
    model.start_run()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    for batch in arrivals(run, 150):
        model.apply(batch)
    tester.deleteLater()
    qtmodeltester.check(model, force_py=True)


def test_a_selected_call_stays_selected_when_it_is_folded(panel, run):
    panel.apply(run.starts(2))
    panel.select_call("c1")
    panel.apply([run.start()])
    assert panel.tree.currentIndex().data(CALL_ID) == "c1"
    assert panel.tree.currentIndex().parent().data().startswith("◐ price ×3")


def test_a_row_tells_its_record_line_id_and_status(run):
    model = CallModel()
    model.start_run()
    started = run.start(arguments={"b": 1, "a": 2})
    model.apply([started, run.end(started, [1, 2], ms=1234.5)])
    index = model.index(0, 0)
    assert (index.data(LINE), index.data(CALL_ID), index.data(STATUS)) == (8, "c0", "ok")
    assert dict(index.data(RECORD)) == model.record(index)
    assert list(index.data(RECORD)["arguments"]) == ["b", "a"]
    assert index.data() == "✓ price(b=1, a=2) → [1, 2]"
    assert index.siblingAtColumn(MS).data() == "1,234"
    assert index.siblingAtColumn(MS).data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight


def test_an_unfinished_call_tells_the_time_so_far_and_stands_still_after_the_run(run):
    model = CallModel()
    model.start_run()
    now = [0.0]
    model.clock = RunClock(lambda: now[0])
    model.apply([run.start(at=0.0)])
    node = model.node(model.index(0, 0))
    now[0] = 0.7
    assert model.duration(node) == pytest.approx(700)
    model.end_run()
    now[0] = 9.0
    assert model.duration(node) == pytest.approx(700)


def names(model: CallModel) -> list[str]:
    return [row_text(model.node(model.index(row, 0))).partition("(")[0] for row in range(model.rowCount())]


def test_calls_stand_as_they_came_where_they_are_not_to_be_grouped(run):
    model = CallModel()
    model.start_run()
    taking_turns = [run.start(tool, line=line) for _ in range(3) for tool, line in (("price", 8), ("stock", 9))]
    model.apply(taking_turns)
    assert names(model) == ["price ×3 · line 8", "stock ×3 · line 9"]
    model.set_grouped(False)
    model.filtering.finish()
    assert names(model) == ["price", "stock"] * 3
    model.apply([run.start("price"), *(run.end(each) for each in taking_turns)])
    model.filtering.finish()
    assert names(model) == [*["price", "stock"] * 3, "price"]
    assert [call.status for call in model.calls()] == [*["ok"] * 6, "running"]
    model.start_run()
    model.apply(run.starts(4))
    assert names(model) == ["price"] * 4, "the next run, too"
    model.set_grouped(True)
    model.filtering.finish()
    assert names(model) == ["price ×4 · line 8"]


def test_what_a_filter_takes_in_late_has_its_place_after_the_run(run):
    model = CallModel()
    model.start_run()
    model.set_filter(CallFilter(statuses=frozenset({"ok"})))
    slow, quick = run.start("slow"), run.start("quick")
    for batch in ([slow, quick], [run.end(quick)], [run.end(slow)]):
        model.apply(batch)
        model.filtering.finish()
    assert names(model) == ["quick", "slow"]
    model.end_run()
    model.filtering.finish()
    assert names(model) == ["slow", "quick"]


def test_a_filter_can_be_taken_off_again(run):
    model = CallModel()
    model.start_run()
    model.apply([*run.call("price"), *run.call("stock")])
    model.set_filter(CallFilter(tool="stock"))
    model.filtering.finish()
    assert (model.matching, model.total, model.rowCount()) == (1, 2, 1)
    model.set_filter(CallFilter())
    assert (model.matching, model.rowCount()) == (2, 2)
    assert isinstance(model, QAbstractItemModel)
