"""Puts the real panels where the window's first look had their likeness, and connects them."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from ptc_studio.ui.aliases.actions import AliasActions
from ptc_studio.ui.breakpoints_and_mocks.controller import BreakpointsAndMocks
from ptc_studio.ui.breakpoints_and_mocks.panel import BreakpointsAndMocksPanel
from ptc_studio.ui.calls.inspector import CallInspector
from ptc_studio.ui.calls.panel import CallTreePanel
from ptc_studio.ui.command_handlers import CommandHandlers
from ptc_studio.ui.editor.problems_view import ProblemsView
from ptc_studio.ui.editor.tabs import EditorTabs
from ptc_studio.ui.grants.choice import GrantChoice
from ptc_studio.ui.grants.display import GrantPresenter
from ptc_studio.ui.manual_calls.actions import ManualCallActions
from ptc_studio.ui.matrix.panel import MatrixPanel, MatrixPresenter
from ptc_studio.ui.output.panel import OutputPanel
from ptc_studio.ui.prompts.controller import Prompts
from ptc_studio.ui.recordings import Cassettes
from ptc_studio.ui.run_bar.runtime_choice import RuntimeChoice
from ptc_studio.ui.run_presenter import RunPresenter
from ptc_studio.ui.selection_sync import SelectionSync
from ptc_studio.ui.timeline.view import TimelineView
from ptc_studio.ui.tools.panel import ToolPanel
from ptc_studio.ui.tools.presenter import ToolsPresenter
from ptc_studio.ui.tools.source_actions import SourceActions
from ptc_studio.ui.trust import FolderTrust
from ptc_studio.ui.widgets.labels import CornerNote
from ptc_studio.ui.widgets.notice_bar import NoticeBar
from ptc_studio.ui.workspace_watcher import WorkspaceWatcher

if TYPE_CHECKING:
    from pathlib import Path

    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.main_window import MainWindow


def make_panels(window: "MainWindow", buffers: "Path", settings: "Settings") -> None:
    """Makes every panel of the window, which has its workbench already."""
    window.tools = ToolPanel([window.commands["addSourceAction"], window.commands["addAliasAction"]])
    window.tools.wait()
    window.calls = CallTreePanel()
    window.inspector = CallInspector()
    window.output = OutputPanel()
    window.timeline = TimelineView(window.calls.model)
    window.concurrency = CornerNote(window.bottom)
    window.problems = ProblemsView()
    window.editors = EditorTabs(buffers)
    window.notice = NoticeBar()
    window.matrix = MatrixPanel()
    answers = BreakpointsAndMocksPanel()
    _put_in_place(window)
    _put_tab(window, 4, answers)
    window.run = RunPresenter(window)
    window.runtimes = RuntimeChoice(window, settings)
    MatrixPresenter(window)
    coupling = SelectionSync(window, window.run)
    window.handlers = CommandHandlers(window, coupling)
    window.grants = GrantChoice(window, settings)
    ToolsPresenter(window)
    GrantPresenter(window)
    SourceActions(window)
    Cassettes(window, settings)
    AliasActions(window)
    ManualCallActions(window, settings)
    window.answers = BreakpointsAndMocks(window, answers, settings)
    WorkspaceWatcher(window)
    Prompts(window)
    FolderTrust(window, settings)


def _put_in_place(window: "MainWindow") -> None:
    # One repaint for all of it.
    window.setUpdatesEnabled(False)
    docks = window.docks
    for dock, panel in ((docks.tools, window.tools), (docks.calls, window.calls), (docks.inspector, window.inspector)):
        docks.put(dock, panel)
    docks.furnish_bottom()
    _put_tab(window, 0, window.output)
    _put_tab(window, 1, window.timeline)
    _put_tab(window, 2, window.problems)
    _put_tab(window, 3, window.matrix)
    window.add_to_centre(window.notice, window.editors)
    window.setUpdatesEnabled(True)


def _put_tab(window: "MainWindow", index: int, panel: QWidget) -> None:
    tabs, chosen = window.bottom, window.bottom.currentIndex()
    title, about, likeness = tabs.tabText(index), tabs.tabToolTip(index), tabs.widget(index)
    seen = tabs.isTabVisible(index)
    tabs.removeTab(index)
    tabs.insertTab(index, panel, title)
    tabs.setTabToolTip(index, about)
    tabs.setTabVisible(index, seen)
    tabs.setCurrentIndex(chosen)
    if likeness is not None:
        likeness.deleteLater()
