"""Finds the row for each fault and has it said there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from shiboken6 import isValid

from ptc_studio.ui.forms.row import Row
from ptc_studio.ui.forms.schema.faults import Fault
from ptc_studio.ui.forms.schema.values import Path


class FaultPlaces:
    """Knows the outermost row of a form."""

    def __init__(self, root: Row) -> None:
        self._root = root
        self._told: list[Row] = []

    def show(self, faults: Sequence[Fault], *, revealed: bool) -> None:
        """Has every fault said at the row nearest to it; a closed group counts what is wrong inside."""
        here: dict[Row, list[Fault]] = {}
        inside: Counter[Row] = Counter()
        for fault in faults:
            rows = self._rows_on(fault.path)
            rest = fault.path[len(rows) - 1 :]
            here.setdefault(rows[-1], []).append(_named(fault, rest))
            inside.update(row for row in rows[:-1] if not row.is_open)
        told = [*here, *(row for row in inside if row not in here)]
        for row in self._told:
            if isValid(row) and row not in here and row not in inside:
                row.show_faults(())
        for row in told:
            row.show_faults(here.get(row, ()), inside[row], revealed=revealed)
        self._told = told

    def open_to(self, path: Path) -> tuple[Row, Path]:
        """Opens what is around the place; gives its row, or the nearest around it, and the rest of the way."""
        row = self._root
        for position, step in enumerate(path):
            row.set_open(True)
            found = row.child(step)
            if found is None:
                return row, path[position:]
            row = found
        return row, ()

    def _rows_on(self, path: Path) -> list[Row]:
        rows = [self._root]
        for step in path:
            found = rows[-1].child(step)
            if found is None:
                break
            rows.append(found)
        return rows


def _named(fault: Fault, rest: Path) -> Fault:
    """The fault as it is said further out: with the rest of the way."""
    if not rest:
        return fault
    return replace(fault, message=f"{replace(fault, path=rest).place}: {fault.message}")
