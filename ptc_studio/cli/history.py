"""The commands about past runs: `history`, `diff`, `export`. Each gives the exit status."""

from argparse import Namespace

from ptc_studio.cli.open_studio import print_json
from ptc_studio.cli.terminal import Terminal
from ptc_studio.locations import history_file
from ptc_studio.storage.history import History, Query, RunSummary

MARKS = {"ok": ("✓", "ok"), "running": ("◐", "muted"), "cancelled": ("▲", "warning"), "interrupted": ("▲", "warning")}


async def history(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio history`"""
    runs = past_runs(terminal).runs(Query(options.search, limit=options.limit))
    if options.json:
        print_json({"runs": [run.record() for run in runs]}, terminal)
        return 0
    for run in runs:
        terminal.write(_line(run, terminal) + "\n")
    if not runs:
        what = f"No past run has {options.search!r}." if options.search.strip() else "No run is kept yet: run a script."
        terminal.write(f"{what}\n")
    return 0


def past_runs(terminal: Terminal) -> History:
    """The user's history."""
    return History(history_file(), terminal.complain)


def _line(run: RunSummary, terminal: Terminal) -> str:
    mark, colour = MARKS.get(run.status, ("✕", "error"))
    when = run.started_text[:19].replace("T", " ")
    took = "" if run.duration_ms is None else f"{run.duration_ms / 1000:.2f} s"
    calls = f"{run.calls:,} call{'' if run.calls == 1 else 's'}"
    what = run.name if run.kind == "call" else f"{run.script}{f' ({run.name})' if run.name else ''}"
    where = terminal.paint("call by hand" if run.kind == "call" else str(run.runtime), "muted")
    return (
        f"{terminal.paint(mark, colour)} {run.run_id}  {when}  {run.status:<11} {took:>9}  {calls:>12}  {what}  {where}"
    )
