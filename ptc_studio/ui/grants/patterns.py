"""What the patterns of a grant set mean, and how they change when something is ticked or unticked; knows no Qt.

A pattern that somebody wrote stays as it is until it means something else than what is wanted.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptc_studio.core.registry import Grant, Target, is_wild

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor


Patterns = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GrantReach:
    """How much of all there is a set grants."""

    tools: int
    all_tools: int
    aliases: int
    all_aliases: int
    idle: Patterns
    """The patterns that match nothing at present."""

    @property
    def grants_nothing(self) -> bool:
        return not self.tools and not self.aliases

    def __str__(self) -> str:
        """`12 of 40 tools, 1 of 3 aliases`."""
        aliases = f", {self.aliases} of {_counted(self.all_aliases, 'alias', 'aliases')}" if self.all_aliases else ""
        return f"{self.tools} of {_counted(self.all_tools, 'tool', 'tools')}{aliases}"


def reach(patterns: Patterns, targets: Sequence[Target]) -> GrantReach:
    """Of these patterns among all targets that there are."""
    names = granted(patterns, targets)
    aliases = [target for target in targets if target.alias is not None]
    granted_aliases = sum(target.spec.name in names for target in aliases)
    idle = tuple(pattern for pattern, meant in _meanings(patterns, targets) if not meant)
    return GrantReach(len(names) - granted_aliases, len(targets) - len(aliases), granted_aliases, len(aliases), idle)


def granted(patterns: Patterns, targets: Iterable[Target]) -> frozenset[str]:
    """The names of what the patterns grant."""
    grant = Grant(patterns)
    return frozenset(target.spec.name for target in targets if target.granted_by(grant))


def with_names(patterns: Patterns, targets: Iterable[Target], names: Iterable[str]) -> Patterns:
    """Grants these as well, each by its name."""
    have = granted(patterns, targets)
    return (*patterns, *(name for name in dict.fromkeys(names) if name not in have))


def with_source(patterns: Patterns, targets: Sequence[Target], source: str) -> Patterns:
    """Grants all of the source, and what it will bring, by `source.*`, which takes the place of its tools' names."""
    whole = f"{source}.*"
    if whole in patterns:
        return patterns
    known = {target.spec.name: target for target in targets}
    covered = granted((whole,), targets)
    own = [pattern for pattern in patterns if pattern in known and pattern in covered]
    location = patterns.index(own[0]) if own else len(patterns)
    kept = [pattern for pattern in patterns[:location] if pattern not in own]
    return (*kept, whole, *(pattern for pattern in patterns[location:] if pattern not in own))


def without_names(patterns: Patterns, targets: Sequence[Target], names: Collection[str]) -> Patterns:
    """Grants these no longer: a pattern that means one of them makes way for the names of the others."""
    kept: list[str] = []
    for pattern, meant in _meanings(patterns, targets):
        if meant.isdisjoint(names):
            kept.append(pattern)
        else:
            kept += [target.spec.name for target in targets if target.spec.name in meant.difference(names)]
    clear = [pattern for pattern in kept if pattern in patterns]
    # What another pattern grants anyway needs no name of its own.
    have = granted(tuple(clear), targets)
    return tuple(dict.fromkeys(pattern for pattern in kept if pattern in patterns or pattern not in have))


def fitted(patterns: Patterns, targets: Sequence[Target], names: Collection[str]) -> Patterns:
    """The patterns, changed as little as can be, so that of what there is they grant exactly these."""
    surplus = granted(patterns, targets).difference(names)
    fewer = without_names(patterns, targets, surplus) if surplus else patterns
    return with_names(fewer, targets, names)


def name_error(name: str, others: Collection[str]) -> str:
    """Why a set cannot have this name; empty if it can."""
    if not name.strip():
        return "A grant set needs a name."
    if name != name.strip():
        return "The name begins or ends with a space."
    if any(not letter.isprintable() for letter in name):
        return "The name holds a character that cannot be seen."
    return f"There is already a grant set {name!r}." if name in others else ""


