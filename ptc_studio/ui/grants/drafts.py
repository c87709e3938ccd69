"""Grant sets while they are edited: what they were, what they are to be, and the changes between; knows no Qt."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptc_studio.ui.grants.patterns import Patterns, name_fault

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor

NEW_NAME = "new-set"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the file."""

    text: str
    """What was done, such as `readonly was removed`."""
    apply: "Callable[[WorkspaceEditor], Undo]"
    removes: str = ""
    renames: tuple[str, str] | None = None


def setting(name: str, patterns: Patterns, *, fresh: bool = False) -> Change:
    """Makes the set or changes it."""
    done = "was saved" if fresh else "was changed"
    return Change(f"{name!r} {done}", lambda editor: editor.set_grant(name, patterns))


def renaming(name: str, to: str) -> Change:
    return Change(f"{name!r} is now {to!r}", lambda editor: editor.rename_grant(name, to), renames=(name, to))


def removing(name: str) -> Change:
    return Change(f"{name!r} was deleted", lambda editor: editor.remove_grant(name), removes=name)


@dataclass(slots=True, eq=False)
class Draft:
    """One set as it is to be."""

    name: str
    patterns: Patterns
    former: str = ""
    """Its name in the file; empty: it is new."""
    before: Patterns = ()

    @property
    def is_changed(self) -> bool:
        return not self.former or self.name != self.former or self.patterns != self.before


class Drafts:
    """All sets of a workspace, being edited."""

    def __init__(self, sets: Mapping[str, Patterns]) -> None:
        self._there = dict(sets)
        self.all = [Draft(name, tuple(patterns), name, tuple(patterns)) for name, patterns in sets.items()]

    def add(self, patterns: Patterns, name: str = NEW_NAME) -> Draft:
        """A new set, with a name that is free."""
        draft = Draft(self._free(name), patterns)
        self.all.append(draft)
        return draft

    def remove(self, draft: Draft) -> None:
        self.all.remove(draft)

    def fault(self, draft: Draft) -> str:
        """Why the set cannot be saved; empty if it can."""
        return name_fault(draft.name, [other.name for other in self.all if other is not draft])

    @property
    def changes(self) -> list[Change]:
        """What is to be done to the file, in an order that it can be done in."""
        return [*self._removals(), *self._renames(), *self._settings()]

    def _removals(self) -> Iterator[Change]:
        kept = {draft.former for draft in self.all}
        yield from (removing(name) for name in self._there if name not in kept)

    def _renames(self) -> Iterator[Change]:
        """A name that another set is about to leave is free after that one has been renamed."""
        waiting = [draft for draft in self.all if draft.former and draft.name != draft.former]
        while waiting:
            held = {draft.former for draft in waiting}
            draft = next((each for each in waiting if each.name not in held - {each.former}), None)
            if draft is None:
                # They swap names: one of them steps aside first.
                first, aside = waiting[0], self._free(f"{waiting[0].name}-")
                yield renaming(first.former, aside)
                waiting[0] = Draft(first.name, first.patterns, aside, first.before)
                continue
            waiting.remove(draft)
            yield renaming(draft.former, draft.name)

    def _settings(self) -> Iterator[Change]:
        for draft in self.all:
            if not draft.former or draft.patterns != draft.before:
                yield setting(draft.name, draft.patterns, fresh=not draft.former)

    def _free(self, wanted: str) -> str:
        taken = {*self._there, *(draft.name for draft in self.all)}
        names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
        return next(name for name in names if name not in taken)


def summed_up(changes: Sequence[Change]) -> str:
    """What was done, in one sentence."""
    first = "; ".join(change.text for change in changes[:3])
    more = f"; and {len(changes) - 3} more" if len(changes) > 3 else ""
    return f"The grant set {first}{more}." if len(changes) == 1 else f"Grant sets: {first}{more}."
