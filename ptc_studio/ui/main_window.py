"""The main window. It is seen before its panels are made: the first look here is light, the rest is `furnishing`'s."""

import sys
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QStackedWidget, QToolBar, QVBoxLayout, QWidget

from ptc_studio.locations import EXAMPLES
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.appearance import Appearance
from ptc_studio.ui.commands import Actions
from ptc_studio.ui.docks import Docks, WindowGeometry
from ptc_studio.ui.grants.saved_choice import saved_title
from ptc_studio.ui.icons import icon
from ptc_studio.ui.run_bar.bar import RunBar
from ptc_studio.ui.startup_placeholders import (
    bottom_placeholder,
    calls_placeholder,
    framed,
    has_saved_text,
    inspector_placeholder,
    tools_placeholder,
)
from ptc_studio.ui.status_line import StatusLine
from ptc_studio.ui.welcome import Welcome

if TYPE_CHECKING:
    from ptc_studio.core.scripts import Script
    from ptc_studio.ui.breakpoints_and_mocks.controller import BreakpointsAndMocks
    from ptc_studio.ui.calls.inspector import CallInspector
    from ptc_studio.ui.calls.panel import CallTreePanel
    from ptc_studio.ui.command_handlers import CommandHandlers
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.editor.problems_view import ProblemsView
    from ptc_studio.ui.editor.tabs import EditorTabs
    from ptc_studio.ui.grants.choice import GrantChoice
    from ptc_studio.ui.matrix.panel import MatrixPanel
    from ptc_studio.ui.output.panel import OutputPanel
    from ptc_studio.ui.run_bar.runtime_choice import RuntimeChoice
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.timeline.view import TimelineView
    from ptc_studio.ui.tools.panel import ToolPanel
    from ptc_studio.ui.widgets.labels import CornerNote
    from ptc_studio.ui.widgets.notice_bar import NoticeBar
    from ptc_studio.ui.workbench import Workbench

DEMO = EXAMPLES / "03_concurrent.py"
SMALLEST = (1024, 700)
USUAL_RUNTIME = (f"Python {sys.version_info[0]}.{sys.version_info[1]}", "bubblewrap" if which("bwrap") else "process")


