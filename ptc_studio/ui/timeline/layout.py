"""Where each lane stands, from top to bottom: few rows have high bars, many have thin ones. Knows no Qt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ptc_studio.ui.timeline.lanes import Lane, Row

SIZES = ((3, 12, 4), (10, 6, 2), (1_000, 3, 1))
"""For up to so many rows: the height of a bar, and the gap below it."""
PADDING = 7
LOWEST = 26


@dataclass(frozen=True, slots=True)
class Placed:
    """A lane and its place, in pixels from the top of the first."""

    lane: Lane
    top: int
    height: int
    first_bar: int
    """Where its first bar begins, from the top of all."""
    bar: int
    pitch: int
    """From the top of a bar to that of the next."""

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def bar_top(self, number: int) -> int:
        return self.first_bar + number * self.pitch

    def row_at(self, y: float) -> Row | None:
        """The row whose bars are there, or nearest."""
        rows = self.lane.rows
        number = int((y - self.first_bar + (self.pitch - self.bar) / 2) // self.pitch)
        return rows[min(max(number, 0), len(rows) - 1)] if rows else None


def place(lanes: Sequence[Lane], pixels: Callable[[float], int]) -> list[Placed]:
    """Puts the lanes one below the other; `pixels` applies the zoom."""
    placed: list[Placed] = []
    top = 0
    for lane in lanes:
        rows = len(lane.rows)
        bar, gap = next((pixels(bar), pixels(gap)) for most, bar, gap in SIZES if rows <= most)
        bars = rows * (bar + gap) - gap
        height = max(bars + 2 * pixels(PADDING), pixels(LOWEST))
        placed.append(Placed(lane, top, height, top + (height - bars) // 2, bar, bar + gap))
        top += height
    return placed
