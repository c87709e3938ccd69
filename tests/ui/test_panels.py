"""A panel more is a row of the table."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from ptc_studio.ui import panels
from ptc_studio.ui.commands import FROM_PANELS, TO_PANELS
from ptc_studio.ui.panels import Panel, panel_commands


class LogPanel(QLabel):
    """Counts the runs."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.told: list[str] = []

    def start_run(self) -> None:
        self.told.append("started")

    def end_run(self, record: dict[str, Any]) -> None:
        self.told.append(record["status"])


LOG = Panel("log", "Log", lambda _context, _panels: LogPanel(), "What was logged", "Ctrl+Alt+9")
ASIDE = Panel("aside", "Aside", lambda _context, _panels: LogPanel(), shortcut="Ctrl+8", dock="asideDock")


@pytest.fixture
def _more_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels, "PANELS", (*panels.PANELS, LOG, ASIDE))


@pytest.mark.usefixtures("_more_panels")
class TestAPanelMore:
    async def test_has_a_tab_with_a_tooltip(self, studio) -> None:
        window = studio.window
        assert window.panels.tab_text("log") == "Log"
        assert window.panels.tab_tooltip("log") == "What was logged"

    async def test_is_in_the_view_menu_and_comes_by_its_shortcut(self, studio) -> None:
        window = studio.window
        entry = window.commands["logAction"]
        assert entry in window.commands.menus["View"].actions()
        assert (entry.text(), entry.shortcut()) == ("Log", QKeySequence("Ctrl+Alt+9"))
        window.activateWindow()
        QTest.keySequence(window, entry.shortcut())
        await studio.until(lambda: window.panels.is_selected("log"))
        assert window.panels["log"].isVisible()

    async def test_is_told_of_the_start_and_the_end_of_a_run(self, studio) -> None:
        await studio.run("1\n")
        assert studio.window.panels["log"].told == ["started", "ok"]
        assert studio.window.panels["aside"].told == ["started", "ok"]

    async def test_can_have_a_dock_of_its_own(self, studio) -> None:
        window = studio.window
        dock = window.panels.docks["asideDock"]
        assert dock.windowTitle() == "Aside"
        assert dock.isAncestorOf(window.panels["aside"])
        dock.hide()
        window.commands["asideAction"].trigger()
        assert window.panels["aside"].isVisible()


async def test_the_usual_panels_have_the_shortcuts_from_1_to_6(studio) -> None:
    names = ("tools", "output", "calls", "inspector", "timeline", "problems")
    keys = [studio.window.commands[f"{name}Action"].shortcut().toString() for name in names]
    assert keys == [f"Ctrl+{number}" for number in range(1, 7)]


def test_no_key_belongs_to_two_commands() -> None:
    keys = [key for command in (*TO_PANELS, *panel_commands(), *FROM_PANELS) for key in command.keys]
    assert sorted(keys) == sorted(set(keys))