class MainWindow(QMainWindow):
    """The product as people see it. Made, shown, then furnished with a workbench and begun.

    Signals: left: the window is gone, and all that it keeps is kept. closed: everything else has ended, too.
    """

    left = Signal()
    closed = Signal()
    workbench: "Workbench"
    editors: "EditorTabs"
    notice: "NoticeBar"
    tools: "ToolPanel"
    calls: "CallTreePanel"
    inspector: "CallInspector"
    output: "OutputPanel"
    timeline: "TimelineView"
    concurrency: "CornerNote"
    problems: "ProblemsView"
    matrix: "MatrixPanel"
    run: "RunPresenter"
    runtimes: "RuntimeChoice"
    grants: "GrantChoice"
    answers: "BreakpointsAndMocks"
    handlers: "CommandHandlers"
    _begun = False
    """Asked for by events that come while the window is being made, too."""

    def __init__(
        self, settings: Settings, buffers: Path, workspace: Path | None, *, expects_text: bool = False
    ) -> None:
        """With `expects_text`, or if texts were left open, the first look has the place of the editors in front."""
        # A window that is there already does not take on the font.
        appearance = Appearance(settings)
        super().__init__()
        self.appearance = appearance
        appearance.setParent(self)
        self.setObjectName("mainWindow")
        self.setAccessibleName("PTC Studio")
        self.setMinimumSize(*SMALLEST)
        self._settings = settings
        self._buffers = buffers
        self._workspace = workspace
        self._run_asked = self._close_asked = self._closing = False
        self.setWindowIcon(icon("app"))
        self._lay_out()
        self._blank: QWidget | None = framed(QWidget()) if expects_text or has_saved_text(buffers) else None
        if self._blank is not None:
            self.centre.addWidget(self._blank)
            self.centre.setCurrentWidget(self._blank)
        self._arrangement = WindowGeometry(self, self.docks, settings)
        self._arrangement.restore()
        self.show_title("PTC Studio")
        self.appearance.put_on()

    # What the first paint shows

    def _lay_out(self) -> None:
        self.commands = Actions(self)
        self.commands["stopAction"].setEnabled(False)
        self.appearance.connect_commands(self.commands)
        self.run_bar = RunBar(self.commands["runAction"], self.commands["stopAction"])
        self.run_bar.set_timeout(self._settings.get("timeout", 30))
        self.run_bar.selector.expect(*self._settings.get("runtime_shown", USUAL_RUNTIME))
        title = saved_title(self._settings, self._workspace)
        if title:
            self.run_bar.grants.expect(title)
        bar = QToolBar("Run bar", movable=False)
        bar.setObjectName("runToolBar")
        bar.addWidget(self.run_bar)
        self.addToolBar(bar)
        self.welcome = Welcome(self._settings.recent())
        self.centre = QStackedWidget()
        self.centre.addWidget(self.welcome)
        self._middle = QWidget()
        column = QVBoxLayout(self._middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.centre, 1)
        self.setCentralWidget(self._middle)
        self.bottom = bottom_placeholder()
        tools = tools_placeholder([self.commands["addSourceAction"], self.commands["addAliasAction"]])
        self.docks = Docks(self, tools, framed(self.bottom), calls_placeholder(), inspector_placeholder())
        shown = self.commands.menus["View"].addMenu("Shown panels")
        for dock in self.docks.all:
            shown.addAction(dock.toggleViewAction())
        self.status_line = StatusLine(self.statusBar(), self._place_name)

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def workspace(self) -> Path | None:
        """The folder that is open; None for the sample tools."""
        return self._workspace

    @property
    def _place_name(self) -> str:
        return self._workspace.name if self._workspace else "sample tools"

    def add_to_centre(self, notice: "NoticeBar", editors: "EditorTabs") -> None:
        """Puts the editors behind the welcome page, and the notice above both."""
        layout = self._middle.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0, notice)
        self.centre.insertWidget(1, framed(editors))

    # What it can be asked to do

    def furnish(self, workbench: "Workbench") -> None:
        """Makes the panels, which show what the workbench does."""
        # Imported late: it takes longer than all that the first paint needs.
        from ptc_studio.ui.panels import make_panels

        self.workbench = workbench
        make_panels(self, self._buffers, self._settings)
        workbench.attached.connect(self._on_attached)

    def begin(self, script: Path | None, *, run: bool = False) -> None:
        """Brings back what was open, opens the script, and reads the tools once there is a studio."""
        self._begun = True
        self._run_asked = self._run_asked or run
        if self._workspace:
            self._settings.add_recent(self._workspace)
        self.editors.warm_up()
        self.editors.restore()
        if script is not None:
            self.open_script(script)
        self.centre.setCurrentIndex(1 if self.editors.pages else 0)
        self._put_blank_away()
        if self.workbench.is_open:
            self._on_attached()
        if self._settings.fault:
            self.show_message(self._settings.fault)
        if self._close_asked:
            self.request_close()

    def _put_blank_away(self) -> None:
        if self._blank is not None:
            self.centre.removeWidget(self._blank)
            self._blank.deleteLater()
            self._blank = None

    def _on_attached(self) -> None:
        if not self._begun:
            return
        self.runtimes.begin()
        self.run_bar.timeout_changed.connect(lambda seconds: self._settings.set("timeout", seconds))
        self.workbench.load()
        if self._run_asked:
            self.run_script()

    def open_script(self, path: Path, line: int | None = None) -> None:
        """Shows the file in the editor."""
        page = self.editors.open_file(path)
        if page is not None:
            self.show_editors()
            if line is not None:
                page.editor.go_to(line)

    def run_demo(self) -> None:
        """Opens the example of concurrent calls and runs it."""
        self.open_script(DEMO)
        self.run_script()

    def run_script(self) -> None:
        """Runs what the editor shows; asked for before there is a studio, as soon as there is one."""
        page = self._page_to_run()
        if page is None:
            return
        if not self.workbench.is_open:
            self._run_asked = True
            return
        self.status_line.set_note(self.runtimes.misfit(page))
        if self.bottom.currentWidget() is self.matrix:
            self.bottom.setCurrentWidget(self.output)
        self.workbench.run(self._script_of(page), self.run_bar.runtime_id(), self.run_bar.timeout())

    def run_in_all(self) -> None:
        """Runs what the editor shows in every runtime for its ending, and compares the runs."""
        page = self._page_to_run()
        if page is None or not self.workbench.is_open:
            return
        if not self.workbench.studio.runtimes.ids_for(page.script_name):
            self.show_message(
                f"No runtime is known for {page.title}: save it with the ending of its language, such as .py."
            )
            return
        self.bottom.setTabVisible(self.bottom.indexOf(self.matrix), True)
        self.bottom.setCurrentWidget(self.matrix)
        self.workbench.run_in_all(self._script_of(page), self.run_bar.timeout())

    def _page_to_run(self) -> "EditorPage | None":
        page = self.editors.current()
        if page is None:
            self.show_message("There is no script to run: open one, or start with the demo.")
        return page

    def _script_of(self, page: "EditorPage") -> "Script":
        from ptc_studio.core.scripts import Script

        self.run.page = page
        return Script(page.text, page.script_name, str(page.path.parent) if page.path else None)

    def show_editors(self) -> None:
        """Brings the open texts to the front."""
        self.centre.setCurrentIndex(1)

    def show_title(self, title: str) -> None:
        self.setWindowTitle(f"{title} — {self._place_name}")

    def show_message(self, message: str) -> None:
        """Shows a message above the editor."""
        self.notice.show_message(message)

    def request_close(self) -> None:
        """Closes as if the user had asked for it."""
        QTimer.singleShot(0, self.close)

    # How it closes

    async def _close_orderly(self) -> None:
        from ptc_studio.ui.dialogs.questions import ask

        if self.workbench.is_running and not await ask(
            self,
            "A script is running",
            "Stop the script and close the window?",
            accept="Stop and close",
            reject="Go on",
        ):
            self._closing = False
            return
        self._arrangement.save()
        # It is gone at once: nobody looks on while the rest is ended.
        for each in (*self.findChildren(QDialog), self):
            each.hide()
        self.editors.shut_down()
        self.left.emit()
        await self.workbench.close()
        self._settings.finish()
        self.closed.emit()

    def event(self, event: QEvent) -> bool:
        # Everything in the window is painted while this one is handled.
        if self._begun and event.type() == QEvent.Type.UpdateRequest:
            with self.workbench.undisturbed():
                return super().event(event)
        return super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        # The window goes when all has ended; Qt's own close would be too early.
        event.ignore()
        if not self._begun:
            self._close_asked = True
        elif not self._closing:
            self._closing = True
            self.workbench.start(self._close_orderly())
