"""Tests of the run bar."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QComboBox, QLayout

from ptc_studio.runtimes.catalog import RuntimeInfo
from ptc_studio.ui.grants.selector import ALL
from ptc_studio.ui.run_bar.bar import RunBar
from ptc_studio.ui.run_bar.figures import DepthGauge, RedactedCount
from ptc_studio.ui.run_bar.runtime_selector import RuntimeModel, title, tooltip
from ptc_studio.ui.stylesheet import stylesheet
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.choice_selector import ChoiceRow, ChoiceRows
from tests.ui.conftest import every_font
from tests.ui.seen import child, figure

PYTHON = RuntimeInfo("python", "Python", "python", ".py", True, "3.11.2", "/usr/bin/python3", "process")
OPEN = RuntimeInfo("open", "Python in process (no isolation)", "python", ".py", True, "3.11.2", None, "no isolation")
NODE = RuntimeInfo("node", "Node.js", "js", ".js", False, None, None, "process", "node is not installed: install it.")


@pytest.fixture
def bar(qtbot, dressed) -> RunBar:
    made = RunBar(QAction("Run", dressed, shortcut="F5"), QAction("Stop", dressed))
    # As in the window: a window of its own would be made as large as it wants to be.
    made.layout().setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    made.resize(1280, 46)
    qtbot.addWidget(made)
    made.set_runtimes([NODE, PYTHON, OPEN])
    made.show()
    return made


def test_the_model_keeps_qts_rules(qtmodeltester, qapp) -> None:
    model = RuntimeModel()
    for count in range(4):
        model.set_infos([NODE, PYTHON, OPEN][:count])
        qtmodeltester.check(model)


def test_the_first_usable_runtime_is_chosen(bar) -> None:
    assert bar.runtime_id() == "python"
    assert bar.findChild(QComboBox, "runtimeSelector").currentText() == "Python 3.11"


def test_what_cannot_be_used_cannot_be_chosen(bar, qtbot) -> None:
    bar.set_runtime("node")
    assert bar.runtime_id() == "python"
    assert not bar.selector.runtimes.flags(bar.selector.runtimes.index(0)) & Qt.ItemFlag.ItemIsEnabled
    qtbot.keyClick(bar.selector, Qt.Key.Key_Up)
    assert bar.runtime_id() == "python"
    assert "install it" in bar.selector.itemData(0, Qt.ItemDataRole.ToolTipRole)


def test_the_choice_outlives_a_new_list(bar, qtbot) -> None:
    with qtbot.waitSignal(bar.runtime_changed) as told:
        bar.set_runtime("open")
    assert told.args == ["open"]
    bar.set_runtimes([PYTHON, OPEN, NODE])
    assert bar.runtime_id() == "open"
    bar.set_runtimes([PYTHON, replace(OPEN, available=False)])
    assert bar.runtime_id() == "python"


def test_without_runtimes_there_is_no_choice(bar) -> None:
    bar.set_runtimes([])
    bar.grab()
    assert bar.runtime_id() == ""


def test_a_version_is_shown_where_it_is_that_of_the_language() -> None:
    compiled = replace(PYTHON, id="typescript", name="TypeScript", language="typescript", version="24.19.0")
    by_node = replace(compiled, executable="/usr/bin/node")
    assert title(by_node) == "TypeScript"
    assert tooltip(by_node).startswith("TypeScript, by node 24.19.0")
    rust = replace(by_node, id="rust", name="Rust", language="rust", version="1.95.0", executable="/usr/bin/rustc")
    assert (title(rust), title(replace(rust, executable=None))) == ("Rust 1.95", "Rust")


def test_isolation_is_named_once() -> None:
    assert title(OPEN) == "Python in process 3.11"


def test_the_limit_is_in_seconds(bar) -> None:
    assert bar.timeout() == 30
    bar.set_timeout(12.0)
    assert (bar.timeout(), bar.limit.text()) == (12, "Limit  12 s")


def test_the_eye_goes_to_run_and_during_a_run_to_stop(bar) -> None:
    assert (bar.run_button.property("primary"), bar.stop_button.property("primary")) == (True, False)
    bar.set_running(True)
    assert (bar.run_button.property("primary"), bar.stop_button.property("primary")) == (False, True)
    assert not bar.selector.isEnabled()


def test_the_buttons_are_those_of_the_actions(bar, qtbot) -> None:
    action = bar.run_button.defaultAction()
    with qtbot.waitSignal(action.triggered):
        qtbot.mouseClick(bar.run_button, Qt.MouseButton.LeftButton)
    action.setEnabled(False)
    assert not bar.run_button.isEnabled()


def test_the_figures_are_shown(bar) -> None:
    bar.set_stats(1.844, 1045, 2, 5, 3)
    assert figure(bar, "Elapsed").value.text() == "1.84 s"
    assert figure(bar, "Calls").value.text() == "1,045"
    assert figure(bar, "Depth").value.text() == "2/5"
    assert child(bar, RedactedCount).isVisible()
    bar.set_stats(0, 0, 0, 5, 0)
    assert not child(bar, RedactedCount).isVisible()


@pytest.mark.parametrize("zoom", [1.0, 1.5])
def test_the_bar_fits_a_small_window(bar, qtbot, zoom) -> None:
    theme().set_zoom(zoom)
    bar.resize(round(1024 * zoom), bar.height())
    bar.set_stats(999.99, 99_999, 5, 5, 999)
    bar.show_compiled(999_990.0)
    try:
        bar.grants.expect("finance-quarterly-review-read-only")
        qtbot.waitUntil(lambda: bar.minimumSizeHint().width() <= 1024 * zoom)
        assert figure(bar, "Elapsed").toolTip() == "Compiled 999.99 s"
    finally:
        theme().set_zoom(1.0)


@every_font
@pytest.mark.parametrize(("width", "zoom"), [(1024, 1.0), (1024, 1.5), (1280, 2.0), (1280, 3.0)])
def test_how_a_run_stands_is_the_last_to_give_way(bar, interface_font, dressed, qtbot, width, zoom) -> None:
    theme().set_fonts(interface_font)
    theme().set_zoom(zoom)
    dressed.setFont(theme().text_font())
    dressed.setStyleSheet(stylesheet(theme()))
    theme().changed.emit()
    bar.resize(width, bar.height())
    try:
        bar.show_compiling(99.99)
        bar.set_stats(0, 0, 0, 5, 999)
        qtbot.waitUntil(lambda: bar.minimumSizeHint().width() <= width)
        assert figure(bar, "Compiling…").isVisible()
        bar.show_compiled(99_990.0)
        bar.set_stats(999.99, 99_999, 5, 5, 999)
        qtbot.waitUntil(lambda: bar.minimumSizeHint().width() <= width)
        assert figure(bar, "Elapsed").isVisible()
        bar.resize(4000, bar.height())
        shown = (
            bar.limit,
            child(bar, RedactedCount),
            figure(bar, "Compiled"),
            figure(bar, "Elapsed"),
            figure(bar, "Calls"),
            figure(bar, "Depth"),
            child(bar, DepthGauge),
        )
        qtbot.waitUntil(lambda: all(part.isVisible() for part in shown))
    finally:
        theme().set_zoom(1.0)


@pytest.mark.parametrize("zoom", [1.0, 1.5])
def test_every_runtime_and_grant_has_room_in_a_small_window_before_a_run(bar, qtbot, zoom) -> None:
    theme().set_zoom(zoom)
    bar.set_runtime("open")
    bar.grants.expect("readonly")
    bar.resize(round(1024 * zoom), bar.height())
    bar.set_stats(0, 0, 0, 5, 0)
    try:
        qtbot.waitUntil(lambda: bar.minimumSizeHint().width() <= 1024 * zoom)
        name = QFontMetrics(theme().text_font(bold=True)).horizontalAdvance("readonly")
        assert bar.grants.width() >= name + theme().pixels(8 * SPACE)
    finally:
        theme().set_zoom(1.0)


def test_a_long_name_of_a_grant_is_cut_and_told_whole(bar) -> None:
    bar.grants.expect("a-name-that-is-much-longer-than-anybody-wants-to-read")
    assert bar.grants.sizeHint().width() < 320
    assert bar.grants.currentText() == "a-name-that-is-much-longer-than-anybody-wants-to-read"
    bar.grab()


def test_the_rows_of_the_grants_keep_qts_rules(qtmodeltester, qapp) -> None:
    model = ChoiceRows()
    for count in range(4):
        model.set_rows(
            [ALL, ChoiceRow("set", "a", "a", "1 of 3"), ChoiceRow("line"), ChoiceRow("action", "Edit…", "e")][:count]
        )
        qtmodeltester.check(model)
