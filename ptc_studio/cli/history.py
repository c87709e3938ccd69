"""The commands about past runs: `history`, `diff`, `export`. Each gives the exit status."""

import json
import os
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
from ptc_studio.reports import FORMATS, report
from ptc_studio.storage.cassettes import read_cassette
from ptc_studio.storage.history import History, PastRun, Query, RunSummary
from ptc_studio.storage.text_files import replace_file

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


async def export(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio export`"""
    past = past_runs(terminal).open(options.run, with_calls=True)
    if options.format == "otlp" and (sent := _send(past, options.out)):
        terminal.complain(sent)
        return 0
    made = report(past, options.format)
    form = FORMATS[options.format]
    if options.out is None and form.ending != ".ptcrun":
        terminal.write(made.decode())
        return 0
    path = _write(Path(options.out or f"{Path(past.title).stem}-{past.summary.run_id}{form.ending}"), made)
    terminal.complain(f"The run {past.summary.run_id} is written to {path}.")
    return 0


def _write(path: Path, content: bytes) -> Path:
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        replace_file(path.resolve(), content)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from None
    return path


def _send(past: PastRun, out: str | None) -> str:
    """Sends the spans where `--out` or OpenTelemetry's own variables name a collector; says so, else nothing."""
    named = out if out and out.startswith(("http://", "https://")) else None
    told = any(os.environ.get(f"OTEL_EXPORTER_OTLP_{name}") for name in ("ENDPOINT", "TRACES_ENDPOINT"))
    if named is None and (out is not None or not told):
        return ""
    from ptc_studio.reports.otlp import send

    return f"{send(past, named):,} spans of the run {past.summary.run_id} were sent."
