"""`ptc-studio run --matrix`: one script in every runtime for it, side by side."""

import json
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from ptc_studio.cli.open_studio import (
    UsageError,
    complain_of,
    complain_of_vain,
    open_studio,
    print_json,
    read_script,
    stop_on_signals,
)
from ptc_studio.cli.responders import RunResponders
from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.compare_runs import differences
from ptc_studio.core.session import Session
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.catalog import RuntimeInfo, UnknownRuntime

WIDTHS = {"runtime": 18, "status": 11, "time": 10, "compiling": 10, "calls": 7, "value": 14, "output": 0}
Results = Sequence[tuple[RuntimeInfo, RunRecord | None]]


async def run_matrix(options: Namespace, terminal: Terminal, answers: RunResponders) -> int:
    """Exit status 0 if all runs ended well and alike, 1 if not, 130 if it was cancelled."""
    if options.runtime:
        raise UsageError("--matrix runs in every runtime for the script: leave out --runtime.")
    if options.record or options.replay:
        raise UsageError("A cassette is of one run: leave out --matrix, or --record and --replay.")
    script = read_script(options.script)
    studio = open_studio(options, terminal)
    try:
        complain_of(await studio.load(), terminal)
        names = [name for names in options.grant or () for name in names]
        complain_of_vain(names, studio, terminal)
        answers.mock(studio, terminal)

        def begin(_info: RuntimeInfo) -> Session:
            session = studio.session(grant=studio.grant(names), timeout=options.timeout, max_depth=options.max_depth)
            stop_on_signals(session)
            return session

        results = await studio.run_matrix(script, begin)
    except UnknownRuntime as error:
        raise UsageError(str(error)) from None
    finally:
        await studio.close()
    records = [record for _, record in results if record is not None]
    unlike = differences(records)
    if options.json:
        told = [
            {"runtime": record["runtime"], "fields": fields} for record, fields in zip(records, unlike, strict=True)
        ]
        print_json({"runs": records, "differences": [entry for entry in told if entry["fields"]]}, terminal)
    else:
        _tell(results, dict(zip((record["runtime"] or "" for record in records), unlike, strict=True)), terminal)
    if any(record["status"] == "cancelled" for record in records):
        return 130
    return 0 if records and not any(unlike) and all(record["status"] == "ok" for record in records) else 1


def _tell(results: Results, unlike: dict[str, tuple[str, ...]], terminal: Terminal) -> None:
    terminal.write("  " + "".join(name.ljust(width) for name, width in WIDTHS.items()) + "\n")
    for info, record in results:
        if record is None:
            terminal.write(f"{terminal.paint('–', 'muted')} {info.id:<{WIDTHS['runtime']}}{info.reason}\n")
            continue
        fields = unlike[info.id]
        good = record["status"] == "ok" and not fields
        mark = terminal.paint("✓", "ok") if good else terminal.paint("≠" if record["status"] == "ok" else "✕", "error")
        cells = _cells(record, fields)
        row = "".join(cells[name].ljust(width) for name, width in WIDTHS.items())
        terminal.write(f"{mark} {row.rstrip()}\n")
    if any(unlike.values()):
        terminal.write(f"{terminal.paint('≠', 'error')} marks what is unlike in most of the others\n")


def _cells(record: RunRecord, unlike: Sequence[str]) -> dict[str, str]:
    prepared = record["prepare_ms"]
    error = record["error"]
    output = error["message"] if error else record["stdout"].strip().replace("\n", " ⏎ ")
    texts = {
        "runtime": (record["runtime"], ()),
        "status": (record["status"], ("status", "return_code", "error")),
        "time": (f"{record['duration_ms']:.0f} ms", ()),
        "compiling": ("" if prepared is None else f"{prepared:.0f} ms", ()),
        "calls": (str(len(record["calls"])), ("calls",)),
        "value": (_short(record["value"]), ("value",)),
        "output": (output[:60], ("stdout", "stderr")),
    }
    return {name: ("≠ " if set(fields) & set(unlike) else "") + text for name, (text, fields) in texts.items()}


def _short(value: Any) -> str:
    text = "" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) < 12 else text[:10] + "…"
