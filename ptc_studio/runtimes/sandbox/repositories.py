"""What git believes in a folder that scripts may write: it is protected, and what a script makes of it is set aside.

Whoever uses git in a repository executes what its configuration names. No confinement forbids names, so a script that
may write folders can make one; when the script has ended, it is none any longer.
"""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ptc_studio.runtimes.sandbox.bounds import real

MOST_ENTRIES = 200_000
MARK = ".git"
BARE = frozenset(("head", "objects", "refs"))
"""What makes a folder a repository, whatever it is called."""
ASIDE = "-made-by-a-script"
NOT_ALL = "{!r} holds too much to be looked through: a script may have made a repository there that git believes."
MADE = "{!r} was made during this run, and git would execute what it names: it is called {!r} now."
STUCK = "{!r} was made during this run, and git executes what it names: remove it before you use git there."


@dataclass(frozen=True, slots=True)
class Repositories:
    """What was found in a folder; None is no folder at all."""

    folder: Path | None
    marks: frozenset[Path] = frozenset()
    """For each repository the `.git` in it, or the `HEAD` of one without a working folder."""
    complete: bool = True

    @property
    def protected(self) -> tuple[Path, ...]:
        """What a script must not write."""
        return tuple(sorted(mark if _is_mark(mark.name) else mark.parent for mark in self.marks))

    def set_aside_new(self) -> Iterator[str]:
        """Has git believe none that was not there then, and gives a sentence for each."""
        if self.folder is None:
            return
        folder, now = self.folder, repositories_in(self.folder)
        # Where not all was seen before, one that is new may be an old one.
        for mark in sorted(now.marks - self.marks) if self.complete else ():
            aside = _free_name(mark)
            try:
                mark.rename(aside)
                yield MADE.format(str(mark.relative_to(folder)), aside.name)
            except OSError:
                yield STUCK.format(str(mark.relative_to(folder)))
        if not (now.complete and self.complete):
            yield NOT_ALL.format(str(folder))


def repositories_in(folder: Path | None, most: int = MOST_ENTRIES) -> Repositories:
    """Every repository in the folder, the folder itself among them; links are not followed."""
    if folder is None:
        return Repositories(None)
    folder = real(folder)
    marks: set[Path] = set()
    waiting, seen = [folder], 0
    while waiting:
        here = waiting.pop()
        names: dict[str, str] = {}
        with contextlib.suppress(OSError), os.scandir(here) as entries:
            for entry in entries:
                seen += 1
                if seen > most:
                    return Repositories(folder, frozenset(marks), complete=False)
                name = entry.name.casefold()
                if name == MARK:
                    marks.add(here / entry.name)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(here / entry.name)
                if name in BARE:
                    names[name] = entry.name
        if len(names) == len(BARE):
            marks.add(here / names["head"])
    return Repositories(folder, frozenset(marks))


def _is_mark(name: str) -> bool:
    return name.casefold() == MARK


def _free_name(mark: Path) -> Path:
    aside, number = mark.with_name(f"{mark.name}{ASIDE}"), 2
    while os.path.lexists(aside):
        aside, number = mark.with_name(f"{mark.name}{ASIDE}-{number}"), number + 1
    return aside
