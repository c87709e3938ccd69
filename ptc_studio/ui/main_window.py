"""The main window and its looks. It is seen before its panels are made: what it shows first is light."""

import sys
from functools import partial
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QStackedWidget, QToolBar, QVBoxLayout, QWidget

from ptc_studio.storage.settings import Settings
from ptc_studio.ui import qt_features  # noqa: F401 - before everything that it is about
from ptc_studio.ui.commands import Actions
from ptc_studio.ui.docks import WindowGeometry, framed, has_saved_text
from ptc_studio.ui.grants.selector import saved_title
from ptc_studio.ui.panels import Panels, panel_commands
from ptc_studio.ui.run_bar.bar import RunBar
from ptc_studio.ui.status_line import StatusLine
from ptc_studio.ui.stylesheet import palette, stylesheet
from ptc_studio.ui.targets.selector import PLAIN
from ptc_studio.ui.theme import Mode, app_icon, theme
from ptc_studio.ui.tokens import TEXT_PIXELS
from ptc_studio.ui.welcome import Welcome

if TYPE_CHECKING:
    from ptc_studio.ui.breakpoints_and_mocks.mocks import BreakpointsAndMocks
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.editor.tabs import EditorTabs
    from ptc_studio.ui.grants.choice import GrantChoice
    from ptc_studio.ui.history.actions import HistoryActions
    from ptc_studio.ui.recordings import Cassettes
    from ptc_studio.ui.run_bar.runtime_choice import RuntimeChoice
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.serving.panel import Serving
    from ptc_studio.ui.targets.choice import TargetChoice
    from ptc_studio.ui.widgets.notice_bar import NoticeBar, NoticeKind
    from ptc_studio.ui.workbench import Workbench


MODES: dict[str, Mode] = {"systemThemeAction": "system", "lightThemeAction": "light", "darkThemeAction": "dark"}
USUAL_MODE: Mode = "system"
USUAL_ZOOM = 1.0
STEP = 0.1
LARGE_PIXELS = 16


