"""What the window shows in its first paint: panels that look like the real ones while those are being made.

The real ones take their place right afterwards, before any key or click is looked at; nothing on the screen moves.
"""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from ptc_studio.ui.calls.header import CallHeader
from ptc_studio.ui.commands import Actions
from ptc_studio.ui.tools.header import tool_header
from ptc_studio.ui.widgets.buttons import ButtonRow, flat_button, flat_toggle
from ptc_studio.ui.widgets.labels import CALLS, FILTER_FILES, FILTER_TOOLS, INSPECTOR, OUTPUT, READING_TOOLS, EmptyState
from ptc_studio.ui.widgets.layout import rule


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
