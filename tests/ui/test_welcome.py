"""Tests of the welcome page."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from ptc_studio.locations import EXAMPLES
from ptc_studio.samples import TaskFigures
from ptc_studio.ui.welcome import TwoWays, Welcome, readable_name


@pytest.fixture
def welcome(qtbot, dressed) -> Welcome:
    made = Welcome([Path("/home/me/shop")])
    qtbot.addWidget(made)
    made.show()
    return made


def press(qtbot, welcome: Welcome, text: str) -> None:
    button = next(each for each in welcome.findChildren(QPushButton) if each.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("Run the demo", "demo_requested"),
        ("Open a script…", "open_script_requested"),
        ("Open a folder…", "open_workspace_requested"),
        ("New workspace…", "new_workspace_requested"),
        ("Import…", "servers_requested"),
        ("Add a server…", "server_requested"),
        ("Read the guide", "guide_requested"),
    ],
)
def test_each_button_has_its_signal(welcome, qtbot, text, signal) -> None:
    with qtbot.waitSignal(getattr(welcome, signal)):
        press(qtbot, welcome, text)


def test_an_example_can_be_opened(welcome, qtbot) -> None:
    with qtbot.waitSignal(welcome.example_requested) as told:
        press(qtbot, welcome, "One call")
    assert told.args == [EXAMPLES / "01_one_call.py"]


def test_a_recent_workspace_can_be_opened(welcome, qtbot) -> None:
    with qtbot.waitSignal(welcome.workspace_requested) as told:
        press(qtbot, welcome, "shop")
    assert told.args == [Path("/home/me/shop")]


def test_a_file_name_is_spoken() -> None:
    assert readable_name(Path("05_error_handled.py")) == "Error handled"


def test_an_example_says_what_it_shows(welcome) -> None:
    link = next(each for each in welcome.findChildren(QPushButton) if each.text() == "Nested")
    assert link.toolTip() == "Tools that call tools: fulfil_order calls reserve, and reserve calls stock_level."


def test_the_two_ways_have_the_figures_of_the_demo_until_it_has_run_here(welcome) -> None:
    shown = welcome.findChild(TwoWays)
    assert "41 turns · about 17,000 tokens read · 4.4 s for tools" in shown.accessibleName()
    assert "1 turn · about 280 tokens read · 0.5 s for tools" in shown.accessibleName()
    welcome.set_figures(TaskFigures(7, 1000, 100, 2100, 300))
    assert "7 turns · about 1,000 tokens read · 2.1 s for tools" in shown.accessibleName()