class Appearance(QObject):
    """The looks of one window's application."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._commands: Actions | None = None
        missing = theme().set_fonts(settings.get("interface_font", ""), settings.get("code_font", ""))
        self.fault = _not_installed(missing, settings.folder / "settings.json") if missing else ""
        """What is wrong with the choice of fonts; for the user."""
        theme().set_mode(settings.get("theme", USUAL_MODE))
        application = _application()
        theme().set_zoom(settings.get("zoom") or desktop_zoom(application))
        if not application.styleSheet():
            # What is made from now on has this font; the style sheet comes when all is there, see `put_on`.
            application.setPalette(palette(theme()))
            application.setFont(theme().text_font())
        theme().changed.connect(self._on_theme_changed)

    def put_on(self) -> None:
        """Dresses what is there: once, as Qt goes through every widget for it, and again whenever one is moved."""
        application, sheet = _application(), stylesheet(theme())
        application.setPalette(palette(theme()))
        application.setFont(theme().text_font())
        if application.styleSheet() != sheet:
            application.setStyleSheet(sheet)

    def connect_commands(self, commands: Actions) -> None:
        """Has the commands of the View menu change it."""
        self._commands = commands
        for name, mode in MODES.items():
            commands[name].triggered.connect(partial(self._set_mode, mode))
        commands["zoomInAction"].triggered.connect(lambda: theme().set_zoom(theme().zoom + STEP))
        commands["zoomOutAction"].triggered.connect(lambda: theme().set_zoom(theme().zoom - STEP))
        commands["zoomResetAction"].triggered.connect(lambda: theme().set_zoom(USUAL_ZOOM))
        self._mark_mode()

    def _set_mode(self, mode: Mode, _checked: bool = False) -> None:
        theme().set_mode(mode)
        self._mark_mode()

    def _mark_mode(self) -> None:
        for name, mode in MODES.items():
            if self._commands is not None:
                self._commands[name].setChecked(mode == theme().mode)

    def _on_theme_changed(self) -> None:
        self.put_on()
        self._settings.set("theme", theme().mode, usual=USUAL_MODE)
        self._settings.set("zoom", theme().zoom, usual=USUAL_ZOOM)
        self._mark_mode()


def desktop_zoom(application: QApplication) -> float:
    """How much larger than usual the desktop wants its words; it is asked before the program puts on its own font."""
    if application.styleSheet():
        return USUAL_ZOOM
    font = application.font()
    # Not by `QFontInfo`: the system would look for a font that nothing here is written in.
    pixels = font.pixelSize()
    if pixels <= 0:
        pixels = round(font.pointSizeF() * application.primaryScreen().logicalDotsPerInchY() / 72)
    # A point more or less is a matter of the font; who needs large type asks for more than that.
    return round(pixels / TEXT_PIXELS, 1) if pixels >= LARGE_PIXELS else USUAL_ZOOM


def _not_installed(families: list[str], path: Path) -> str:
    named = " and ".join(map(repr, families))
    subject, verb = ("The font", "is") if len(families) == 1 else ("The fonts", "are")
    return f"{subject} {named} that {path} names {verb} not installed; install or name another, the usual is used."


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


SMALLEST = (1024, 700)
USUAL_LIMIT = 30
USUAL_RUNTIME = (f"Python {sys.version_info[0]}.{sys.version_info[1]}", "bubblewrap" if which("bwrap") else "process")


class MainWindow(QMainWindow):
    """The product as people see it. Made, shown, then given a workbench and its panels, and started.

    Signals: left: the window is gone, and all that it keeps is kept. closed: everything else has ended, too.
    activated(active): the user came to the window, or went to another.
    """

    left = Signal()
    closed = Signal()
    activated = Signal(bool)
    workbench: "Workbench"
    context: "Context"
    run: "RunPresenter"
    runtimes: "RuntimeChoice"
    targets: "TargetChoice"
    grants: "GrantChoice"
    history: "HistoryActions"
    cassettes: "Cassettes"
    answers: "BreakpointsAndMocks"
    serving: "Serving"
    _started = False
    """Asked for by events that come while the window is being made, too."""

    def __init__(
        self, settings: Settings, buffers: Path, workspace: Path | None, *, expects_text: bool = False
    ) -> None:
        """With `expects_text`, or if texts were left open, the first paint has the place of the editors in front."""
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
        self._close_asked = self._closing = False
        self.setWindowIcon(app_icon())
        resting = not (expects_text or has_saved_text(buffers))
        self._lay_out(resting)
        self._blank: QWidget | None = None if resting else framed(QWidget())
        if self._blank is not None:
            self.centre.addWidget(self._blank)
            self.centre.setCurrentWidget(self._blank)
        else:
            # Enter shows what this is about.
            self.welcome.setFocus()
        self._geometry = WindowGeometry(self, self.panels.docks, settings)
        self._geometry.restore()
        self.panels.docks.set_resting(resting)
        self.show_title("PTC Studio")
        self.appearance.put_on()

    # What the first paint shows

    def _lay_out(self, resting: bool) -> None:
        self.commands = Actions(self, panel_commands())
        self.commands["stopAction"].setEnabled(False)
        self.appearance.connect_commands(self.commands)
        self.run_bar = RunBar(self.commands["runAction"], self.commands["stopAction"])
        choices = self._settings.of_workspace(self._workspace)
        self.run_bar.set_timeout(choices.get("timeout", USUAL_LIMIT))
        self.run_bar.selector.expect(*choices.get("runtime_shown", USUAL_RUNTIME))
        self.run_bar.targets.expect(choices.get("target", PLAIN))
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
        self.panels = Panels(self, self.commands, has_workspace=self._workspace is not None, resting=resting)
        shown = self.commands.menus["View"].addMenu("Shown panels")
        for dock in self.panels.docks.all:
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

    @property
    def editors(self) -> "EditorTabs":
        return self.context.editors

    def add_to_centre(self, notice: "NoticeBar", editors: "EditorTabs") -> None:
        """Puts the editors behind the welcome page, and has the notice lie over both."""
        notice.lie_over(self.centre)
        self.centre.insertWidget(1, framed(editors))
        editors.current_changed.connect(self._on_page_changed)
        editors.foot_changed.connect(notice.keep_free)

    # What it can be asked to do

    def add_panels(self, workbench: "Workbench") -> None:
        """Makes the panels, which show what the workbench does."""
        # Imported late: it takes longer than all that the first paint needs.
        from ptc_studio.ui.controllers import fill_window

        self.workbench = workbench
        # Goes with the window: what listens to it would else keep it, and it all that the window had.
        workbench.setParent(self)
        fill_window(self, self._buffers)
        workbench.attached.connect(self._on_attached)

    def start(self, script: Path | None, *, run: bool = False) -> None:
        """Brings back what was open, opens the script, and reads the tools once there is a studio."""
        self._started = True
        self.run.wanted = self.run.wanted or run
        if self._workspace:
            self._settings.add_recent(self._workspace)
        self.editors.warm_up()
        self.editors.restore()
        if script is not None:
            self.editors.open_file(script)
        self._show_centre()
        self._put_blank_away()
        if self.workbench.is_open:
            self._on_attached()
        if faults := [each for each in (self._settings.fault, self.appearance.fault) if each]:
            self.show_message(" ".join(faults), "warning")
        if self._close_asked:
            self.request_close()

    def show_bundle(self, bundle: Path, cassette: Path) -> None:
        """Shows the run that another person handed on, and has its cassette answer the next one."""

        async def show() -> None:
            await self.history.open_bundle(bundle)
            await self.cassettes.use(cassette)

        self.context.start_reported(show())

    def _on_page_changed(self, page: "EditorPage | None") -> None:
        self._show_centre()
        self.show_title(page.title if page else "PTC Studio")

    def _show_centre(self) -> None:
        """The open texts, or the welcome page, beside which there is nothing to see until a text has been open."""
        if self.editors.pages:
            self.panels.docks.set_resting(False)
        self.centre.setCurrentIndex(1 if self.editors.pages else 0)

    def _put_blank_away(self) -> None:
        if self._blank is not None:
            self.centre.removeWidget(self._blank)
            self._blank.deleteLater()
            self._blank = None

    def _on_attached(self) -> None:
        if not self._started:
            return
        self.runtimes.start()
        self.targets.start()
        self.workbench.load()
        if self.run.wanted:
            self.run.run_script()

    def come_to_front(self, script: str) -> None:
        """Comes before all other windows, with that script if one is named."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        if script:
            self.editors.open_file(Path(script))

    def serve_tools(self) -> None:
        """Serves the tools to a program of the user's, which asked for it."""
        self.serving.start_for_client()

    def show_title(self, title: str) -> None:
        self.setWindowTitle(f"{title} — {self._place_name}")

    def show_message(self, message: str, kind: "NoticeKind" = "error") -> None:
        """Shows a message over the editor."""
        self.context.messages.show_message(message, kind)

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
        self._geometry.save()
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
        kind = event.type()
        if self._started and kind == QEvent.Type.UpdateRequest:
            with self.workbench.undisturbed():
                return super().event(event)
        if kind in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate):
            self.activated.emit(kind == QEvent.Type.WindowActivate)
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.context.editors.dragEnterEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.context.editors.dropEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        # The window goes when all has ended; Qt's own close would be too early.
        event.ignore()
        if not self._started:
            self._close_asked = True
        elif not self._closing:
            self._closing = True
            self.workbench.start(self._close_orderly())
