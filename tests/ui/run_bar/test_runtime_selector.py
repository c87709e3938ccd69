"""The runtime selector: what is looked for, what is missing, and what it would take."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest

from ptc_studio.runtimes.catalog import RuntimeInfo
from ptc_studio.ui.run_bar.bar import RunBar
from ptc_studio.ui.run_bar.runtime_selector import DOT, RuntimeModel, subtitle, tooltip
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from tests.ui.seen import figure

PYTHON = RuntimeInfo("python", "Python", "python", ".py", True, "3.11.2", "/usr/bin/python3", "bubblewrap")
OPEN = RuntimeInfo("open", "Python in process (no isolation)", "python", ".py", True, "3.11.2", None, "no isolation")
GO = RuntimeInfo(
    "go", "Go", "go", ".go", False, None, None, "", "Go is not installed: apt install golang", "apt install golang"
)


def sought(info: RuntimeInfo) -> RuntimeInfo:
    reason = f"{info.name} is being looked for."
    return replace(info, available=False, version=None, isolation="", reason=reason, remedy="", sought=True)


@pytest.fixture
def bar(qtbot, dressed) -> RunBar:
    made = RunBar(QAction("Run", dressed), QAction("Stop", dressed))
    qtbot.addWidget(made)
    made.show()
    return made


def test_one_that_is_looked_for_can_be_chosen_and_stays_so_once_it_is_found(bar) -> None:
    bar.set_runtimes([sought(PYTHON), sought(OPEN), sought(GO)])
    bar.set_runtime("open")
    assert (bar.runtime_id(), bar.selector.words) == (
        "open",
        ("Python in process (no isolation)", "is being looked for…"),
    )
    changes = []
    bar.runtime_changed.connect(changes.append)
    bar.set_runtimes([PYTHON, OPEN, GO])
    assert (bar.runtime_id(), changes) == ("open", [])
    assert bar.selector.words == ("Python in process 3.11", "▲ no isolation")


def test_one_that_turns_out_to_be_missing_makes_way(bar) -> None:
    bar.set_runtimes([sought(PYTHON), sought(GO)])
    bar.set_runtime("go")
    bar.set_runtimes([PYTHON, GO])
    assert bar.runtime_id() == "python"


def test_the_words_of_the_last_time_stay_while_the_same_runtime_is_looked_for(bar) -> None:
    bar.selector.expect("Python 3.11", "bubblewrap")
    bar.set_runtimes([sought(PYTHON), sought(GO)])
    assert bar.selector.words == ("Python 3.11", "bubblewrap")
    bar.set_runtime("go")
    assert bar.selector.words == ("Go", "is being looked for…")


def test_what_becomes_known_changes_rows_and_does_not_reset_the_list(qtmodeltester, qapp) -> None:
    model = RuntimeModel()
    model.set_infos([sought(PYTHON), sought(GO)])
    qtmodeltester.check(model)
    resets, changes = [], []
    model.modelReset.connect(lambda: resets.append(1))
    model.dataChanged.connect(lambda first, *_: changes.append(first.row()))
    model.set_infos([sought(PYTHON), GO])
    model.set_infos([PYTHON, GO])
    assert (resets, changes) == ([], [1, 0])


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_remark_stands_there_whole_in_a_usual_window_whatever_the_version(bar, version: str) -> None:
    theme().set_fonts()
    bar.set_runtimes([replace(PYTHON, version=version)])
    # What a window of 1280 leaves it after a run with all its figures.
    bar.selector.setFixedWidth(205)
    (name, about), area = bar.selector.words, bar.selector.words_area()
    bold, plain = QFontMetrics(theme().text_font(bold=True)), QFontMetrics(theme().text_font())
    assert DOT + 4 * SPACE + bold.horizontalAdvance(name) + plain.horizontalAdvance(about) <= area.width()


def test_no_isolation_is_a_warning_with_a_mark() -> None:
    assert (subtitle(OPEN), subtitle(PYTHON)) == ("▲ no isolation", "bubblewrap")


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_click_on_a_missing_runtime_copies_the_command_and_the_list_stays_open(bar, qtbot) -> None:
    bar.set_runtimes([PYTHON, GO])
    bar.selector.showPopup()
    view = bar.selector.view()
    qtbot.waitUntil(view.isVisible)
    QGuiApplication.clipboard().setText("")
    place = view.visualRect(bar.selector.runtimes.index(1)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert QGuiApplication.clipboard().text() == "apt install golang"
    assert view.isVisible()
    assert bar.runtime_id() == "python"
    assert "Click to copy" in tooltip(GO)
    assert tooltip(replace(PYTHON, gaps=("It shares the kernel.",))).endswith(
        "What this does not hold:\nIt shares the kernel."
    )
    bar.selector.grab()
    view.grab()
    bar.selector.hidePopup()


def test_there_is_nothing_to_copy_for_what_can_be_used_or_has_no_command(bar) -> None:
    bar.set_runtimes([PYTHON, replace(GO, remedy="")])
    assert not bar.selector.copy_remedy(0)
    assert not bar.selector.copy_remedy(1)


def test_compiling_is_shown_with_its_time_and_then_what_it_took(bar) -> None:
    assert not figure(bar, "Compiled").isVisible()
    bar.show_compiling(0.318)
    assert figure(bar, "Compiling…").value.text() == "0.32 s"
    bar.show_compiled(421.7)
    assert figure(bar, "Compiled").value.text() == "0.42 s"
    bar.show_compiled(None)
    assert not figure(bar, "Compiled").isVisible()
