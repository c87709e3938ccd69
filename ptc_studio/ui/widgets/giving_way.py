"""What stands in a row that is too narrow for all of it gives way, the least important first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """Something that can be left out, or said shorter."""

    saves: Callable[[], int]
    """How many pixels are won by it, however it is shown at the moment; nothing if it is not there at all."""
    give_way: Callable[[bool], object]
    """Has it give way, or be as usual. Is told what holds already, too."""


def fit(steps: Sequence[Step], needed: int, room: int) -> bool:
    """Has as many steps give way as there must, from the first on; says whether one did.

    All is reckoned before anything is shown or hidden: to try it out would have the row laid out again and again.
    """
    gave = False
    for step in steps:
        saved = step.saves()
        gives = needed > room and saved > 0
        step.give_way(gives)
        needed -= saved if gives else 0
        gave = gave or gives
    return gave
