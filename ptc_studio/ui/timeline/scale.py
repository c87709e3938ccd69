"""Which times stand where: milliseconds of the run to pixels and back, and the marks on the axis. Knows no Qt."""

from collections.abc import Iterator
from dataclasses import dataclass

SHORTEST = 0.05
"""Milliseconds: nobody needs to look closer."""
MARK_ROOM = 90
"""Pixels between two marks, at least."""
SECOND = 1_000.0


@dataclass(frozen=True, slots=True)
class Scale:
    """The stretch of time that is seen, and where."""

    first: float
    last: float
    left: float
    width: float

    @property
    def length(self) -> float:
        return self.last - self.first

    @property
    def step(self) -> float:
        """The milliseconds of a pixel."""
        return self.length / max(self.width, 1.0)

    def x(self, moment: float) -> float:
        return self.left + (moment - self.first) / self.step

    def moment(self, x: float) -> float:
        return self.first + (x - self.left) * self.step

    def zoomed(self, factor: float, around: float, whole: float) -> tuple[float, float]:
        """The stretch that is `factor` as long, with one moment left where it is; never beyond the run."""
        length = min(max(self.length * factor, SHORTEST), whole)
        first = around - (around - self.first) * length / self.length
        first = min(max(first, 0.0), whole - length)
        return first, first + length

    def marks(self) -> Iterator[tuple[float, str]]:
        """Round times, far enough apart for their words."""
        step = _round_up(self.step * MARK_ROOM)
        number = int(self.first // step)
        while number * step <= self.last:
            if number * step >= self.first:
                yield number * step, _words(number * step, step)
            number += 1


def _round_up(length: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    power = 1e-3
    while power * 10 <= length:
        power *= 10
    return next((power * times for times in (1, 2, 5) if power * times >= length), power * 10)


def _words(moment: float, step: float) -> str:
    if moment == 0:
        return "0"
    if step < 1:
        return f"{moment:,.{2 if step < 0.1 else 1}f} ms"
    if step < SECOND / 10 and moment < SECOND:
        return f"{moment:,.0f} ms"
    digits = 0 if step >= SECOND else 1 if step >= SECOND / 10 else 2 if step >= SECOND / 100 else 3
    return f"{moment / SECOND:,.{digits}f} s"
