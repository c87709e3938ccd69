"""The commands about past runs: `history`, `diff`, `export`. Each gives the exit status."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.cli.open_studio import UsageError, print_json
from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.compare_runs import CallDifference, Difference, compare, record_of_cassette
from ptc_studio.core.responders.cassette import Cassette
from ptc_studio.core.trace import CallRecord, RunRecord
from ptc_studio.locations import history_file
from ptc_studio.storage.cassettes import read_cassette
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


async def diff(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio diff`"""
    a, b = (_named(name, terminal) for name in (options.a, options.b))
    if isinstance(a, Cassette) and isinstance(b, Cassette):
        raise UsageError("Two cassettes are not compared: name a run of the history beside one.")
    a = record_of_cassette(a, b) if isinstance(a, Cassette) else a  # pyright: ignore[reportArgumentType]
    b = record_of_cassette(b, a) if isinstance(b, Cassette) else b
    found = compare(a, b)
    if options.json:
        print_json(found, terminal)
    else:
        _tell_difference(found, a, b, terminal)
    return 0 if found["same"] else 1


def _named(name: str, terminal: Terminal) -> "RunRecord | Cassette":
    """The run of that id, or what is in the file of that name."""
    path = Path(name)
    if not path.is_file():
        return past_runs(terminal).open(name, with_calls=True).record
    if path.suffix == ".ptcrun":
        from ptc_studio.reports.bundle import read_bundle

        return read_bundle(path).record
    try:
        document = json.loads(read_bytes(path))
    except (OSError, ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and "run_id" in document:
        return _checked(document, path)
    return read_cassette(path)


def _checked(document: Any, path: Path) -> RunRecord:
    needed = ("status", "return_code", "value", "stdout", "stderr", "error", "calls")
    missing = [key for key in needed if key not in document]
    if missing or not isinstance(document["calls"], list):
        raise UsageError(f"{path} is no record of a run: {', '.join(missing) or 'calls'} is missing.")
    return document


CHANGES = {"added": ("+", "ok"), "gone": ("−", "error"), "changed": ("≠", "warning")}


def _tell_difference(found: Difference, a: RunRecord, b: RunRecord, terminal: Terminal) -> None:
    if found["same"]:
        terminal.write(f"The runs are equal: {len(a['calls']):,} calls, the same output.\n")
        return
    for each in found["fields"]:
        one, other = (_brief(record.get(each)) for record in (a, b))
        terminal.write(f"{terminal.paint('≠', 'warning')} {each}: {one} → {other}\n")
    for call in found["calls"]:
        mark, colour = CHANGES[call["change"]]
        terminal.write(f"{terminal.paint(mark, colour)} {_call_text(call)}\n")
        for each in call["fields"]:
            terminal.write(f"    {each}: {_brief(_value(call['a'], each))} → {_brief(_value(call['b'], each))}\n")
    if found["stdout"]:
        terminal.write(f"{terminal.paint('≠', 'warning')} stdout\n{found['stdout']}\n")


def _call_text(call: CallDifference) -> str:
    shown = call["b"] or call["a"]
    assert shown is not None
    line = f"line {shown['line']}: " if shown["line"] else ""
    times = " → ".join(f"{each['duration_ms'] or 0:.1f} ms" for each in (call["a"], call["b"]) if each)
    return f"{line}{shown['alias'] or shown['tool']}({_brief(shown['arguments'])})  {times}"


def _value(call: CallRecord | None, name: str) -> Any:
    return dict(call).get(name) if call else None


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else f"{text[:159]}…"
