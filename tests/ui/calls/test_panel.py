"""The panel with the call tree: selection, following, filter, copying."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeView

from ptc_studio.core.events import CallNoted
from ptc_studio.core.redaction import Redactor
from ptc_studio.ui.calls.model import CALL_ID
from ptc_studio.ui.stylesheet import row_hover
from ptc_studio.ui.theme import theme
from tests.ui.seen import seen_texts


def copy(panel, qtbot, action) -> None:
    """Copies as the action does: on a busy machine in several goes."""
    with qtbot.waitSignal(panel.copying.copied):
        action.trigger()


def test_it_says_what_to_do_before_the_first_run(qtbot):
    from ptc_studio.ui.calls.panel import CallTreePanel

    panel = CallTreePanel()
    qtbot.addWidget(panel)
    assert "Run a script to see its calls here" in seen_texts(panel)
    tree = panel.findChild(QTreeView, "callTree")
    assert tree is not None
    assert tree.accessibleName()


def test_a_call_appears_when_it_starts_and_settles_when_it_ends(panel, run):
    started = run.start(arguments={"sku": "A-1"})
    panel.apply([started])
    assert panel.model.index(0, 0).data() == '◐ price(sku="A-1")'
    panel.apply([run.end(started, 12.5)])
    assert panel.model.index(0, 0).data() == '✓ price(sku="A-1") → 12.5'
    assert panel.header.count.text() == "1"


def test_what_comes_in_parts_is_drawn_and_followed_once(panel, run, monkeypatch):
    seen = []
    monkeypatch.setattr(panel.follower, "arrived", seen.append)
    panel.apply(run.starts(3), more=True)
    panel.apply(run.starts(2), more=True)
    assert (panel.model.total, seen, panel.tree.updatesEnabled()) == (5, [], False)
    panel.apply([])
    assert [len(calls) for calls in seen] == [5]
    assert panel.tree.updatesEnabled()


def test_what_comes_in_parts_is_laid_out_once(panel, run, qtmodeltester, monkeypatch):
    qtmodeltester.check(panel.model)
    inserted, layouts = [], []
    panel.model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    lay_out = panel.tree.lay_out_now
    monkeypatch.setattr(panel.tree, "lay_out_now", lambda: (layouts.append(1), lay_out()))
    calls = [run.start(name, line=line) for line, name in enumerate(("price", "stock", "team"))]
    panel.apply(calls[:2], more=True)
    panel.apply([run.end(calls[0], 1), calls[2]], more=True)
    assert (inserted, panel.model.rowCount(), panel.model.call(calls[0].call_id)) == ([], 0, None)
    assert panel.model.call_on_line(0) is None
    panel.select_call(calls[0].call_id)
    panel.apply([run.end(calls[1], 2)])
    assert (inserted, panel.model.rowCount(), layouts) == ([(0, 2)], 3, [1])
    assert panel.model.call(calls[0].call_id) is not None
    assert [panel.model.index(row, 0).data()[0] for row in range(3)] == ["✓", "✓", "◐"]
    qtmodeltester.check(panel.model)


def test_selecting_a_call_tells_its_record_and_line(panel, run, qtbot):
    panel.apply([*run.starts(4), *run.call("stock", line=3)])
    records, lines = [], []
    panel.call_selected.connect(records.append)
    panel.line_selected.connect(lines.append)
    panel.select_call("c2")
    panel.select_call("c2")
    assert ([record["id"] for record in records], lines) == (["c2"], [8])
    assert panel.tree.isExpanded(panel.model.index(0, 0))


def test_a_record_is_told_with_its_keys_in_order(panel, run, qtbot):
    panel.apply(run.call(arguments={"z": 1, "a": {"y": 1, "b": 2}}))
    with qtbot.waitSignal(panel.call_selected) as told:
        panel.select_call("c0")
    assert json.dumps(told.args[0]["arguments"]) == '{"z": 1, "a": {"y": 1, "b": 2}}'


def test_selecting_a_line_selects_its_group_and_tells_no_line(panel, run, qtbot):
    panel.apply([*run.starts(4), *run.call("stock", line=3)])
    with qtbot.assertNotEmitted(panel.line_selected):
        panel.select_line(8)
    assert "×4" in panel.tree.currentIndex().data()
    with qtbot.waitSignal(panel.call_selected) as told:
        panel.select_line(3)
    assert told.args[0]["tool"] == "stock"


def test_the_selected_call_is_told_again_when_it_ends(panel, run, qtbot):
    started = run.start()
    panel.apply([started])
    panel.select_call("c0")
    with qtbot.waitSignal(panel.call_selected) as told:
        panel.apply([run.end(started, 7)])
    assert told.args[0]["result"] == 7


def test_it_follows_the_newest_call_until_the_user_scrolls(panel, run, qtbot):
    panel.apply(run.starts(200))
    bar = panel.tree.verticalScrollBar()
    assert panel.tree.visualRect(panel.model.index_of(panel.model.call("c199"))).isValid()
    assert bar.value() == bar.maximum() > 0
    wheel = QWheelEvent(
        QPoint(50, 50), panel.tree.viewport().mapToGlobal(QPoint(50, 50)), QPoint(), QPoint(0, 240),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(panel.tree.viewport(), wheel)
    assert not panel.header.follow.isChecked()
    at = bar.value()
    panel.apply(run.starts(100))
    QApplication.processEvents()
    assert bar.value() == at
    panel.header.follow.click()
    assert bar.value() == bar.maximum()


def test_a_call_that_waits_for_a_person_stays_in_sight_while_others_come(panel, run):
    first = run.start()
    text = Redactor().text("breakpoint", "note")
    panel.apply([first, CallNoted(first.run_id, first.call_id, "waiting", text)])
    panel.reveal_call(first.call_id)
    panel.apply(run.starts(60))
    panel.follower.catch_up()
    waiting = panel.model.index_of(panel.model.call(first.call_id))
    assert panel.tree.viewport().rect().contains(panel.tree.visualRect(waiting))
    panel.apply([CallNoted(first.run_id, first.call_id, "resumed", text), *run.starts(1)])
    assert panel.tree.verticalScrollBar().value() == panel.tree.verticalScrollBar().maximum()


def test_following_keeps_only_the_last_range_open(panel, run):
    for _ in range(12):
        panel.apply(run.starts(300))
    group = panel.model.index(0, 0)
    opened = [panel.tree.isExpanded(panel.model.index(row, 0, group)) for row in range(4)]
    assert opened == [False, False, False, True]


def test_following_does_not_jump_between_loops_that_take_turns(panel, run):
    for _ in range(60):
        panel.apply([run.start("price", line=1)])
        panel.apply([run.start("stock", line=2)])
    first, second = panel.model.index(0, 0), panel.model.index(1, 0)
    assert panel.tree.isExpanded(first) != panel.tree.isExpanded(second)


def test_only_visible_rows_that_run_are_drawn_again(panel, run, qtbot):
    done = run.start("stock", line=1)
    panel.apply([done, run.end(done), run.start()])
    assert len(panel.tree.visible_indexes()) == 2
    panel.tree.update_running()


def test_everything_can_be_opened_and_closed(panel, run):
    panel.apply([*run.starts(5), *run.starts(5, line=9)])
    panel.actions_of_calls.open_all.trigger()
    assert panel.tree.isExpanded(panel.model.index(1, 0))
    panel.actions_of_calls.close_all.trigger()
    assert not panel.tree.isExpanded(panel.model.index(1, 0))


def test_opening_everything_has_a_bound_that_is_told(panel, run):
    panel.apply(run.starts(5_000))
    panel.tree.collapseAll()
    panel.actions_of_calls.open_all.trigger()
    assert any("first 2,000" in text for text in seen_texts(panel))


def test_the_filter_row_narrows_down_and_escape_takes_it_off(panel, run, qtbot):
    panel.apply([*run.call("price"), *run.call("stock")])
    panel.open_filter()
    assert [panel.filter_row.tool.itemText(row) for row in range(3)] == ["Any tool", "price", "stock"]
    qtbot.keyClicks(panel.filter_row.text, "stock")
    qtbot.waitUntil(lambda: panel.header.count.text() == "1 of 2")
    panel.filter_row.text.setText("nothing like it")
    qtbot.waitUntil(lambda: not panel.tree.isVisible())
    assert "No call matches the filter" in seen_texts(panel)
    qtbot.keyClick(panel.filter_row.text, Qt.Key.Key_Escape)
    assert (panel.model.matching, panel.filter_row.isVisible()) == (2, False)


def test_a_filter_takes_in_calls_that_come_later(panel, run, qtbot):
    panel.open_filter()
    panel.filter_row.minimum.setText("50")
    qtbot.waitUntil(lambda: bool(panel.model.filter))
    started = run.starts(3)
    panel.apply(started)
    assert panel.model.matching == 0
    panel.apply([run.end(started[0], ms=80), run.end(started[1], ms=10)])
    qtbot.waitUntil(lambda: panel.model.matching == 1)


def test_a_call_that_is_looked_at_stays_so_when_all_stand_in_their_order(panel, run, qtbot):
    panel.apply([event for _ in range(30) for tool in ("price", "stock") for event in run.call(tool)])
    panel.select_call("c21")
    qtbot.mouseClick(panel.header.group, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 60)
    for rows in (60, 2):
        qtbot.waitUntil(lambda rows=rows: panel.model.rowCount() == rows)
        qtbot.waitUntil(lambda: panel.tree.currentIndex().data(CALL_ID) == "c21")
        assert panel.tree.viewport().rect().contains(panel.tree.visualRect(panel.tree.currentIndex()).center())
        panel.header.group.click()


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "calc.mul(a=1, b='x', c=None)"),
        ("javascript", 'await tools.calc.mul({a: 1, b: "x", c: null})'),
        ("typescript", 'await tools.calc.mul({a: 1, b: "x", c: null})'),
        ("bash", "calc.mul --a 1 --b x --c null"),
    ],
)
def test_a_call_is_copied_as_code(panel, run, qtbot, clipboard, language, code):
    panel.set_language(language)
    panel.apply(run.call("calc.mul", arguments={"a": 1, "b": "x", "c": None}))
    panel.select_call("c0")
    copy(panel, qtbot, panel.actions_of_calls.copy_code)
    assert clipboard.text() == code


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "call_tool(\"get-sum\", {'from': 1})"),
        ("javascript", 'await tools["get-sum"]({from: 1})'),
        ("bash", "get-sum --from 1"),
    ],
)
def test_a_name_that_is_no_identifier_is_copied_as_code_that_works(panel, run, qtbot, clipboard, language, code):
    panel.set_language(language)
    panel.apply(run.call("get-sum", arguments={"from": 1}))
    panel.select_call("c0")
    copy(panel, qtbot, panel.actions_of_calls.copy_code)
    assert clipboard.text() == code


def test_a_call_is_copied_as_json_and_a_group_as_a_list(panel, run, qtbot, clipboard):
    panel.apply(run.starts(3))
    panel.select_call("c1")
    copy(panel, qtbot, panel.actions_of_calls.copy_json)
    assert json.loads(clipboard.text())["id"] == "c1"
    panel.select_line(9)
    panel.tree.select(panel.model.node(panel.model.index(0, 0)))
    copy(panel, qtbot, panel.actions_of_calls.copy_json)
    assert [record["id"] for record in json.loads(clipboard.text())] == ["c0", "c1", "c2"]


def test_calls_are_copied_as_a_table(panel, run, qtbot, clipboard):
    started = run.start(arguments={"text": "a\tb\nc"})
    panel.apply([started, run.fail(started, "no\tway")])
    panel.select_call("c0")
    copy(panel, qtbot, panel.actions_of_calls.copy_table)
    header, row = clipboard.text().split("\n")
    assert header.split("\t")[:4] == ["id", "parent_id", "depth", "name"]
    assert row.split("\t")[-1] == "KeyError: no way"
    assert len(row.split("\t")) == len(header.split("\t"))


def test_the_menu_offers_copies_only_of_a_selection(panel, run):
    panel.apply(run.starts(1))
    menu = panel.actions_of_calls.menu()
    assert not panel.actions_of_calls.copy_json.isEnabled()
    menu.aboutToHide.emit()
    assert panel.actions_of_calls.copy_json.isEnabled()


def test_it_paints_every_kind_of_row_in_both_appearances_and_any_zoom(panel, run):
    outer = run.start("outer", line=2, arguments={"card": "4111", "list": list(range(99))})
    secret = run.start("mail", line=3)
    panel.apply([outer, *run.starts(1_001), secret, run.fail(secret, "Bearer abcdefghijklmnop1234567 is no key")])
    panel.apply(run.starts(3, tool="inner", parent=outer.call_id))
    panel.actions_of_calls.open_all.trigger()
    try:
        for mode, zoom in (("dark", 1.0), ("light", 2.5)):
            theme().set_mode(mode)
            theme().set_zoom(zoom)
            QApplication.processEvents()
            assert not panel.grab().isNull()
            assert panel.tree.rowHeight(panel.model.index(0, 0)) == theme().pixels(26)
    finally:
        theme().set_mode("system")
        theme().set_zoom(1.0)


def test_a_selected_row_under_the_mouse_has_one_colour(panel, run, qtbot, dressed):
    panel.apply([event for _ in range(4) for event in run.call()])
    panel.tree.expandAll()
    panel.select_call("c2")
    chosen = panel.tree.visualRect(panel.tree.currentIndex())
    other = panel.tree.visualRect(panel.tree.indexBelow(panel.tree.currentIndex()))
    grounds = []
    for row in (chosen, other):
        QTest.mouseMove(panel.tree.viewport(), row.center())
        qtbot.wait(1)
        image = panel.tree.viewport().grab().toImage()
        colours = {
            image.pixelColor(x, row.top() + 2).name() for x in (2, row.left() + 2, row.right(), row.right() + 60)
        }
        assert len(colours) == 1, "from the first column to the last"
        grounds += colours
    assert grounds == [theme().colour("selection").name(), row_hover(theme().colours)]
