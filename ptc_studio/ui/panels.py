"""The panels of the window: one row each, of which its place, tab, tooltip, command and first look are made.

The table is read before the first paint, so what a row makes is imported when it is made. A panel with `start_run` and
`end_run` is told of runs by having them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow, QTabWidget, QWidget

from ptc_studio.ui.commands import Actions, Command
from ptc_studio.ui.docks import (
    BOTTOM_DOCK,
    FILES_DOCK,
    RUN_DOCKS,
    Docks,
    calls_placeholder,
    files_placeholder,
    framed,
    inspector_placeholder,
    output_placeholder,
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
    short: str = ""
    """Its title where there is no room for the titles of all tabs."""


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
        short="Breakpoints",
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

    def __init__(
        self, window: QMainWindow, commands: Actions, *, has_workspace: bool = True, resting: bool = False
    ) -> None:
        """Where those of runs are `resting`, the first paint does not show them, and they have no placeholders."""
        self._window = window
        self._rows = {row.id: row for row in PANELS}
        # Without a workspace there are no files of it.
        absent = () if has_workspace else (FILES_DOCK,)
        unseen = (*absent, *(RUN_DOCKS if resting else ()))
        self._widgets = {
            row.id: QWidget() if row.dock in unseen else row.placeholder(commands)
            for row in PANELS
            if not (resting and row.dock == BOTTOM_DOCK)
        }
        self.bottom = QTabWidget(documentMode=True)
        self.bottom.setObjectName("bottomTabs")
        self.bottom.setAccessibleName("Output, timeline, history and more")
        self.corner = TabCorner(self.bottom)
        bottom = framed(self.bottom)
        held: dict[str, tuple[str, QWidget]] = {}
        for row in PANELS:
            if row.dock == BOTTOM_DOCK:
                held.setdefault(BOTTOM_DOCK, (row.title, bottom))
                if not resting:
                    self._add_tab(self.bottom.count(), row)
            else:
                held[row.dock] = (row.title, self._widgets[row.id])
        self.docks = Docks(window, held, absent)
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
            panel, placeholder = row.make(context, self), self._widgets.get(row.id)
            self._widgets[row.id] = panel
            setattr(self, row.id, panel)
            if row.dock == BOTTOM_DOCK:
                self._put_tab(row, placeholder)
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
        titles = (title, self._rows[panel_id].short)
        self.corner.set_title(tab, *(f"{each} {count}" if each and count else each for each in titles))
        if count:
            self.reveal(panel_id)

    def tab_text(self, panel_id: str) -> str:
        return self.corner.title(self._tab(panel_id))

    def tab_tooltip(self, panel_id: str) -> str:
        return self.bottom.tabToolTip(self._tab(panel_id))

    def _tab(self, panel_id: str) -> int:
        return self.bottom.indexOf(self._widgets[panel_id])

    def _add_tab(self, index: int, row: Panel) -> None:
        self.bottom.insertTab(index, self._widgets[row.id], "")
        self.corner.set_title(index, row.title, row.short)
        self.bottom.setTabToolTip(index, row.tooltip)
        self.bottom.setTabVisible(index, row.shown)

    def _put_tab(self, row: Panel, placeholder: QWidget | None) -> None:
        if placeholder is None:
            self._add_tab(self.bottom.count(), row)
            return
        index, selected = self.bottom.indexOf(placeholder), self.bottom.currentIndex()
        self.bottom.removeTab(index)
        self._add_tab(index, row)
        self.bottom.setCurrentIndex(selected)
        placeholder.deleteLater()


def _nothing(*_values: object) -> None:
    """What panels do that do not follow runs."""
