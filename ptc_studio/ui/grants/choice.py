"""What the next run may call: the set that is chosen in the run bar, and the ticks of the panel, kept in step."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ptc_studio.core.registry import EVERYTHING, Grant
from ptc_studio.ui.grants.patterns import Patterns, granted
from ptc_studio.ui.grants.selector import SavedChoice, save_choice, saved_choice, saved_ticks

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.context import Context


@dataclass(frozen=True, slots=True)
class GrantState:
    """How the choice stands, to come back to it."""

    chosen: SavedChoice | None
    ticked: tuple[str, ...] | None
    """What is ticked instead of what is chosen; None: nothing else."""


class GrantChoice(QObject):
    """The choice of one window.

    Signals: changed: another set is chosen, its meaning or the ticks are others, or there are other sets.
    """

    changed = Signal()

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window)
        self._context, self._settings = context, context.settings
        self._chosen: SavedChoice | None = None
        self._ticked: tuple[str, ...] | None = None
        """What is ticked, while that differs from what is chosen."""
        self._own = False
        """Whether it is not the user who changes what is ticked."""
        context.tools.grant_changed.connect(self._on_grant_changed)
        context.workbench.attached.connect(self._on_attached)
        if context.workbench.is_open:
            self._on_attached()

    # What there is to know

    @property
    def sets(self) -> dict[str, Patterns]:
        """The grant sets of the workspace, by name."""
        bench = self._context.workbench
        return dict(bench.studio.file.grants) if bench.is_open else {}

    @property
    def targets(self) -> "list[Target]":
        """All that could be granted."""
        return self._context.workbench.studio.registry.targets(EVERYTHING)

    @property
    def name(self) -> str:
        """The set that is chosen, even while something else is ticked; empty: everything."""
        return self._chosen.name if self._chosen else ""

    @property
    def patterns(self) -> Patterns | None:
        """What the chosen set says, or said before it went; None: everything."""
        return self.sets.get(self.name, self._chosen.patterns) if self._chosen else None

    @property
    def is_as_ticked(self) -> bool:
        """Whether the ticks are others than those of the chosen set."""
        return self._ticked is not None

    @property
    def is_gone(self) -> bool:
        """Whether the chosen set is in the file no longer; of a file that cannot be read that is not known."""
        return bool(self.name) and self.name not in self.sets and self._context.workbench.studio.fault is None

    @property
    def ticked(self) -> frozenset[str]:
        """The names of what the next run may call, as far as it is there."""
        grant = self._context.workbench.grant
        return frozenset(target.spec.name for target in self.targets if target.granted_by(grant))

    @property
    def standing(self) -> GrantState:
        return GrantState(self._chosen, self._ticked)

    # What changes it

    def choose(self, name: str) -> None:
        """Has the next run be granted that set; everything without a name."""
        if self._context.workbench.is_open:
            self.restore(GrantState(SavedChoice(name, self._last_said(name)) if name else None, None))

    def tick(self, names: Iterable[str]) -> None:
        """Has the next run be granted exactly these, whatever is chosen."""
        names = frozenset(names)
        if names == self._meant():
            self.restore(GrantState(self._chosen, None))
        else:
            self.restore(GrantState(self._chosen, self._with_absent(names)))

    def restore(self, standing: GrantState) -> None:
        """Goes back to how it stood."""
        self._chosen, self._ticked = standing.chosen, standing.ticked
        self._keep()
        self._put_into_panel()
        self._apply()

    def follow_rename(self, name: str, to: str) -> None:
        """The set has another name from now on."""
        if name == self.name:
            self._chosen = SavedChoice(to, self.patterns or ())
            self._keep()
            self._apply()

    @contextmanager
    def following(self) -> Generator[None]:
        """While this lasts tools come and go in the panel; then the ticks are those of the choice again."""
        self._own = True
        try:
            yield
        finally:
            self._own = False
        if self._chosen is not None and self._ticked is None:
            self._put_into_panel()
        self._keep()
        self._apply()

    # How

    @property
    def _folder(self) -> "Path | None":
        studio = self._context.workbench.studio
        return studio.folder if studio.has_workspace else None

    def _on_attached(self) -> None:
        self._chosen = saved_choice(self._settings, self._folder)
        self._ticked = saved_ticks(self._settings, self._folder)
        if self._ticked is not None:
            # Of the tools that are yet to come the panel ticks these.
            self._context.tools.set_grant(self._ticked)
        self._apply()

    def _on_grant_changed(self, names: tuple[str, ...] | None) -> None:
        if not self._own:
            same = names is None if self._chosen is None else self._all_if_none(names) == self._meant()
            self._ticked = None if same else self._with_absent(self._all_if_none(names))
            if same:
                self._put_into_panel()
            self._keep()
            self._apply()
        elif self._ticked is not None or (self._chosen is None and names is not None):
            # Something came or went while the ticks are the user's own.
            self._ticked = self._with_absent(self._all_if_none(names))

    def _with_absent(self, names: Iterable[str]) -> tuple[str, ...]:
        """These, and what was ticked when it was last seen: its source may be yet to come, or to come back."""
        shown = {leaf.label for leaf in self._context.tools.model.root.leaves()}
        return tuple(sorted({*names, *(name for name in self._ticked or () if name not in shown)}))

    def _all_if_none(self, names: Iterable[str] | None) -> frozenset[str]:
        return frozenset(target.spec.name for target in self.targets) if names is None else frozenset(names)

    def _last_said(self, name: str) -> Patterns:
        """What the set says; one that is gone, what it said last."""
        known = self._chosen.patterns if self._chosen is not None and name == self._chosen.name else ()
        return self.sets.get(name, known)

    def _meant(self) -> frozenset[str]:
        """The names of what is chosen."""
        patterns = self.patterns
        return self._all_if_none(None) if patterns is None else granted(patterns, self.targets)

    def _put_into_panel(self) -> None:
        tools = self._context.tools
        wanted = self._ticked if self._ticked is not None else self._meant() if self._chosen is not None else None
        if wanted is None or frozenset(wanted) != self._all_if_none(tools.model.grant):
            tools.set_grant(wanted)

    def _keep(self) -> None:
        """Remembers the choice, what the set says by now, and the ticks."""
        if self._chosen is not None and self.name in self.sets:
            self._chosen = SavedChoice(self.name, self.sets[self.name])
        save_choice(self._settings, self._folder, self._chosen, self._ticked)

    def _apply(self) -> None:
        bench = self._context.workbench
        if self._ticked is not None:
            bench.grant = Grant(self._ticked)
        elif self._chosen is not None and self.name not in self.sets:
            bench.grant = Grant(self._chosen.patterns)
        else:
            bench.grant = bench.studio.grant([self.name] if self.name else None)
        self.changed.emit()
