"""The timeline as one sees and uses it."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ptc_studio.ui.theme import theme
from ptc_studio.ui.timeline.view import TimelineView
from ptc_studio.ui.widgets.labels import TIMELINE
from tests.ui.seen import seen_texts


@pytest.fixture
def timeline(panel, qtbot) -> TimelineView:
    view = TimelineView(panel.model)
    qtbot.addWidget(view)
    view.resize(700, 220)
    view.show()
    view.start_run()
    panel.call_selected.connect(lambda record: view.choose(record["id"] if record else None))
    view.call_chosen.connect(panel.select_call)
    return view


def shown(view: TimelineView, qtbot) -> None:
    view.refresh()
    qtbot.waitUntil(lambda: not view.busy)


def middle_of(view: TimelineView, panel, call_id: str) -> QPoint:
    """In the midst of what is seen of the call's bar."""
    call = panel.model.any_call(call_id)
    x = round(view.scale.x(call.start + (call.end - call.start) / 2))
    rows = [y for y in range(view.viewport().height()) if view.call_at(QPoint(x, y)) is call]
    assert rows, f"{call_id} is out of sight"
    return QPoint(x, rows[len(rows) // 2])


def test_before_the_first_call_it_says_what_to_do(timeline, run, panel, qtbot) -> None:
    shown(timeline, qtbot)
    assert TIMELINE in seen_texts(timeline)
    panel.apply(run.call())
    shown(timeline, qtbot)
    assert TIMELINE not in seen_texts(timeline)
    assert (timeline.objectName(), timeline.accessibleName()) == ("timelineView", "Timeline")
    assert timeline.accessibleDescription() == "1 calls of 1 tools"


def test_a_bar_is_drawn_where_the_call_ran_in_the_colour_of_how_it_ended(timeline, run, panel, qtbot) -> None:
    good, bad = run.start("price", at=0.0), run.start("stock", at=500.0)
    panel.apply([good, run.end(good, ms=400.0), bad, run.fail(bad)])
    panel.apply(run.call("price", at=990.0))
    # Else the whole is longer, and each bar shorter, the longer this takes.
    panel.end_run()
    shown(timeline, qtbot)
    picture = timeline.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()

    def hue(point: QPoint) -> int:
        return QColor(picture.pixel(round(point.x() * ratio), round(point.y() * ratio))).hue()

    assert abs(hue(middle_of(timeline, panel, "c0")) - theme().colour("accent").hue()) < 12
    assert abs(hue(middle_of(timeline, panel, "c1")) - theme().colour("error").hue()) < 12


def test_a_click_chooses_the_call_in_the_tree_and_a_call_chosen_there_is_marked_here(
    timeline, run, panel, qtbot
) -> None:
    for at in (0.0, 300.0, 600.0):
        started = run.start(at=at)
        panel.apply([started, run.end(started, ms=200.0)])
    shown(timeline, qtbot)
    QTest.mouseClick(timeline.viewport(), Qt.MouseButton.LeftButton, pos=middle_of(timeline, panel, "c1"))
    assert panel.model.record(panel.tree.currentIndex())["id"] == "c1"
    panel.select_call("c2")
    assert timeline.chosen is panel.model.any_call("c2")
    QTest.keyClick(timeline, Qt.Key.Key_Left)
    QTest.keyClick(timeline, Qt.Key.Key_Left)
    QTest.keyClick(timeline, Qt.Key.Key_Left)
    assert panel.model.record(panel.tree.currentIndex())["id"] == "c0"


def test_what_is_chosen_is_brought_into_view(timeline, run, panel, qtbot) -> None:
    for number in range(40):
        panel.apply(run.call(f"tool_{number}", at=number * 10.0))
    shown(timeline, qtbot)
    timeline.zoom(0.1, 0.0)
    panel.select_call("c39")
    assert timeline.verticalScrollBar().value() > 0
    assert timeline.scale.first <= 390.0 <= timeline.scale.last
    assert timeline.viewport().rect().contains(middle_of(timeline, panel, "c39"))


def test_the_wheel_zooms_around_the_pointer_and_a_double_click_shows_all(timeline, run, panel, qtbot) -> None:
    started = run.start(at=0.0)
    panel.apply([started, run.end(started, ms=1_000.0)])
    panel.end_run()
    shown(timeline, qtbot)
    at = QPointF(timeline.scale.x(700.0), 60.0)
    before, control = timeline.scale.moment(at.x()), Qt.KeyboardModifier.ControlModifier
    turn = QWheelEvent(
        at, timeline.viewport().mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, control,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(timeline.viewport(), turn)
    assert timeline.scale.length < 900.0
    assert timeline.scale.moment(at.x()) == pytest.approx(before)
    assert timeline.horizontalScrollBar().maximum() > 0
    timeline.horizontalScrollBar().setValue(0)
    assert timeline.scale.first == 0.0
    QTest.mouseDClick(timeline.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 200))
    assert timeline.horizontalScrollBar().maximum() == 0


def test_a_tooltip_tells_the_call_and_its_times_and_the_name_of_a_lane_in_full(timeline, run, panel, qtbot) -> None:
    started = run.start("a_tool_with_a_name_that_is_far_too_long_for_the_left_of_the_timeline", at=20.0)
    panel.apply([started, run.end(started, ms=500.0)])
    shown(timeline, qtbot)
    told = timeline.tip_at(middle_of(timeline, panel, "c0"))
    assert "number=0" in told
    assert told.endswith("500 ms, from 20 ms on")
    assert timeline.tip_at(QPoint(10, 40)).startswith("a_tool_with_a_name_that_is_far_too_long_for_the_left")
    assert timeline.tip_at(QPoint(10, 5)) == ""


def test_a_filter_of_the_tree_hides_nothing_here(timeline, run, panel, qtbot) -> None:
    panel.apply([*run.call("price"), *run.call("stock")])
    panel.header.filter.setChecked(True)
    panel.filter_row.text.setText("stock")
    qtbot.waitUntil(lambda: panel.model.matching == 1)
    shown(timeline, qtbot)
    assert timeline.lanes == ["price", "stock"]


def test_a_new_run_begins_with_an_empty_timeline(timeline, run, panel, qtbot) -> None:
    panel.apply(run.call("price"))
    shown(timeline, qtbot)
    panel.start_run()
    timeline.start_run()
    assert timeline.lanes == []
    panel.apply(run.call("stock"))
    timeline.end_run()
    qtbot.waitUntil(lambda: timeline.lanes == ["stock"])


def test_while_nobody_can_see_it_nothing_is_done_and_then_all_at_once(timeline, run, panel, qtbot) -> None:
    timeline.hide()
    for _ in range(3):
        panel.apply([event for _ in range(400) for event in run.call()])
    timeline.refresh()
    assert timeline.accessibleDescription() == "0 calls of 0 tools"
    timeline.show()
    qtbot.waitUntil(lambda: timeline.accessibleDescription().startswith("1,200 calls"))


def test_zoom_and_theme_are_followed(timeline, run, panel, qtbot) -> None:
    def lane_height() -> int:
        return sum(bool(timeline.tip_at(QPoint(10, y))) for y in range(timeline.viewport().height()))

    panel.apply(run.call("price"))
    shown(timeline, qtbot)
    before = lane_height()
    theme().set_zoom(2.0)
    try:
        assert lane_height() == 2 * before
        timeline.viewport().grab()
    finally:
        theme().set_zoom(1.0)
