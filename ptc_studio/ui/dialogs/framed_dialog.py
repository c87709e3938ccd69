"""The frame of the dialogs here: a title, a note and the buttons; and of those that save an entry of studio.yaml."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QHeaderView, QPushButton, QTreeWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from ptc_studio.core.errors import PtcError
from ptc_studio.storage.workspace import FILE_NAME
from ptc_studio.ui.dialogs.questions import choose_new_workspace
from ptc_studio.ui.forms.controls import apply_form_style
from ptc_studio.ui.sources.entry_schema import NoWords
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import Scrolled, rule

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout

    from ptc_studio.ui.context import Context
    from ptc_studio.ui.workbench import Workbench
    from ptc_studio.ui.workspace_edits import WorkspaceEdits


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


NO_WORKSPACE = "No folder is open: you will be asked for one to save it in."
RECALLED = "This is what you had typed before; it is not saved yet."


class SavingDialog(FramedDialog):
    """Who derives from it makes the `save_button`, and says what is written and what is told of it."""

    no_workspace = ""
    """What is said where saving asks for a folder."""
    save_button: QPushButton

    def __init__(self, context: "Context", title: str, width: int, height: int) -> None:
        super().__init__(context.window, title, width, height)
        self._context = context
        self._busy = False
        self.has_read = False
        """Whether the file was read that is to be changed: what somebody else changes from then on is noticed."""

    def values(self) -> dict[str, Any]:
        """The entry as the file will have it; raises NoWords."""
        raise NotImplementedError

    def save_in(self, folder: Path) -> None:
        """Makes the folder a workspace that has this entry."""
        self.start(self._context.workbench, self._save(folder))

    async def _write(self, values: dict[str, Any], folder: Path | None) -> Any:
        """Writes the entry, into the file of another folder if one is given; raises WorkspaceError."""
        raise NotImplementedError

    def _show_saved(self, values: dict[str, Any], done: Any) -> None:
        """Says what was written; `done` is what `_write` gave."""
        raise NotImplementedError

    def _save_or_ask(self) -> None:
        """Writes the entry, asking where if there is no workspace yet."""
        if self._context.workbench.studio.has_workspace:
            self.start(self._context.workbench, self._save())
        else:
            choose_new_workspace(self, self.save_in)

    async def _save(self, folder: Path | None = None) -> None:
        self._set_busy(True)
        try:
            values = self.values()
            done = await self._write(values, folder)
        except (PtcError, NoWords) as error:
            if isValid(self):
                self._set_busy(False)
                self.say_failed(str(error))
            return
        # Whoever closed it meanwhile has what was saved all the same.
        if isValid(self):
            self._show_saved(values, done)
            self.accept()

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        self.save_button.setEnabled(not busy)
        if busy:
            self.say("◐ Saving…")

    async def _read_file(self, edits: "WorkspaceEdits") -> None:
        """Has the file read that is to be changed."""
        if not self._context.workbench.studio.has_workspace:
            return
        try:
            await edits.start()
            self.has_read = True
        except PtcError as error:
            self.say_failed(str(error))

    def _say_where(self, *, recalled: bool) -> None:
        """Says where it goes, or what is in the way; `recalled`: a draft is shown."""
        studio = self._context.workbench.studio
        if studio.fault:
            self.say_failed(studio.fault)
        elif recalled:
            self.say(RECALLED)
        else:
            self.say(will_be_saved_to(studio.folder / FILE_NAME) if studio.has_workspace else self.no_workspace)


Key = tuple[str, ...]
"""What was being filled in: that it is an alias or a source, and which."""


@dataclass(frozen=True, slots=True)
class DialogDraft:
    """One entry that was begun."""

    began: dict[str, Any]
    """As it was before anybody typed."""
    values: dict[str, Any]


_drafts: "WeakKeyDictionary[Context, dict[Key, DialogDraft]]" = WeakKeyDictionary()


def save_draft(context: "Context", key: Key, draft: DialogDraft) -> None:
    _drafts.setdefault(context, {})[key] = draft


def take_draft(context: "Context", key: Key, began: dict[str, Any]) -> dict[str, Any] | None:
    """What was typed there before, if it began with the same; it is taken out."""
    draft = _drafts.get(context, {}).pop(key, None)
    return draft.values if draft is not None and draft.began == began else None
