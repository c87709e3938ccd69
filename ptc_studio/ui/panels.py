"""The panels of the window: one row each, of which its place, tab, tooltip, command and first look are made.

The table is read before the first paint, so what a row makes is imported when it is made. A panel with `start_run` and
`end_run` is told of runs by having them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow, QTabWidget, QWidget

from ptc_studio.ui.commands import Actions, Command
from ptc_studio.ui.docks import BOTTOM_DOCK, FILES_DOCK, Docks
from ptc_studio.ui.startup_placeholders import (
    calls_placeholder,
    files_placeholder,
    framed,
    inspector_placeholder,
    output_placeholder,
    source_actions,
    tools_placeholder,
)
from ptc_studio.ui.widgets.buttons import TabCorner

if TYPE_CHECKING:
    from ptc_studio.core.trace import RunRecord
    from ptc_studio.ui.breakpoints_and_mocks.panel import BreakpointsAndMocksPanel
    from ptc_studio.ui.calls.inspector import CallInspector
    from ptc_studio.ui.calls.panel import CallTreePanel
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.problems_view import ProblemsView
    from ptc_studio.ui.files.panel import FilesPanel
    from ptc_studio.ui.history.difference_view import DifferenceView
    from ptc_studio.ui.history.panel import HistoryPanel
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.matrix.panel import MatrixPanel
    from ptc_studio.ui.output.panel import OutputPanel
    from ptc_studio.ui.serving.panel import ServingPanel
    from ptc_studio.ui.targets.everywhere import EverywherePanel
    from ptc_studio.ui.targets.model_sees import ModelSeesPanel
    from ptc_studio.ui.timeline.view import TimelineView
    from ptc_studio.ui.tools.panel import ToolPanel


@dataclass(frozen=True, slots=True)
class Panel:
    """One row of the table."""

    id: str
    title: str
    """Short: all tabs are to be seen in the smallest window."""
    make: "Callable[[Context, Panels], QWidget]"
    """Makes the panel; those of the rows above are there already."""
    tooltip: str = ""
    """Of the tab: what the panel is for."""
    shortcut: str = ""
    """Brings it to the front; with one it is in the View menu."""
    placeholder: Callable[[Actions], QWidget] = lambda _commands: QWidget()
    """What the first paint shows in its place."""
    dock: str = BOTTOM_DOCK
    """The object name of the dock that it is in; in the one at the bottom each panel is a tab."""
    shown: bool = True
    """Whether its tab is there from the start."""
    focus: str = ""
    """The attribute of the panel that gets the keyboard; the panel itself if empty."""


def _files(context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.files.panel import FilesPanel

    return FilesPanel(context.commands["newAction"])


def _output(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.output.panel import OutputPanel

    return OutputPanel()


def _calls(context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.calls.panel import CallTreePanel

    panel, settings = CallTreePanel(), context.settings
    panel.header.group.setChecked(settings.get("group_calls", True))
    panel.header.group.toggled.connect(lambda on: settings.set("group_calls", on, usual=True))
    return panel


def _inspector(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.calls.inspector import CallInspector

    return CallInspector()


def _timeline(_context: "Context", panels: "Panels") -> QWidget:
    from ptc_studio.ui.timeline.view import TimelineView

    return TimelineView(panels.calls.model)


def _problems(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.editor.problems_view import ProblemsView

    return ProblemsView()


def _matrix(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.matrix.panel import MatrixPanel

    return MatrixPanel()


def _model_sees(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.targets.model_sees import ModelSeesPanel

    return ModelSeesPanel()


def _everywhere(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.targets.everywhere import EverywherePanel

    return EverywherePanel()


def _answers(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.breakpoints_and_mocks.panel import BreakpointsAndMocksPanel

    return BreakpointsAndMocksPanel()


def _history(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.history.panel import HistoryPanel

    return HistoryPanel()


def _difference(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.history.difference_view import DifferenceView

    return DifferenceView()


def _serving(_context: "Context", _panels: "Panels") -> QWidget:
    from ptc_studio.ui.serving.panel import ServingPanel

    return ServingPanel()


PANELS = (
    Panel(
        "tools",
        "Tools",
        lambda context, _panels: context.tools,
        shortcut="Ctrl+1",
        placeholder=tools_placeholder,
        dock="toolDock",
        focus="filter",
    ),
    Panel("files", "Files", _files, "", "Ctrl+Shift+E", files_placeholder, FILES_DOCK, focus="filter"),
    Panel("output", "Output", _output, "What the script writes", "Ctrl+2", output_placeholder, focus="view"),
    Panel("calls", "Calls", _calls, shortcut="Ctrl+3", placeholder=calls_placeholder, dock="callDock", focus="tree"),
    Panel("inspector", "Inspector", _inspector, "", "Ctrl+4", inspector_placeholder, "inspectorDock", focus="tabs"),
    Panel(
        "timeline",
        "Timeline",
        _timeline,
        "When each call ran, and what ran at once: Ctrl+wheel zooms, 0 shows all",
        "Ctrl+5",
    ),
    Panel("problems", "Problems", _problems, "What is wrong with the script", "Ctrl+6"),
    # Shown as soon as a target is chosen: elsewhere nothing goes back to a model.
    Panel(
        "model_sees",
        "Model sees",
        _model_sees,
        "What the model gets back, to the letter",
        "Ctrl+Shift+M",
        shown=False,
    ),
    # Shown from the first time that it is asked for.
    Panel("everywhere", "Targets", _everywhere, "Will it run there? The script against every target", shown=False),
    # Shown from the first comparison on.
    Panel("matrix", "Compared", _matrix, "One script in every runtime for it, side by side", shown=False),
    # Shown from the first run on that is kept.
    Panel(
        "history",
        "History",
        _history,
        "Past runs: search, open, compare, share",
        "Ctrl+H",
        shown=False,
        focus="search",
    ),
    Panel("difference", "Difference", _difference, "Two runs side by side", shown=False, focus="tree"),
    # Shown from the first breakpoint or mock on.
    Panel(
        "answers",
        "Breakpoints & mocks",
        _answers,
        "Where calls stop, and what answers instead of tools",
        "Ctrl+Shift+B",
        shown=False,
    ),
    # Shown from the first time on.
    Panel("serving", "Serve", _serving, "The tools for scripts and agents elsewhere on this machine", shown=False),
)


def panel_commands() -> list[Command]:
    """The entries of the View menu."""
    rows = [row for row in PANELS if row.shortcut]
    return [Command(f"{row.id}Action", "View", row.title, (row.shortcut,), separated=row is rows[0]) for row in rows]


class Panels:
    """The panels of one window by id: the first paint's placeholders, then the real ones in their places."""

    tools: "ToolPanel"
    files: "FilesPanel"
    output: "OutputPanel"
    calls: "CallTreePanel"
    inspector: "CallInspector"
    timeline: "TimelineView"
    problems: "ProblemsView"
    model_sees: "ModelSeesPanel"
    everywhere: "EverywherePanel"
    matrix: "MatrixPanel"
    history: "HistoryPanel"
    difference: "DifferenceView"
    answers: "BreakpointsAndMocksPanel"
    serving: "ServingPanel"

    def __init__(self, window: QMainWindow, commands: Actions, *, has_workspace: bool = True) -> None:
        self._window = window
        self._rows = {row.id: row for row in PANELS}
        self._widgets = {row.id: row.placeholder(commands) for row in PANELS}
        self.bottom = QTabWidget(documentMode=True)
        self.bottom.setObjectName("bottomTabs")
        self.bottom.setAccessibleName("Output, timeline, history and more")
        self.corner = TabCorner(self.bottom)
        bottom = framed(self.bottom)
        held: dict[str, tuple[str, QWidget]] = {}
        for row in PANELS:
            if row.dock == BOTTOM_DOCK:
                held.setdefault(BOTTOM_DOCK, (row.title, bottom))
                self._add_tab(self.bottom.count(), row)
            else:
                held[row.dock] = (row.title, self._widgets[row.id])
        # Without a workspace there are no files of it.
        self.docks = Docks(window, held, () if has_workspace else (FILES_DOCK,))
        commands["filesAction"].setEnabled(has_workspace)
        for row in PANELS:
            if row.shortcut:
                commands[f"{row.id}Action"].triggered.connect(lambda _checked=False, row=row: self.show(row.id))

    def __getitem__(self, panel_id: str) -> QWidget:
        return self._widgets[panel_id]

    def make(self, context: "Context") -> None:
        """Has the real panels take the places of their placeholders; nothing on the screen moves."""
        from ptc_studio.ui.theme import theme

        theme().load_other_faces()
        # One repaint for all of it.
        self._window.setUpdatesEnabled(False)
        # The one at the bottom holds the same from the first paint on; only now it can be scrolled.
        self.docks.put(BOTTOM_DOCK, self.docks[BOTTOM_DOCK].widget())
        for row in PANELS:
            panel, placeholder = row.make(context, self), self._widgets[row.id]
            self._widgets[row.id] = panel
            setattr(self, row.id, panel)
            if row.dock == BOTTOM_DOCK:
                self._replace_tab(row, placeholder)
            else:
                self.docks.put(row.dock, panel)
        self.corner.follow()
        self._window.setUpdatesEnabled(True)

    # What is done with all of them, or with one

    def start_run(self) -> None:
        """Has every panel that follows runs forget the last one."""
        for panel in self._widgets.values():
            getattr(panel, "start_run", _nothing)()

    def end_run(self, record: "RunRecord") -> None:
        """Has every panel that follows runs show how this one ended."""
        for panel in self._widgets.values():
            getattr(panel, "end_run", _nothing)(record)
        if record.get("model_sees") is not None:
            self.reveal("model_sees")
        self.reveal("history")

    def show(self, panel_id: str) -> None:
        """Brings the panel to the front and the keyboard into it."""
        row, panel = self._rows[panel_id], self._widgets[panel_id]
        if row.dock == BOTTOM_DOCK:
            self.select_tab(panel_id)
        self.docks.show(row.dock, getattr(panel, row.focus) if row.focus else panel)

    def select_tab(self, panel_id: str) -> None:
        """Brings the tab to the front, also one that has not been shown yet."""
        self.reveal(panel_id)
        self.bottom.setCurrentWidget(self._widgets[panel_id])

    def reveal(self, panel_id: str) -> None:
        """Has the tab be seen from now on: there is something in its panel."""
        self.bottom.setTabVisible(self._tab(panel_id), True)

    def is_selected(self, panel_id: str) -> bool:
        return self.bottom.currentWidget() is self._widgets[panel_id]

    def set_count(self, panel_id: str, count: int | str) -> None:
        """Has the tab say how much there is to see in its panel, or what happened there."""
        title, tab = self._rows[panel_id].title, self._tab(panel_id)
        self.bottom.setTabText(tab, _tab_text(f"{title} {count}" if count else title))
        if count:
            self.reveal(panel_id)

    def tab_text(self, panel_id: str) -> str:
        return self.bottom.tabText(self._tab(panel_id)).replace("&&", "&")

    def tab_tooltip(self, panel_id: str) -> str:
        return self.bottom.tabToolTip(self._tab(panel_id))

    def _tab(self, panel_id: str) -> int:
        return self.bottom.indexOf(self._widgets[panel_id])

    def _add_tab(self, index: int, row: Panel) -> None:
        self.bottom.insertTab(index, self._widgets[row.id], _tab_text(row.title))
        self.bottom.setTabToolTip(index, row.tooltip)
        self.bottom.setTabVisible(index, row.shown)

    def _replace_tab(self, row: Panel, placeholder: QWidget) -> None:
        index, selected = self.bottom.indexOf(placeholder), self.bottom.currentIndex()
        self.bottom.removeTab(index)
        self._add_tab(index, row)
        self.bottom.setCurrentIndex(selected)
        placeholder.deleteLater()


