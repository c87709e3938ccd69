"""A run as Markdown: for a ticket, a chat or a pull request."""

from collections.abc import Iterator
from pathlib import Path

from ptc_studio.core.trace import CallRecord
from ptc_studio.reports.figures import arguments_text, asked, cost_lines, figures_of, mark_of, milliseconds, outcome
from ptc_studio.storage.history import PastRun

MOST_CALLS = 500
LANGUAGES = {".py": "python", ".js": "javascript", ".mjs": "javascript", ".ts": "typescript", ".sh": "bash"}


def markdown_report(past: PastRun) -> str:
    """The whole report."""
    return "\n".join(_lines(past)) + "\n"


def _lines(past: PastRun) -> Iterator[str]:
    summary, record = past.summary, past.record
    yield f"# {_plain(past.title)}"
    yield ""
    if asked(past):
        yield f"{_plain(asked(past))}\n"
    yield f"{summary.started_text} · {summary.runtime or 'call by hand'} · run `{summary.run_id}`"
    yield ""
    yield "| " + " | ".join(name for name, _ in figures_of(past)) + " |"
    yield "|" + "---|" * len(figures_of(past))
    yield "| " + " | ".join(_plain(value) for _, value in figures_of(past)) + " |"
    if cost_lines(past):
        yield "\n## Cost\n"
        yield " ".join(cost_lines(past))
    if past.inputs:
        yield from _block("Inputs", str(past.inputs))
    if past.code:
        language = LANGUAGES.get(Path(summary.script or "").suffix, "")
        yield from _block("Script", past.code, language)
    yield "\n## Calls\n"
    yield from _calls(record["calls"])
    for name in ("stdout", "stderr"):
        if record[name]:
            yield from _block({"stdout": "Output", "stderr": "Errors and messages"}[name], record[name])
    if record["value"] is not None:
        yield from _block("Value", str(record["value"]))
    if record["error"]:
        error = record["error"]
        yield from _block("Error", error["traceback"] or f"{error['type']}: {error['message']}")


def _calls(calls: list[CallRecord]) -> Iterator[str]:
    if not calls:
        yield "None."
    for call in calls[:MOST_CALLS]:
        line = f" (line {call['line']})" if call["line"] else ""
        name, indent = call["alias"] or call["tool"], "  " * (call["depth"] - 1)
        by = "" if call["answered_by"] in (None, "tool") else f" · {call['answered_by']}"
        head = f"{indent}- {mark_of(call['status'])} {_code(f'{name}({arguments_text(call)})')}"
        yield f"{head} → {_code(outcome(call))} · {milliseconds(call['duration_ms'])}{line}{by}"
    if len(calls) > MOST_CALLS:
        yield f"- … and {len(calls) - MOST_CALLS:,} more"


def _block(title: str, text: str, language: str = "") -> Iterator[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    yield f"\n## {title}\n"
    yield f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _code(text: str) -> str:
    ticks = "`"
    while ticks in text:
        ticks += "`"
    space = " " if "`" in text else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _plain(text: str) -> str:
    """Without what Markdown would take for markup."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|" else letter for letter in text)