def _meanings(patterns: Patterns, targets: Sequence[Target]) -> Iterator[tuple[str, frozenset[str]]]:
    """Each pattern with the names of what it grants; a plain name is looked up, of which a set may have hundreds."""
    known: dict[str, set[str]] = {}
    for target in targets:
        for name in (*target.names, f"{target.spec.source}.{target.spec.name}"):
            known.setdefault(name, set()).add(target.spec.name)
    for pattern in patterns:
        yield pattern, granted((pattern,), targets) if is_wild(pattern) else frozenset(known.get(pattern, ()))


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


NEW_NAME = "new-set"


@dataclass(frozen=True, slots=True)
class GrantSetChange:
    """One change of the file."""

    text: str
    """What was done, such as `readonly was removed`."""
    apply: "Callable[[WorkspaceEditor], Undo]"
    removes: str = ""
    renames: tuple[str, str] | None = None


def setting(name: str, patterns: Patterns, *, fresh: bool = False) -> GrantSetChange:
    """Makes the set or changes it."""
    done = "was saved" if fresh else "was changed"
    return GrantSetChange(f"{name!r} {done}", lambda editor: editor.set_grant(name, patterns))


def renaming(name: str, to: str) -> GrantSetChange:
    return GrantSetChange(f"{name!r} is now {to!r}", lambda editor: editor.rename_grant(name, to), renames=(name, to))


def removing(name: str) -> GrantSetChange:
    return GrantSetChange(f"{name!r} was deleted", lambda editor: editor.remove_grant(name), removes=name)


@dataclass(slots=True, eq=False)
class GrantSetDraft:
    """One set as it is to be."""

    name: str
    patterns: Patterns
    former: str = ""
    """Its name in the file; empty: it is new."""
    before: Patterns = ()

    @property
    def is_changed(self) -> bool:
        return not self.former or self.name != self.former or self.patterns != self.before


class GrantSetDrafts:
    """All sets of a workspace, being edited."""

    def __init__(self, sets: Mapping[str, Patterns]) -> None:
        self._there = dict(sets)
        self.all = [GrantSetDraft(name, tuple(patterns), name, tuple(patterns)) for name, patterns in sets.items()]

    def add(self, patterns: Patterns, name: str = NEW_NAME) -> GrantSetDraft:
        """A new set, with a name that is free."""
        draft = GrantSetDraft(self._free(name), patterns)
        self.all.append(draft)
        return draft

    def remove(self, draft: GrantSetDraft) -> None:
        self.all.remove(draft)

    def fault(self, draft: GrantSetDraft) -> str:
        """Why the set cannot be saved; empty if it can."""
        return name_error(draft.name, [other.name for other in self.all if other is not draft])

    @property
    def changes(self) -> list[GrantSetChange]:
        """What is to be done to the file, in an order that it can be done in."""
        return [*self._removals(), *self._renames(), *self._settings()]

    def _removals(self) -> Iterator[GrantSetChange]:
        kept = {draft.former for draft in self.all}
        yield from (removing(name) for name in self._there if name not in kept)

    def _renames(self) -> Iterator[GrantSetChange]:
        """A name that another set is about to leave is free after that one has been renamed."""
        waiting = [draft for draft in self.all if draft.former and draft.name != draft.former]
        while waiting:
            held = {draft.former for draft in waiting}
            draft = next((each for each in waiting if each.name not in held - {each.former}), None)
            if draft is None:
                # They swap names: one of them steps aside first.
                first, aside = waiting[0], self._free(f"{waiting[0].name}-")
                yield renaming(first.former, aside)
                waiting[0] = GrantSetDraft(first.name, first.patterns, aside, first.before)
                continue
            waiting.remove(draft)
            yield renaming(draft.former, draft.name)

    def _settings(self) -> Iterator[GrantSetChange]:
        for draft in self.all:
            if not draft.former or draft.patterns != draft.before:
                yield setting(draft.name, draft.patterns, fresh=not draft.former)

    def _free(self, wanted: str) -> str:
        taken = {*self._there, *(draft.name for draft in self.all)}
        names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
        return next(name for name in names if name not in taken)


def summed_up(changes: Sequence[GrantSetChange]) -> str:
    """What was done, in one sentence."""
    first = "; ".join(change.text for change in changes[:3])
    more = f"; and {len(changes) - 3} more" if len(changes) > 3 else ""
    return f"The grant set {first}{more}." if len(changes) == 1 else f"Grant sets: {first}{more}."