def _tab_text(text: str) -> str:
    """The text as it is: Qt takes a single & for the mark of a key."""
    return text.replace("&", "&&")


def _nothing(*_values: object) -> None:
    """What panels do that do not follow runs."""


def fill_window(window: "MainWindow", buffers: Path) -> None:
    """Makes the panels of the window, which has its workbench already, and hands each controller what it needs."""
    # Imported late: it takes longer than all that the first paint needs.
    from ptc_studio.ui.aliases.actions import AliasActions
    from ptc_studio.ui.breakpoints_and_mocks.mocks import BreakpointsAndMocks
    from ptc_studio.ui.calls.lens_actions import RedactionLens
    from ptc_studio.ui.command_handlers import CommandHandlers, Pickers
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.tabs import EditorTabs
    from ptc_studio.ui.files.presenter import FilesPresenter
    from ptc_studio.ui.grants.actions import GrantActions
    from ptc_studio.ui.grants.choice import GrantChoice
    from ptc_studio.ui.grants.display import GrantPresenter
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
    from ptc_studio.ui.serving.controller import Serving
    from ptc_studio.ui.settings.dialog import open_settings
    from ptc_studio.ui.targets.actions import TargetRun
    from ptc_studio.ui.targets.choice import TargetChoice
    from ptc_studio.ui.targets.everywhere import EverywherePresenter
    from ptc_studio.ui.tools.panel import ToolPanel
    from ptc_studio.ui.tools.presenter import ToolsPresenter
    from ptc_studio.ui.tools.source_actions import SourceActions
    from ptc_studio.ui.trust import FolderTrust
    from ptc_studio.ui.widgets.notice_bar import NoticeBar
    from ptc_studio.ui.workspace_watcher import WorkspaceWatcher

    panels, run_bar, status_line = window.panels, window.run_bar, window.status_line
    tools = ToolPanel(source_actions(window.commands))
    tools.wait()
    window.context = context = Context(
        window.workbench, window.settings, NoticeBar(), window.commands, EditorTabs(buffers), tools, window
    )
    panels.make(context)
    window.add_to_centre(context.messages, context.editors)
    choices = window.settings.of_workspace(window.workspace)
    window.runtimes = RuntimeChoice(context, run_bar, status_line, window.welcome, choices)
    LimitChoice(context, run_bar, choices)
    window.targets = targets = TargetChoice(context, run_bar, window.runtimes, choices)
    target_run = TargetRun(context, targets, window.statusBar())
    window.run = run = RunPresenter(context, panels, run_bar, status_line, window.runtimes, target_run)
    target_run.connect_commands(run)
    EverywherePresenter(context, panels, targets)
    targets.changed.connect(lambda: targets.is_plain or panels.reveal("model_sees"))
    window.history = HistoryActions(context, panels, run, run_bar, status_line)
    window.commands["settingsAction"].triggered.connect(lambda: open_settings(context, run_bar))
    window.history.present_asked.connect(lambda past: present(deck_of(past), window))
    MatrixPresenter(context, panels.matrix, status_line, run, window.history.show_difference)
    selection = SelectionSync(context, panels, status_line, run)
    pickers = Pickers(context, panels, window.runtimes)
    handlers = CommandHandlers(context, panels, run, status_line, pickers, selection)
    run_bar.redacted.clicked.connect(window.commands["redactedAction"].trigger)
    panels.calls.tree.opened.connect(lambda: panels.show("inspector"))
    handlers.connect_welcome(window.welcome, window.runtimes.open_example)
    window.grants = GrantChoice(context)
    ToolsPresenter(context, window.grants)
    GrantPresenter(GrantActions(context, window.grants), run_bar.grants, panels.problems, run)
    SourceActions(context)
    window.cassettes = cassettes = Cassettes(context, window.statusBar(), run)
    FilesPresenter(context, panels.files, cassettes.choose)
    Conversations(context, targets, cassettes)
    AliasActions(context)
    ManualCallActions(context, panels.calls)
    window.answers = BreakpointsAndMocks(context, panels, status_line, run, window.workspace)
    WorkspaceWatcher(context)
    RedactionLens(context, panels.inspector.redactions)
    panels.inspector.redactions.rules_asked.connect(lambda: open_settings(context, run_bar, "redaction"))
    Prompts(context, panels.calls, panels.inspector, panels.docks["inspectorDock"])
    FolderTrust(context, status_line, window.workspace)
    LockedNotice(context)
    window.serving = Serving(context, panels)
