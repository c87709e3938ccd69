"""The panels around the editor: where they stand, how they are moved, and what stands there in the first paint.

The real ones take their place right afterwards, before any key or click is looked at; nothing on the screen moves.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QHoverEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLineEdit, QMainWindow, QVBoxLayout, QWidget

from ptc_studio.storage.settings import Settings
from ptc_studio.ui.calls.header import CallHeader
from ptc_studio.ui.commands import Actions
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tools.header import tool_header
from ptc_studio.ui.widgets.buttons import ButtonRow, flat_button, flat_toggle
from ptc_studio.ui.widgets.labels import CALLS, FILTER_FILES, FILTER_TOOLS, INSPECTOR, OUTPUT, READING_TOOLS, EmptyState
from ptc_studio.ui.widgets.layout import Scrolled, rule


def source_actions(commands: Actions) -> list[QAction]:
    """What stands in the header of the tool panel."""
    return [commands["addSourceAction"], commands["addAliasAction"]]


def tools_placeholder(commands: Actions) -> QWidget:
    """The tool panel before the tools are read."""
    panel, column = _panel()
    field = QHBoxLayout()
    field.setContentsMargins(8, 8, 8, 4)
    field.addWidget(QLineEdit(placeholderText=FILTER_TOOLS))
    column.addLayout(tool_header(source_actions(commands)))
    column.addWidget(rule())
    column.addLayout(field)
    column.addWidget(EmptyState(READING_TOOLS), 1)
    return panel


def files_placeholder(commands: Actions) -> QWidget:
    """The files before the folder is read."""
    panel, column = _panel()
    field = QHBoxLayout()
    field.setContentsMargins(8, 8, 8, 4)
    field.addWidget(QLineEdit(placeholderText=FILTER_FILES))
    column.addLayout(tool_header([commands["newAction"]], title="Files"))
    column.addWidget(rule())
    column.addLayout(field)
    column.addWidget(EmptyState(""), 1)
    return panel


def calls_placeholder(_commands: Actions) -> QWidget:
    """The call tree before the first run."""
    panel, column = _panel()
    for widget in (CallHeader(), rule()):
        column.addWidget(widget)
    column.addWidget(EmptyState(CALLS), 1)
    return panel


def inspector_placeholder(_commands: Actions) -> QWidget:
    """The inspector without a call."""
    panel, column = _panel()
    column.addWidget(EmptyState(INSPECTOR))
    return panel


def output_placeholder(_commands: Actions) -> QWidget:
    """The output before there is any."""
    panel = EmptyState(OUTPUT)
    follow = flat_toggle("follow", "", _nothing)
    follow.setChecked(True)
    others = [flat_button(icon, "", _nothing) for icon in ("wrap", "copy", "trash")]
    panel.tab_buttons = ButtonRow((flat_button("find", "", _nothing), follow, *others), panel)  # type: ignore[attr-defined]
    return panel


def has_saved_text(buffers: Path) -> bool:
    """Whether texts were open when the program last ended; seen without reading them."""
    return any(file.name != "order.json" for file in buffers.glob("*.json"))


def framed(widget: QWidget) -> QFrame:
    """The widget as a panel, with the line and the corners that panels have."""
    frame = QFrame()
    frame.setProperty("panel", True)
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(1, 1, 1, 1)
    layout.addWidget(widget)
    return frame


def _panel() -> tuple[QWidget, QVBoxLayout]:
    panel = QWidget()
    panel.setProperty("panel", True)
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    column = QVBoxLayout(panel)
    column.setContentsMargins(1, 1, 1, 1)
    column.setSpacing(0)
    return panel, column


def _nothing(*_: object) -> None:
    """No click comes here: events wait until the real panels are there."""


LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
LAYOUT_VERSION = 1
SIDES, BELOW = (250, 420), 260
"""The widths of tools and calls, and the height of what is below the editor, without zoom."""
MOST_WIDTH, MOST_HEIGHT = 0.565, 0.4
"""So much of the window the panels may take when they grow with the zoom: the rest is the script's."""
NARROW_TOOLS = 236
"""In a small window the tools keep so much, for what stands behind their names."""


