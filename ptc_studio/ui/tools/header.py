"""The head of the tool panel: its name and what can be done there."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QMimeData, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW
from ptc_studio.ui.widgets.labels import PlainLabel

TOOLS_FORMAT = "application/x-ptc-studio-tools"
"""The names of the tools, one a line, beside the text of calls; of an alias, that of its tool."""


def dragged_tools(data: QMimeData) -> list[str]:
    """The names of the tools that are dragged; none if it is something else."""
    return bytes(data.data(TOOLS_FORMAT).data()).decode().split("\n") if data.hasFormat(TOOLS_FORMAT) else []


DROP_ACTION = "addAliasAction"


class HeaderButton(QToolButton):
    """A small button that tools can be dropped on, if somebody wants them.

    Signals: tools_dropped(names).
    """

    tools_dropped = Signal(object)

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setDefaultAction(action)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setProperty("flat", True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dragged_tools(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.setDown(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        del event
        self.setDown(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.setDown(False)
        names = dragged_tools(event.mimeData())
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        # The drag has to end before anything opens.
        QTimer.singleShot(0, self, lambda: self.tools_dropped.emit(names))


class _Header(QHBoxLayout):
    """Where there is little room, the title goes: the field below says as well what the panel is."""

    def __init__(self, title: QLabel) -> None:
        super().__init__()
        self._title = title
        self.addWidget(title)
        self.addStretch(1)

    def _width_with_title(self) -> int:
        own = self._title.sizeHint().width() + self.spacing() if self._title.isHidden() else 0
        return super().sizeHint().width() + own

    def minimumSize(self) -> QSize:
        least = super().minimumSize()
        own = 0 if self._title.isHidden() else self._title.sizeHint().width() + self.spacing()
        return QSize(least.width() - own, least.height())

    def setGeometry(self, rect: QRect) -> None:
        self._title.setVisible(self._width_with_title() <= rect.width())
        super().setGeometry(rect)


def tool_header(
    actions: Sequence[QAction] = (), dropped: Callable[[list[str]], object] | None = None, title: str = "Tools"
) -> QHBoxLayout:
    """The title, and a button for each action; `dropped` is told what is dropped on the one that makes aliases."""
    label = PlainLabel(title)
    label.setProperty("role", "title")
    row = _Header(label)
    row.setContentsMargins(10, 3, 6, 3)
    row.setSpacing(2)
    for action in actions:
        button = HeaderButton(action)
        if dropped is not None and action.objectName() == DROP_ACTION:
            button.setAcceptDrops(True)
            button.tools_dropped.connect(dropped)
        row.addWidget(button)
    row.addWidget(_strut())
    return row


def _strut() -> QWidget:
    """Keeps the header as high as that of a panel with buttons."""
    strut = QWidget()
    strut.setFixedSize(0, theme().pixels(ROW + 2))
    return strut
