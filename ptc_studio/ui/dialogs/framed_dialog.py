"""The frame of the dialogs here: a title, what it is about, and below a note and the buttons."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QHeaderView, QPushButton, QTreeWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from ptc_studio.ui.forms.form_style import apply_form_style
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import Scrolled, rule

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout

    from ptc_studio.ui.workbench import Workbench


ROOM = 48
"""What is left free of the window around a dialog."""


class FramedDialog(QDialog):
    """Shown with `open()`, never `exec()`: the loop goes on. Escape closes.

    It is gone when it is closed and what it began is over: whoever closes it meanwhile leaves nothing half done, and
    what comes late finds it still there.
    """

    def __init__(self, parent: QWidget, title: str, width: int, height: int) -> None:
        super().__init__(parent)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False
        self.finished.connect(self._on_finished)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        apply_form_style(self)
        self.heading = PlainLabel(title)
        self.heading.setProperty("role", "title")
        self.heading.setFixedHeight(theme().pixels(FIELD))
        self.setWindowTitle(title)
        self.back = flat_button("back", "Back", lambda: None)
        self.back.hide()
        self.note = PlainLabel(wordWrap=True)
        # A path is one long word, which must not make the dialog wider than the window; the tooltip has all of it.
        self.note.setMinimumWidth(1)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._note_colour = "muted"
        theme().changed.connect(self._colour_note)
        self._foot = self._row()
        self._foot.addWidget(self.note, 1)
        head = self._row()
        head.addWidget(self.back)
        head.addWidget(self.heading, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(head)
        self._column.addWidget(rule())
        self._column.addWidget(rule())
        self._column.addLayout(self._foot)
        room = parent.window().size()
        self.resize(
            min(theme().pixels(width), max(480, room.width() - ROOM)),
            min(theme().pixels(height), max(360, room.height() - ROOM)),
        )

    def start(self, bench: "Workbench", work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Has the work done, for which this lives on."""
        task = bench.start(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        # The window that it belongs to may have taken it along.
        if self._is_closed and isValid(self):
            self._on_finished()

    def _on_finished(self) -> None:
        self._is_closed = True
        if not self._tasks:
            self.deleteLater()

    def set_title(self, title: str) -> None:
        self.heading.setText(title)
        self.setWindowTitle(title)

    def set_body(self, body: "QWidget | QLayout") -> None:
        """Puts it between the lines."""
        if isinstance(body, QWidget):
            widget = body
        else:
            widget = QWidget()
            widget.setLayout(body)
        # The buttons below are always to be seen, however small the screen is.
        self._column.insertWidget(2, Scrolled(widget), 1)

    def add_button(self, text: str, act: Callable[[], object], *, default: bool = False) -> QPushButton:
        """A button at the right of the foot."""
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: act())
        if default:
            button.setDefault(True)
            button.setProperty("primary", True)
        self._foot.addWidget(button)
        return button

    def say(self, text: str, colour: str = "muted") -> None:
        """Says something beside the buttons."""
        self._note_colour = colour
        self.note.setText(text)
        self.note.setToolTip(plain_tip(text))
        self.note.setAccessibleName(text)
        self._colour_note()

    @property
    def _failed(self) -> bool:
        """Whether what is said is that something went wrong."""
        return self._note_colour == "error"

    def say_failed(self, text: str) -> None:
        """Says what went wrong; nothing is lost by it."""
        self.say(f"✕ {text}", "error")

    def _colour_note(self) -> None:
        self.note.setStyleSheet(f"color: {theme().colour(self._note_colour).name()};")

    def _row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        edge, space = theme().pixels(4 * SPACE), theme().pixels(2 * SPACE)
        row.setContentsMargins(edge, space, edge, space)
        row.setSpacing(theme().pixels(2 * SPACE))
        return row


def will_be_saved_to(path: Path) -> str:
    """What the foot of a dialog says of the file that it writes."""
    home = Path.home()
    shown = Path("~") / path.relative_to(home) if path.is_relative_to(home) and path != home else path
    return f"Will be saved to {shown}"


def plain_list(accessible_name: str, *columns: str) -> QTreeWidget:
    """The list, empty; its first column is as wide as what stands in it."""
    made = QTreeWidget()
    made.setRootIsDecorated(False)
    made.setUniformRowHeights(True)
    made.setIndentation(0)
    made.setStyleSheet(f"QTreeView::item {{ padding: 0 {theme().pixels(2 * SPACE)}px; }}")
    made.setAccessibleName(accessible_name)
    made.setHeaderLabels(columns)
    made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
    return made
