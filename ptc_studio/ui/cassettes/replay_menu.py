"""The menu of the cassettes that a run can be answered from."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from ptc_studio.storage.cassettes import FOLDER, cassettes_in
from ptc_studio.ui.widgets.plain_text import plain_tip

if TYPE_CHECKING:
    from ptc_studio.core.answering.cassette import ReplayMode

MOST = 30
MODES: "dict[ReplayMode, str]" = {
    "match": "By match: any recorded call with equal arguments answers",
    "strict": "Strictly: in the recorded order",
}
EMPTY = "No cassette yet: record a run, and it is offered here"


class ReplayMenu(QMenu):
    """Filled anew each time that it is opened.

    Signals: chosen(path): a run is to be answered from it. file_wanted: from a file elsewhere. left: the tools are to
    answer again. mode_changed(mode).
    """

    chosen = Signal(object)
    file_wanted = Signal()
    left = Signal()
    mode_changed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Replay a cassette", parent)
        self.setObjectName("replayMenu")
        self.folder: Path | None = None
        """Of the workspace; None before one is open."""
        self.current: Path | None = None
        self.mode: ReplayMode = "match"
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Offers what there is now."""
        self.clear()
        self._offer_cassettes(cassettes_in(self.folder) if self.folder else [])
        other = self.addAction("Other file…")
        other.setEnabled(self.folder is not None)
        other.triggered.connect(lambda: self.file_wanted.emit())
        self.addSeparator()
        self._offer_modes()
        self.addSeparator()
        leave = self.addAction("Let the tools answer again")
        leave.setEnabled(self.current is not None)
        leave.triggered.connect(lambda: self.left.emit())

    def _offer_cassettes(self, paths: list[Path]) -> None:
        if not paths:
            self.addAction(EMPTY).setEnabled(False)
        for path in paths[:MOST]:
            action = self.addAction(f"{_plain(path.stem)}\t{_when(path)}")
            action.setToolTip(plain_tip(str(path)))
            action.setCheckable(True)
            action.setChecked(path == self.current)
            action.triggered.connect(lambda _checked=False, path=path: self.chosen.emit(path))
        if len(paths) > MOST:
            self.addAction(f"and {len(paths) - MOST} more in {FOLDER}").setEnabled(False)

    def _offer_modes(self) -> None:
        group = QActionGroup(self)
        for mode, text in MODES.items():
            action = group.addAction(text)
            action.setCheckable(True)
            action.setChecked(mode == self.mode)
            action.triggered.connect(lambda _checked=False, mode=mode: self._on_mode(mode))
            self.addAction(action)

    def _on_mode(self, mode: str) -> None:
        self.mode = "strict" if mode == "strict" else "match"
        self.mode_changed.emit(mode)


def _plain(name: str) -> str:
    """As a menu shows it: an ampersand would mark a letter."""
    return name.replace("&", "&&")


def _when(path: Path) -> str:
    try:
        # In the time of whoever sits before it.
        return datetime.fromtimestamp(path.stat().st_mtime).astimezone().strftime("%Y-%m-%d %H:%M")
    except OSError:
        return ""
