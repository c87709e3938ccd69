"""Notices what others change: the workspace file and the folders of functions, while the window is in front."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from ptc_studio.sources.kinds import KINDS
from ptc_studio.storage.workspace_watcher import differences
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.storage.workspace import WorkspaceFile
    from ptc_studio.ui.context import Context


class ErrorBar(QFrame):
    """Hidden until there is something to say; nothing but the mending hides it again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("faultBar")
        self._mend: Callable[[], object] = lambda: None
        self._mark = PlainLabel("✕")
        self.text = PlainLabel()
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton()
        self.button.clicked.connect(lambda: self._mend())
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, SPACE, 2 * SPACE, SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self._mark)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self.hide()

    def show_message(self, message: str, remedy: str, mend: Callable[[], object]) -> None:
        """Shows the message, and a button that does what is to be done."""
        self.text.setText(message)
        self.setAccessibleName(message)
        self.button.setText(remedy)
        self._mend = mend
        self.show()

    def _apply_style(self) -> None:
        colours = theme().colours
        self.setStyleSheet(
            f"#faultBar {{ background: {colours.raised}; border: 1px solid {colours.error}; border-radius: 6px; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.error};")


LOOK_MS = 2_000
MOST_TOLD = 4
"""More changes than this are counted."""
_PLACE = re.compile(r"^(?P<file>.*?studio\.yaml)(?::(?P<line>\d+))?:? ", re.DOTALL)


class WorkspaceWatcher(QObject):
    """Looks every two seconds, in a worker's thread, and tells in one window what came of it."""

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window)
        self.setObjectName("outsideChanges")
        self._context = context
        self._told: str | None = None
        self._looking = False
        self.fault = ErrorBar()
        context.messages.add_bar(self.fault)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.refresh)
        context.workbench.attached.connect(self._on_attached)
        context.workbench.closed.connect(self._timer.stop)
        if context.workbench.is_open:
            self._on_attached()

    @property
    def is_looking(self) -> bool:
        """Whether a look is under way."""
        return self._looking

    def refresh(self) -> None:
        """Looks now, unless a look is under way."""
        bench = self._context.workbench
        if bench.is_open and not self._looking:
            self._looking = True
            bench.start(self._look(bench.studio))

    def on_activated(self, active: bool) -> None:
        """The user came back to the window, or left it: he may change the files elsewhere."""
        if active:
            self._timer.start()
            self.refresh()
        else:
            self._timer.stop()

    def _on_attached(self) -> None:
        self._show_error(self._context.workbench.studio)
        if self._context.window.isActiveWindow():
            self._timer.start()

    async def _look(self, studio: "Studio") -> None:
        try:
            before = await studio.reread_if_changed() if studio.has_workspace else None
            self._show_error(studio)
            if before is not None and studio.fault is None:
                self._tell_changes(studio, *before)
            await studio.reread_mocks()
            studio.follow_folder()
            # Other kinds are told to start anew by the user: a server that fails is not started every two seconds.
            studio.source_set.refresh(
                [
                    loaded_source
                    for loaded_source in studio.source_set.loaded_sources
                    if KINDS[loaded_source.entry.kind].watched
                ]
            )
        finally:
            self._looking = False

    def _tell_changes(self, studio: "Studio", before: "WorkspaceFile", broken: str | None) -> None:
        said = [str(change) for change in differences(before, studio.file)]
        if said:
            self._context.messages.show_message(f"studio.yaml was changed: {summed_up(said)}.")
        elif broken is not None:
            self._context.messages.show_message("studio.yaml can be read again.", "done")

    def _show_error(self, studio: "Studio") -> None:
        """Also one that was found by somebody else who read the file."""
        if studio.fault == self._told:
            return
        self._told = studio.fault
        if studio.fault is None:
            self.fault.hide()
            return
        file, line, text = place_of(studio.fault)
        where = f"{file.name}:{line}: " if line else f"{file.name}: "
        self.fault.show_message(
            f"{where}{text.rstrip('.')}. Nothing can be saved to the workspace until this is corrected.",
            "Open file",
            lambda: self._context.editors.open_file(file, line or 1),
        )


def place_of(fault: str) -> tuple[Path, int | None, str]:
    """The file, the line and the reason that a fault names."""
    found = _PLACE.match(fault)
    if found is None:
        return Path("studio.yaml"), None, fault
    return Path(found["file"]), int(found["line"]) if found["line"] else None, fault[found.end() :]


def summed_up(said: list[str]) -> str:
    """The first sentences, and how many more there are."""
    more = len(said) - MOST_TOLD
    return "; ".join(said[:MOST_TOLD]) + (f"; and {more} more" if more > 0 else "")