BOTTOM_DOCK = "bottomDock"
FILES_DOCK = "filesDock"
RUN_DOCKS = ("callDock", "inspectorDock", BOTTOM_DOCK)
"""Those of runs, in which there is nothing until a text has been open."""
AREAS = {"toolDock": LEFT, FILES_DOCK: LEFT, BOTTOM_DOCK: BOTTOM}
"""Other docks are at the right."""
LEAST_WIDTHS = {"toolDock": 160, FILES_DOCK: 160, BOTTOM_DOCK: 160}
LEAST_WIDTH = 220
"""The panels become no narrower than this, in any zoom: the smallest window has that much room."""


class Docks(QObject):
    """The docks of the main window. Their title bars show only while panels are being rearranged."""

    def __init__(
        self, window: QMainWindow, held: Mapping[str, tuple[str, QWidget]], absent: Collection[str] = ()
    ) -> None:
        """`held`: the title of each dock and what it holds, by its object name; those that are `absent` have nothing
        to show in this window."""
        super().__init__(window)
        self._window, self._absent = window, absent
        self._resting: list[QDockWidget] | None = None
        """Those that are put away until there is something in them; None: none are."""
        self._zoom = theme().zoom
        self._wanted: list[float] | None = [*SIDES, BELOW]
        """Widths and height as in `SIDES` and `BELOW`; None: as they are, for they are the user's."""
        self._pressed = [0, 0, 0]
        """The sizes when a button of the mouse went down."""
        # What is below the editor stays below it; the sides reach to the bottom.
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.setDockNestingEnabled(True)
        self._docks = {name: self._add(name, *each) for name, each in held.items()}
        self.tools, self.bottom, self.calls, self.inspector = (
            self._docks[name] for name in ("toolDock", BOTTOM_DOCK, "callDock", "inspectorDock")
        )
        self.put_back()
        self._giving = QTimer(self, singleShot=True, interval=0)
        self._giving.timeout.connect(self._give)
        window.installEventFilter(self)
        theme().changed.connect(self._on_theme_changed)

    def __getitem__(self, name: str) -> QDockWidget:
        return self._docks[name]

    @property
    def all(self) -> tuple[QDockWidget, ...]:
        return tuple(self._docks.values())

    def put_back(self) -> None:
        """The arrangement of a first start."""
        for dock in self.all:
            dock.setFloating(False)
            self._window.addDockWidget(AREAS.get(dock.objectName(), RIGHT), dock)
            dock.show()
        self._resting = None
        self._window.splitDockWidget(self.calls, self.inspector, Qt.Orientation.Vertical)
        self._window.resizeDocks([self.calls, self.inspector], [400, 340], Qt.Orientation.Vertical)
        if FILES_DOCK in self._docks:
            self._window.splitDockWidget(self.tools, self[FILES_DOCK], Qt.Orientation.Vertical)
            self._window.resizeDocks([self.tools, self[FILES_DOCK]], [460, 250], Qt.Orientation.Vertical)
        self._hide_absent()
        self._wanted = [*SIDES, BELOW]
        self._give()

    def arrange(self, on: bool) -> None:
        """Shows or hides the title bars by which docks are dragged."""
        for dock in self.all:
            before = dock.titleBarWidget()
            dock.setTitleBarWidget(None if on else QWidget())  # type: ignore[arg-type]
            if before is not None:
                before.deleteLater()

    def set_resting(self, resting: bool) -> None:
        """Puts the panels of runs away while nothing is in them, or has them back as the user had them."""
        if resting == (self._resting is not None):
            return
        if resting:
            self._resting = [self._docks[name] for name in RUN_DOCKS if not self._docks[name].isHidden()]
        docks, self._resting = self._resting or [], self._resting if resting else None
        for dock in docks:
            dock.setVisible(not resting)
        if not resting:
            self._give()
            # Else an edge that comes to stand under a resting pointer looks pointed at long after it has gone.
            nowhere = QPointF(-1, -1)
            QCoreApplication.sendEvent(self._window, QHoverEvent(QEvent.Type.HoverLeave, nowhere, nowhere, nowhere))

    def _hide_absent(self) -> None:
        for name in self._absent:
            self._docks[name].hide()
            self._docks[name].toggleViewAction().setVisible(False)

    def state(self) -> str:
        """The arrangement, to be kept for all windows; what rests or is absent in this one is a part of it."""
        self.set_resting(False)
        for name in self._absent:
            self._docks[name].show()
        return bytes(self._window.saveState(LAYOUT_VERSION).toBase64().data()).decode()

    @property
    def is_sized(self) -> bool:
        """Whether the user has chosen how large they are."""
        return self._wanted != [*SIDES, BELOW]

    def restore(self, state: str, *, sized: bool = True) -> None:
        """The arrangement as it was kept; one that no longer fits is passed over. Not `sized`: the usual sizes."""
        self._wanted = None if sized else [*SIDES, BELOW]
        self._window.restoreState(QByteArray.fromBase64(state.encode()), LAYOUT_VERSION)
        self._hide_absent()

    def put(self, name: str, panel: QWidget) -> None:
        """Puts the panel in the place of what the dock held, with bars to scroll it where it has too little room."""
        dock = self._docks[name]
        former = dock.widget()
        dock.setWidget(Scrolled(panel, least_width=LEAST_WIDTHS.get(name, LEAST_WIDTH)))
        if former is not None and former is not panel:
            former.deleteLater()

    def show(self, name: str, focus: QWidget) -> None:
        """Brings a dock to the front and the keyboard into what it holds."""
        dock = self._docks[name]
        dock.show()
        dock.raise_()
        focus.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _sizes(self) -> list[int]:
        return [self.tools.width(), self.calls.width(), self.bottom.height()]

    def _give(self) -> None:
        """Has the panels be as large as they are wanted in this zoom, or as there is room for."""
        if self._wanted is None:
            return
        tools, calls, bottom = (theme().pixels(size) for size in self._wanted)
        if not self.is_sized:
            # A large screen is for all of them; the calls are what people come to see.
            width, height = self._window.width(), self._window.height()
            tools, calls = max(tools, width * 13 // 100), max(calls, width // 3)
            bottom = max(bottom, height * 28 // 100)
        room = round(self._window.width() * MOST_WIDTH)
        if tools + calls > room:
            tools = max(round(tools * room / (tools + calls)), min(tools, NARROW_TOOLS))
            calls = room - tools
        bottom = min(bottom, max(BELOW, round(self._window.height() * MOST_HEIGHT)))
        self._window.resizeDocks([self.tools, self.calls], [tools, calls], Qt.Orientation.Horizontal)
        self._window.resizeDocks([self.bottom], [bottom], Qt.Orientation.Vertical)

    def _on_theme_changed(self) -> None:
        """What was wide enough for its words stays so in another zoom."""
        before, self._zoom = self._zoom, theme().zoom
        if before != self._zoom:
            self._wanted = self._wanted or [size / before for size in self._sizes()]
            # Until all is dressed anew, the panels can be no smaller than their words were.
            self._giving.start()

    def _add(self, name: str, title: str, panel: QWidget) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setAccessibleName(title)
        # As it is: to have it scrolled at once would cost the first paint a tenth of its time.
        dock.setWidget(panel)
        dock.setTitleBarWidget(QWidget())
        self._window.addDockWidget(AREAS.get(name, RIGHT), dock)
        return dock

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The lines between panels are the window's own: it is told when one is dragged.
        kind = event.type()
        if kind == QEvent.Type.Resize and not self.is_sized:
            self._giving.start()
        elif kind == QEvent.Type.MouseButtonPress:
            self._pressed = self._sizes()
        elif kind == QEvent.Type.MouseButtonRelease and self._sizes() != self._pressed:
            self._wanted = None
        return super().eventFilter(watched, event)


USUAL = (1440, 900)
FRAME = (8, 40)
"""What a desktop draws around a window, in width and height, so that all of it is on the screen."""


class WindowGeometry:
    """Size and place of one window, and of its docks."""

    def __init__(self, window: QMainWindow, docks: Docks, settings: Settings) -> None:
        self._window, self._docks, self._settings = window, docks, settings

    def restore(self) -> None:
        """As it was left; at a first start, the usual size where the screen has room for it."""
        room = self._window.screen().availableGeometry()
        # The frame of the desktop is not known before the window is shown; it takes about so much.
        width, height = min(USUAL[0], room.width() - FRAME[0]), min(USUAL[1], room.height() - FRAME[1])
        self._window.resize(width, height)
        geometry, state = self._settings.get("geometry"), self._settings.get("docks")
        if geometry:
            self._window.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        if state:
            self._docks.restore(state, sized=self._settings.get("docks_sized", True))

    def save(self) -> None:
        """For the next start."""
        self._settings.set("geometry", bytes(self._window.saveGeometry().toBase64().data()).decode())
        self._settings.set("docks", self._docks.state())
        self._settings.set("docks_sized", self._docks.is_sized, usual=True)
