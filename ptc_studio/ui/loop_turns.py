"""Tells those who do calls that the window's loop has had its turn, so that they see to it that it gets the next."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractEventDispatcher

if TYPE_CHECKING:
    from ptc_studio.core.courtesy import Courtesy


class LoopTurns:
    """Tells from `begin` to `end`: for the time of a run."""

    def __init__(self) -> None:
        self._told: Courtesy | None = None

    def begin(self, courtesy: "Courtesy") -> None:
        self.end()
        self._told = courtesy
        courtesy.had_turn()
        # Qt tells it before it waits for more to do, hence when it has done what there was.
        QAbstractEventDispatcher.instance().aboutToBlock.connect(courtesy.had_turn)

    def end(self) -> None:
        if self._told is not None:
            QAbstractEventDispatcher.instance().aboutToBlock.disconnect(self._told.had_turn)
            self._told.needs_no_turns()
            self._told = None
