"""The lines of the grant selector, and its tooltip, made of how the choice stands."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptc_studio.ui.grants.patterns import Patterns, granted
from ptc_studio.ui.grants.selector import AS_TICKED, EVERYTHING, GrantRow

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.grants.choice import GrantChoice

UPDATE, SAVE, EDIT = "update", "save", "edit"
"""Actions of the selector."""
GONE = "no longer in studio.yaml"
NOTHING = "matches nothing"
MOST_NAMED = 6


def offered(choice: "GrantChoice", *, settled: bool) -> list[GrantRow]:
    """Everything, the sets, what is ticked, and what can be done. Until all tools are there, nothing is missed."""
    targets = choice.targets
    rows = [GrantRow("everything", EVERYTHING, note=f"all {len(targets):,}" if settled else "")]
    rows += [_set_row(name, patterns, targets, settled) for name, patterns in choice.sets.items()]
    if choice.name and choice.name not in choice.sets:
        rows.append(GrantRow("set", choice.name, choice.name, GONE if choice.is_gone else "", choice.is_gone))
    if choice.is_as_ticked:
        rows.append(GrantRow("ticked", AS_TICKED, note=f"{len(choice.ticked):,} of {len(targets):,}"))
    rows.append(GrantRow("line"))
    if choice.is_as_ticked and choice.name in choice.sets:
        rows.append(GrantRow("action", f"Update {choice.name}", UPDATE, "to what is ticked"))
    rows.append(GrantRow("action", "Save as a grant set…", SAVE))
    rows.append(GrantRow("action", "Edit grant sets…", EDIT))
    return rows


def chosen_row(choice: "GrantChoice", rows: Sequence[GrantRow]) -> GrantRow:
    """The one that holds."""
    wanted = ("ticked", "") if choice.is_as_ticked else ("set", choice.name) if choice.name else ("everything", "")
    return next(row for row in rows if (row.kind, row.key) == wanted)


def grant_tooltip(choice: "GrantChoice", row: GrantRow, used: Sequence[str]) -> str:
    """What the tooltip of the selector says; `used` are the tools that the script in front uses."""
    may = choice.ticked
    lines = [f"The script may call {len(may):,} of {_counted(len(choice.targets))}"]
    if row.kind == "ticked":
        lines.append(
            "The ticks are remembered here, not in studio.yaml: save them as a grant set to name and share them."
        )
    elif row.faulty and row.note == GONE:
        lines.append(f"▲ The grant set {choice.name!r} is no longer in studio.yaml; what it granted last still holds.")
    elif row.faulty:
        lines.append(f"▲ The patterns of {choice.name!r} match no tool and no alias.")
    spare = sorted(may.difference(used))
    if used and spare and row.kind != "everything":
        lines.append(f"Granted, but not used by this script: {listed(spare)}")
    return "\n".join(lines)


def listed(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """`a, b, c and 4 more`."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def _set_row(name: str, patterns: Patterns, targets: "Sequence[Target]", settled: bool) -> GrantRow:
    if not settled:
        return GrantRow("set", name, name)
    count = len(granted(patterns, targets))
    if not count:
        return GrantRow("set", name, name, NOTHING if patterns else "grants nothing", bool(patterns))
    return GrantRow("set", name, name, f"{count:,} of {len(targets):,}")


def _counted(count: int) -> str:
    return "1 tool" if count == 1 else f"{count:,} tools and aliases"
