"""The panels around the editor: where they stand, and how they are moved, hidden and put back."""

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
LAYOUT_VERSION = 1


class Docks:
    """The docks of the main window. Their title bars show only while panels are being rearranged."""

    def __init__(
        self, window: QMainWindow, tools: QWidget, bottom: QWidget, calls: QWidget, inspector: QWidget
    ) -> None:
        self._window = window
        # What is below the editor stays below it; the sides reach to the bottom.
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.setDockNestingEnabled(True)
        self.tools = self._add("toolDock", "Tools", tools, LEFT)
        self.bottom = self._add("bottomDock", "Output", bottom, BOTTOM)
        self.calls = self._add("callDock", "Calls", calls, RIGHT)
        self.inspector = self._add("inspectorDock", "Inspector", inspector, RIGHT)
        self.put_back()

    @property
    def all(self) -> tuple[QDockWidget, ...]:
        return self.tools, self.bottom, self.calls, self.inspector

    def put_back(self) -> None:
        """The arrangement of a first start."""
        for dock, area in zip(self.all, (LEFT, BOTTOM, RIGHT, RIGHT), strict=True):
            dock.setFloating(False)
            self._window.addDockWidget(area, dock)
            dock.show()
        self._window.splitDockWidget(self.calls, self.inspector, Qt.Orientation.Vertical)
        self._window.resizeDocks([self.tools, self.calls], [250, 420], Qt.Orientation.Horizontal)
        self._window.resizeDocks([self.bottom, self.calls, self.inspector], [260, 400, 340], Qt.Orientation.Vertical)

    def arrange(self, on: bool) -> None:
        """Shows or hides the title bars by which docks are dragged."""
        for dock in self.all:
            before = dock.titleBarWidget()
            dock.setTitleBarWidget(None if on else QWidget())  # type: ignore[arg-type]
            if before is not None:
                before.deleteLater()

    def state(self) -> str:
        """The arrangement, to be kept."""
        return bytes(self._window.saveState(LAYOUT_VERSION).toBase64().data()).decode()

    def restore(self, state: str) -> None:
        """The arrangement as it was kept; one that no longer fits is passed over."""
        self._window.restoreState(QByteArray.fromBase64(state.encode()), LAYOUT_VERSION)

    def put(self, dock: QDockWidget, panel: QWidget) -> None:
        """Puts the panel in the place of what the dock held."""
        former = dock.widget()
        dock.setWidget(panel)
        if former is not None:
            former.deleteLater()

    def show(self, dock: QDockWidget, focus: QWidget) -> None:
        """Brings a panel to the front and the keyboard into it."""
        dock.show()
        dock.raise_()
        focus.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _add(self, name: str, title: str, panel: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setAccessibleName(title)
        dock.setWidget(panel)
        dock.setTitleBarWidget(QWidget())
        self._window.addDockWidget(area, dock)
        return dock
