"""Keeps the newest call in sight while a run goes on."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QObject, QPersistentModelIndex, Signal
from PySide6.QtWidgets import QTreeView

from ptc_studio.ui.models.call_forest import folds_above
from ptc_studio.ui.models.call_model import CallModel
from ptc_studio.ui.models.call_nodes import Call, Fold, Node, Range

PATIENCE = 1.0
"""Seconds without a call in the list that is followed, after which another list is."""
SMALL = 25
"""A list of so many rows may stay open when its time is over."""


class Follower(QObject):
    """Opens the list that the newest call is in, scrolls to it, and closes long lists that it opened before.

    Where calls arrive in several lists in turn, it stays with one of them, so that the view does not jump.

    Signals: switched: following began (True) or ended (False), because of the user or the program.
    """

    switched = Signal(bool)

    def __init__(self, view: QTreeView, model: CallModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._on = True
        self._place: Node | None = None
        self._until = 0.0
        self._newest: Call | None = None
        self._opened: dict[Node, QPersistentModelIndex] = {}
        view.verticalScrollBar().actionTriggered.connect(self._on_scrolled_by_hand)

    @property
    def on(self) -> bool:
        return self._on

    def switch(self, on: bool) -> None:
        """Begins or ends following."""
        if on != self._on:
            self._on = on
            self.switched.emit(on)
        if on and self._newest is not None:
            self._reveal(self._newest)

    def forget(self) -> None:
        """The tree is another one."""
        self._place = self._newest = None
        self._opened.clear()

    def arrived(self, calls: Sequence[Call]) -> None:
        """These calls are new; the last one is the newest."""
        if not calls:
            return
        self._newest = calls[-1]
        # In a place that is followed already, its own newest call counts.
        here = next((call for call in reversed(calls) if call.parent is self._place), None)
        now = time.monotonic()
        if here is None and now < self._until and _can_grow(self._place):
            return
        self._until = now + PATIENCE
        if self._on:
            self._reveal(here or calls[-1])

    def catch_up(self) -> None:
        """Goes to the newest call if the list that was followed has been silent for long enough."""
        newest = self._newest
        if self._on and newest is not None and newest.parent is not self._place and time.monotonic() >= self._until:
            self._reveal(newest)

    def _reveal(self, call: Call) -> None:
        self._place = call.parent
        keep = {call.parent, *folds_above(call)}
        for node in [node for node in self._opened if node not in keep]:
            index = self._opened.pop(node)
            if len(node.rows) > SMALL:
                self._view.collapse(index)
        self._open_above(call)
        self._view.scrollTo(self._model.index_of(call))

    def _open_above(self, call: Call) -> None:
        above = call.parent
        while above is not None and above.parent is not None:
            index = self._model.index_of(above)
            if not self._view.isExpanded(index):
                self._opened[above] = QPersistentModelIndex(index)
                self._view.expand(index)
            above = above.parent

    def _on_scrolled_by_hand(self, _action: int) -> None:
        bar = self._view.verticalScrollBar()
        if bar.sliderPosition() != bar.value():
            self.switch(False)


def _can_grow(place: Node | None) -> bool:
    """Whether it is a list of repeated calls that may still get more: not a range that has a successor."""
    if not isinstance(place, Fold) or place.parent is None:
        return False
    if isinstance(place, Range):
        return place is place.parent.rows[-1]
    return not (place.rows and isinstance(place.rows[-1], Range))
