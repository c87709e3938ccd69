"""Which source a command of the menu is meant for: that of the selected line, else one to pick."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.widgets.picker import Choice, Picker

if TYPE_CHECKING:
    from ptc_studio.sources.board import Seat
    from ptc_studio.ui.window import MainWindow


def with_source(window: "MainWindow", prompt: str, act: "Callable[[MainWindow, Seat], object]") -> None:
    """Does it to the source of the line that is selected in the tool panel, or has the user pick one."""
    seats = window.workbench.studio.board.seats
    seat = selected_seat(window)
    if seat is None and len(seats) == 1:
        seat = seats[0]
    if seat is not None:
        act(window, seat)
    elif seats:
        choices = [Choice(each.name, partial(act, window, each), KINDS[each.entry.kind].title) for each in seats]
        Picker(window, prompt, choices).pop_up()
    else:
        window.tell("There are no sources yet: add one with Ctrl+Shift+N.")


def selected_seat(window: "MainWindow") -> "Seat | None":
    """The source of the selected line, or nothing."""
    index = window.tools.tree.currentIndex()
    node = window.tools.model.node(index) if index.isValid() else None
    while node is not None:
        seat = getattr(node.row, "seat", None)
        if seat is not None:
            return seat
        node = node.parent
    return None
