"""The main window: puts the panels together and connects them; what they do is theirs, what runs is the workbench's."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.core.events import OutputWritten
from ptc_studio.core.grants import EVERYTHING, Grant
from ptc_studio.core.scripts import Script
from ptc_studio.locations import EXAMPLES
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.choosing import Choosing
from ptc_studio.ui.commands import Actions
from ptc_studio.ui.dialogs.questions import ask
from ptc_studio.ui.docks import Docks
from ptc_studio.ui.hints import hints_from
from ptc_studio.ui.icons import icon
from ptc_studio.ui.models.tool_rows import rows_from
from ptc_studio.ui.stylesheet import dress
from ptc_studio.ui.theme import Mode, theme
from ptc_studio.ui.widgets.call_tree import CallTreePanel
from ptc_studio.ui.widgets.cheat_sheet import CheatSheet
from ptc_studio.ui.widgets.editor.page import EditorPage
from ptc_studio.ui.widgets.editor.tabs import EditorTabs
from ptc_studio.ui.widgets.inspector import CallInspector
from ptc_studio.ui.widgets.notice_bar import NoticeBar
from ptc_studio.ui.widgets.output_view import OutputPanel
from ptc_studio.ui.widgets.problems_view import ProblemsView
from ptc_studio.ui.widgets.run_bar import RunBar
from ptc_studio.ui.widgets.tool_panel import ToolPanel
from ptc_studio.ui.widgets.welcome import Welcome
from ptc_studio.ui.workbench import Workbench

DEMO = EXAMPLES / "03_concurrent.py"
STATS_MS = 100
SMALLEST = (1024, 700)
USUAL = (1440, 900)
MODES: dict[str, Mode] = {"systemThemeAction": "system", "lightThemeAction": "light", "darkThemeAction": "dark"}


class MainWindow(QMainWindow):
    """The product as people see it.

    Signals: closed: everything has ended and the window is gone.
    """

    closed = Signal()

    def __init__(self, workbench: Workbench, settings: Settings, buffers: Path, workspace: Path | None) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAccessibleName("PTC Studio")
        self.setWindowIcon(icon("app"))
        self.setMinimumSize(*SMALLEST)
        self.workbench = workbench
        self._settings = settings
        self._workspace = workspace
        self._running_page: EditorPage | None = None
        self._closing = False
        self._status = "ready"
        theme().set_mode(settings.get("theme", "system"))
        theme().set_zoom(settings.get("zoom", 1.0))
        self._dress()
        self._build(buffers)
        self._connect()
        self._restore_arrangement()
        self._show_title(None)

    # What the window is made of

    def _build(self, buffers: Path) -> None:
        self.commands = Actions(self)
        self.run_bar = RunBar(self.commands["runAction"], self.commands["stopAction"])
        bar = QToolBar("Run bar", movable=False)
        bar.setObjectName("runToolBar")
        bar.addWidget(self.run_bar)
        self.addToolBar(bar)
        self.editors = EditorTabs(buffers)
        self.welcome = Welcome()
        self.notice = NoticeBar()
        self.tools = ToolPanel()
        self.calls = CallTreePanel()
        self.inspector = CallInspector()
        self.output = OutputPanel()
        self.problems = ProblemsView()
        self.bottom = QTabWidget(documentMode=True)
        self.bottom.setObjectName("bottomTabs")
        self.bottom.addTab(self.output, "Output")
        self.bottom.addTab(self.problems, "Problems")
        self.centre = QStackedWidget()
        self.centre.addWidget(self.welcome)
        self.centre.addWidget(_framed(self.editors))
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.notice)
        column.addWidget(self.centre, 1)
        self.setCentralWidget(middle)
        self._choices = Choosing(self)
        self.docks = Docks(self, self.tools, _framed(self.bottom), self.calls, self.inspector)
        shown = self.commands.menus["View"].addMenu("Shown panels")
        for dock in self.docks.all:
            shown.addAction(dock.toggleViewAction())
        self._build_status_bar()

    def _build_status_bar(self) -> None:
        self._state, self._place, self._kept = QLabel("ready"), QLabel(), QLabel()
        self.statusBar().setSizeGripEnabled(False)
        for label in (self._state, self._place, QLabel("UTF-8")):
            self.statusBar().addWidget(label)
        for label in (self._kept, QLabel(self._workspace.name if self._workspace else "sample tools")):
            self.statusBar().addPermanentWidget(label)

    def _connect(self) -> None:
        self._stats = QTimer(self, interval=STATS_MS)
        self._stats.timeout.connect(self._show_figures)
        self._connect_actions()
        self._connect_panels()
        bench = self.workbench
        bench.run_began.connect(self._on_run_began)
        bench.events_arrived.connect(self._on_events)
        bench.run_ended.connect(self._on_run_ended)
        bench.tools_loaded.connect(self._on_tools_loaded)
        bench.failed.connect(self.tell)
        theme().changed.connect(self._on_theme_changed)

    def _connect_panels(self) -> None:
        self.editors.current_changed.connect(self._on_page_changed)
        self.editors.failed.connect(self.tell)
        self.tools.insert_requested.connect(self._insert)
        self.tools.file_requested.connect(lambda path, line: self.open_script(Path(path), line))
        self.tools.grant_changed.connect(self._on_grant_changed)
        self.calls.call_selected.connect(self.inspector.show_record)
        self.calls.line_selected.connect(self._mark_line)
        self.output.line_activated.connect(self._on_place_asked)
        self.problems.problem_activated.connect(self._go_to)
        self.run_bar.runtime_changed.connect(lambda runtime: self._settings.set("runtime", runtime))
        self.run_bar.timeout_changed.connect(lambda seconds: self._settings.set("timeout", seconds))
        self.welcome.demo_requested.connect(self.run_demo)
        self.welcome.example_requested.connect(self.open_script)
        self.welcome.open_script_requested.connect(self._choices.choose_script)
        self.welcome.open_workspace_requested.connect(self._choices.choose_workspace)
        self.welcome.workspace_requested.connect(self._choices.open_workspace)

    def _connect_actions(self) -> None:
        tree, shown = self.calls.tree, self.docks.show
        handlers = {
            "newAction": lambda: self._show_editors() or self.editors.new_untitled(),
            "openAction": self._choices.choose_script,
            "openWorkspaceAction": self._choices.choose_workspace,
            "goToAction": self._choices.pick_place,
            "saveAction": self.save,
            "saveAsAction": self._choices.choose_target,
            "closeTabAction": self._close_tab,
            "reopenAction": lambda: self.editors.reopen_closed() and self._show_editors(),
            "quitAction": self.close,
            "undoAction": lambda: self._in_editor(lambda page: page.editor.undo()),
            "redoAction": lambda: self._in_editor(lambda page: page.editor.redo()),
            "findAction": self._find,
            "goToLineAction": self._choices.pick_line,
            "commentAction": lambda: self._in_editor(lambda page: page.editor.toggle_comment()),
            "editorAction": self._step_back,
            "toolsAction": lambda: shown(self.docks.tools, self.tools.filter),
            "outputAction": lambda: self._show_output(),
            "callsAction": lambda: shown(self.docks.calls, tree),
            "inspectorAction": lambda: shown(self.docks.inspector, self.inspector),
            "resetAction": self.docks.put_back,
            "zoomInAction": lambda: theme().set_zoom(theme().zoom + 0.1),
            "zoomOutAction": lambda: theme().set_zoom(theme().zoom - 0.1),
            "zoomResetAction": lambda: theme().set_zoom(1.0),
            "runAction": self.run_script,
            "stopAction": self.workbench.stop,
            "demoAction": self.run_demo,
            "reloadAction": self.workbench.load,
            "paletteAction": self._choices.pick_command,
            "keysAction": lambda: CheatSheet(self).show(),
            "aboutAction": self._tell_about,
        }
        for name, handler in handlers.items():
            self.commands[name].triggered.connect(lambda _checked=False, handler=handler: handler())
        self.commands["arrangeAction"].toggled.connect(self.docks.arrange)
        for name, mode in MODES.items():
            self.commands[name].triggered.connect(partial(self._set_mode, mode))
        self._show_state()

    # What it can be asked to do

    def begin(self, script: Path | None, *, run: bool = False) -> None:
        """Brings back what was open, opens the script, and reads the tools."""
        self.run_bar.set_runtimes(self.workbench.studio.runtimes.infos)
        self.run_bar.set_runtime(self._settings.get("runtime", "python"))
        self.run_bar.set_timeout(self._settings.get("timeout", 30))
        self.welcome.set_recent(self._settings.recent())
        if self._workspace:
            self._settings.add_recent(self._workspace)
        self.editors.restore()
        if script is not None:
            self.open_script(script)
        elif self.editors.current() is not None:
            self._show_editors()
        self.workbench.load()
        if run:
            self.run_script()

    def open_script(self, path: Path, line: int | None = None) -> None:
        """Shows the file in the editor."""
        page = self.editors.open_file(path)
        if page is not None:
            self._show_editors()
            if line is not None:
                page.editor.go_to(line)

    def run_demo(self) -> None:
        """Opens the example of concurrent calls and runs it."""
        self.open_script(DEMO)
        self.run_script()

    def run_script(self) -> None:
        """Runs what the editor shows."""
        page = self.editors.current()
        if page is None:
            self.tell("There is no script to run: open one, or start with the demo.")
            return
        self._running_page = page
        name = str(page.path) if page.path else page.title
        script = Script(page.text, name, str(page.path.parent) if page.path else None)
        self.workbench.run(script, self.run_bar.runtime_id(), self.run_bar.timeout())

    def save(self) -> None:
        """Saves the current text, asking where if it has no file yet."""
        page = self.editors.current()
        if page is not None and page.path is None:
            self._choices.choose_target()
        elif page is not None and self.editors.save(page):
            self._kept.setText("Saved")

    def tell(self, message: str) -> None:
        """Shows a message above the editor."""
        self.notice.tell(message)

    def request_close(self) -> None:
        """Closes as if the user had asked for it."""
        QTimer.singleShot(0, self.close)

    # What happens in a run

    def _on_run_began(self) -> None:
        self.calls.begin_run()
        self.inspector.show_record(None)
        self.output.begin_run()
        self.run_bar.set_running(True)
        self._stats.start()
        self._show_state()
        self._show_figures()

    def _on_events(self, batch: list) -> None:
        self.calls.apply(batch)
        for event in batch:
            if isinstance(event, OutputWritten):
                self.output.append(event.stream, event.text.value)

    def _on_run_ended(self, record: dict) -> None:
        self._stats.stop()
        self.calls.end_run()
        self.output.show_ending(record)
        self.run_bar.set_running(False)
        self._show_figures()
        self._show_state(record["status"])
        error = record["error"]
        page = self._running_page
        if error and error["line"] and page in self.editors.pages and page is not None:
            page.editor.mark_line(error["line"])

    def _show_figures(self) -> None:
        bench, figures = self.workbench, self.workbench.figures
        self.run_bar.set_stats(bench.elapsed, figures.calls, figures.depth, bench.max_depth, figures.redactions)

    def _show_state(self, status: str | None = None) -> None:
        running = self.workbench.is_running
        self._status = status or self._status
        self.commands["runAction"].setEnabled(not running)
        self.commands["stopAction"].setEnabled(running)
        word = "running" if running else self._status
        colour = {"running": "ok", "ok": "ok", "ready": "muted"}.get(word, "error")
        self._state.setText(f'<span style="color:{getattr(theme().colours, colour)}">●</span> {word}')

    def _on_tools_loaded(self) -> None:
        studio = self.workbench.studio
        rows = rows_from(studio.registry, studio.errors)
        self.tools.set_tools(rows.tools, rows.aliases, rows.errors)
        self._tell_hints()

    def _on_grant_changed(self, names: tuple[str, ...] | None) -> None:
        self.workbench.grant = EVERYTHING if names is None else Grant(names)
        self._tell_hints()

    def _tell_hints(self) -> None:
        self.editors.set_hints(hints_from(self.workbench.studio.registry, self.workbench.grant))

    # How the panels move together

    def _on_page_changed(self, page: EditorPage | None) -> None:
        self.centre.setCurrentIndex(1 if self.editors.pages else 0)
        self._show_title(page)
        if page is None:
            self.problems.set_problems([])
            self._place.clear()
            return
        self.calls.set_language(page.language)
        page.finder.found.connect(self._on_problems_found, Qt.ConnectionType.UniqueConnection)
        page.editor.line_activated.connect(self._on_line_activated, Qt.ConnectionType.UniqueConnection)
        page.editor.cursorPositionChanged.connect(self._show_place, Qt.ConnectionType.UniqueConnection)
        page.finder.look()
        self._on_line_activated(page.editor.cursor_place[0])

    def _show_title(self, page: EditorPage | None) -> None:
        title = page.title if page else "PTC Studio"
        where = self._workspace.name if self._workspace else "sample tools"
        self.setWindowTitle(f"{title} — {where}")

    def _on_problems_found(self, _revision: int, problems: list) -> None:
        page = self.editors.current()
        if page is not None and self.sender() in (page.finder, None):
            self.problems.set_problems(problems)
            count = f" {len(problems)}" if problems else ""
            self.bottom.setTabText(self.bottom.indexOf(self.problems), f"Problems{count}")

    def _on_line_activated(self, line: int) -> None:
        page = self.editors.current()
        if page is None:
            return
        self._show_place()
        if page is self._running_page:
            self.calls.select_line(line)

    def _show_place(self) -> None:
        page = self.editors.current()
        if page is not None:
            row, column = page.editor.cursor_place
            self._place.setText(f"Ln {row}, Col {column}")

    def _mark_line(self, line: int) -> None:
        page = self._running_page
        if page is not None and page in self.editors.pages:
            page.editor.mark_line(line)

    def _on_place_asked(self, filename: str, line: int) -> None:
        for page in self.editors.pages:
            if filename in (str(page.path), page.title):
                self.editors.set_current(page)
                page.editor.go_to(line)
                return
        if Path(filename).is_file():
            self.open_script(Path(filename), line)

    def _go_to(self, line: int, column: int) -> None:
        self._in_editor(lambda page: (page.editor.go_to(line, column), page.setFocus()))

    def _insert(self, text: str) -> None:
        self._in_editor(lambda page: (page.editor.insertPlainText(text), page.setFocus()))

    def _in_editor(self, do) -> None:
        page = self.editors.current()
        if page is not None:
            self._show_editors()
            do(page)

    def _show_editors(self) -> None:
        self.centre.setCurrentIndex(1)

    def _show_output(self) -> None:
        self.bottom.setCurrentWidget(self.output)
        self.docks.show(self.docks.bottom, self.output)

    def _step_back(self) -> None:
        """Closes what is open over the editor; if nothing is, the keyboard goes back to it."""
        page = self.editors.current()
        if page is not None and page.completion.is_open:
            page.completion.close()
        elif page is not None and page.find_bar.isVisible():
            page.find_bar.put_away()
        elif self.output.search.isVisible():
            self.output.search.hide()
        elif self.calls.filter_row.isVisible():
            self.calls.header.filter.setChecked(False)
        else:
            self._in_editor(lambda page: page.setFocus())

    def _find(self) -> None:
        """In the panel that has the keyboard; else in the editor."""
        focus = QApplication.focusWidget()
        if focus is not None and self.calls.isAncestorOf(focus):
            self.calls.open_filter()
        elif focus is not None and self.tools.isAncestorOf(focus):
            self.tools.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif focus is not None and self.output.isAncestorOf(focus):
            self.output.search.start()
        else:
            self._in_editor(lambda page: page.find_bar.open())

    def _close_tab(self) -> None:
        page = self.editors.current()
        if page is not None:
            self.editors.close_page(page)

    def _tell_about(self) -> None:
        from ptc_studio import __version__

        self.tell(f"PTC Studio {__version__}: run scripts that call tools, and watch every call. MIT licence.")

    # How it looks and how it is kept

    def _set_mode(self, mode: Mode, _checked: bool = False) -> None:
        theme().set_mode(mode)
        self._mark_mode()

    def _mark_mode(self) -> None:
        for name, mode in MODES.items():
            self.commands[name].setChecked(mode == theme().mode)

    def _dress(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            dress(application)

    def _on_theme_changed(self) -> None:
        self._dress()
        self._settings.set("theme", theme().mode)
        self._settings.set("zoom", theme().zoom)
        self._mark_mode()
        self._show_state()

    def _restore_arrangement(self) -> None:
        room = self.screen().availableSize()
        self.resize(min(USUAL[0], room.width()), min(USUAL[1], room.height()))
        geometry, state = self._settings.get("geometry"), self._settings.get("docks")
        if geometry:
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        if state:
            self.docks.restore(state)
        self._mark_mode()

    def _keep_arrangement(self) -> None:
        self._settings.set("geometry", bytes(self.saveGeometry().toBase64().data()).decode())
        self._settings.set("docks", self.docks.state())

    async def _close_orderly(self) -> None:
        if self.workbench.is_running and not await ask(
            self,
            "A script is running",
            "Stop the script and close the window?",
            accept="Stop and close",
            reject="Go on",
        ):
            self._closing = False
            return
        self._keep_arrangement()
        self.editors.shut_down()
        await self.workbench.close()
        self.hide()
        self.closed.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        # The window goes when all has ended; Qt's own close would be too early.
        event.ignore()
        if not self._closing:
            self._closing = True
            self.workbench.start(self._close_orderly())


def _framed(widget: QWidget) -> QFrame:
    """The widget as a panel, with the line and the corners that panels have."""
    frame = QFrame()
    frame.setProperty("panel", True)
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(1, 1, 1, 1)
    layout.addWidget(widget)
    return frame
