"""The controllers of a window: makes each once the panels are there, and hands it what it needs."""

from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.ui.aliases.actions import AliasActions
from ptc_studio.ui.breakpoints_and_mocks.mocks import BreakpointsAndMocks
from ptc_studio.ui.calls.lens import RedactionLens
from ptc_studio.ui.command_handlers import CommandHandlers, Pickers
from ptc_studio.ui.context import Context
from ptc_studio.ui.docks import source_actions
from ptc_studio.ui.editor.code_editor import EditorOptions
from ptc_studio.ui.editor.tabs import EditorTabs
from ptc_studio.ui.files.panel import FilesPresenter
from ptc_studio.ui.grants.choice import GrantChoice
from ptc_studio.ui.grants.display import GrantActions, GrantPresenter
from ptc_studio.ui.history.actions import HistoryActions
from ptc_studio.ui.manual_calls.actions import ManualCallActions
from ptc_studio.ui.matrix.panel import MatrixPresenter
from ptc_studio.ui.present.slides import deck_of
from ptc_studio.ui.present.stage import present
from ptc_studio.ui.prompts.controller import Prompts
from ptc_studio.ui.recordings import Cassettes
from ptc_studio.ui.recordings.conversations import Conversations
from ptc_studio.ui.run_bar.runtime_choice import LimitChoice, RuntimeChoice
from ptc_studio.ui.run_presenter import RunPresenter, SelectionSync
from ptc_studio.ui.secrets.passphrase import LockedNotice
from ptc_studio.ui.serving.panel import Serving
from ptc_studio.ui.settings.dialog import open_settings
from ptc_studio.ui.sources.server_question import ServerQuestion
from ptc_studio.ui.targets.actions import TargetRun
from ptc_studio.ui.targets.choice import TargetChoice
from ptc_studio.ui.targets.everywhere import EverywherePresenter
from ptc_studio.ui.tools.panel import ToolPanel
from ptc_studio.ui.tools.presenter import ToolsPresenter
from ptc_studio.ui.tools.source_actions import SourceActions
from ptc_studio.ui.trust import FolderTrust
from ptc_studio.ui.widgets.notice_bar import NoticeBar
from ptc_studio.ui.workspace_watcher import WorkspaceWatcher

if TYPE_CHECKING:
    from ptc_studio.ui.main_window import MainWindow


def fill_window(window: "MainWindow", buffers: Path) -> None:
    """Makes the panels of the window, which has its workbench already, and all that works on them."""
    tools = ToolPanel(source_actions(window.commands))
    tools.wait()
    window.context = context = Context(
        window.workbench, window.settings, NoticeBar(), window.commands, EditorTabs(buffers), tools, window
    )
    context.editors.set_options(EditorOptions.chosen(window.settings.get))
    window.panels.make(context)
    window.add_to_centre(context.messages, context.editors)
    _control_runs(window, context)
    _control_commands(window, context)
    _control_tools(window, context)
    _control_answers(window, context)


def _control_runs(window: "MainWindow", context: Context) -> None:
    panels, run_bar, status_line = window.panels, window.run_bar, window.status_line
    choices = window.settings.of_workspace(window.workspace)
    window.runtimes = RuntimeChoice(context, run_bar, status_line, window.welcome, choices)
    LimitChoice(context, run_bar, choices)
    window.targets = targets = TargetChoice(context, run_bar, window.runtimes, choices)
    target_run = TargetRun(context, targets, window.statusBar())
    window.run = run = RunPresenter(context, panels, run_bar, status_line, window.runtimes, target_run)
    target_run.connect_commands(run)
    EverywherePresenter(context, panels, targets)
    targets.changed.connect(lambda: targets.is_plain or panels.reveal("model_sees"))
    window.history = history = HistoryActions(context, panels, run, run_bar, status_line)
    history.present_asked.connect(lambda past: present(deck_of(past), window))
    MatrixPresenter(context, panels.matrix, status_line, run, history.show_difference)


def _control_commands(window: "MainWindow", context: Context) -> None:
    panels, run_bar, status_line = window.panels, window.run_bar, window.status_line
    window.commands["settingsAction"].triggered.connect(lambda: open_settings(context, run_bar))
    panels.inspector.redactions.rules_asked.connect(lambda: open_settings(context, run_bar, "redaction"))
    selection = SelectionSync(context, panels, status_line, window.run)
    pickers = Pickers(context, panels, window.runtimes)
    handlers = CommandHandlers(context, panels, window.run, status_line, pickers, selection)
    run_bar.redacted.clicked.connect(window.commands["redactedAction"].trigger)
    panels.calls.tree.opened.connect(lambda: panels.show("inspector"))
    handlers.connect_welcome(window.welcome, window.runtimes.open_example)


def _control_tools(window: "MainWindow", context: Context) -> None:
    panels = window.panels
    window.grants = GrantChoice(context)
    ToolsPresenter(context, window.grants)
    GrantPresenter(GrantActions(context, window.grants), window.run_bar.grants, panels.problems, window.run)
    SourceActions(context)
    window.cassettes = cassettes = Cassettes(context, window.statusBar(), window.run)
    FilesPresenter(context, panels.files, cassettes.choose)
    Conversations(context, window.targets, cassettes)
    window.setAcceptDrops(True)
    AliasActions(context)
    ManualCallActions(context, panels.calls)


def _control_answers(window: "MainWindow", context: Context) -> None:
    panels, status_line = window.panels, window.status_line
    window.answers = BreakpointsAndMocks(context, panels, status_line, window.run, window.workspace)
    watcher = WorkspaceWatcher(context)
    window.activated.connect(watcher.on_activated)
    RedactionLens(context, panels.inspector.redactions)
    Prompts(context, panels.calls, panels.inspector, panels.docks["inspectorDock"])
    FolderTrust(context, status_line, window.workspace)
    LockedNotice(context)
    ServerQuestion(context)
    window.serving = Serving(context, panels)
