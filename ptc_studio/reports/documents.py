"""A run as a document to read: Markdown for a ticket or a chat, HTML as one file for everybody else."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, Keyword, Number, Operator, String, Token
from pygments.util import ClassNotFound

from ptc_studio import __version__
from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.cost import answer_tokens, cost_of
from ptc_studio.core.trace import CallRecord
from ptc_studio.locations import RESOURCES
from ptc_studio.reports.figures import (
    arguments_text,
    asked,
    cost_lines,
    figures_of,
    lanes_of,
    mark_of,
    milliseconds,
    outcome,
)
from ptc_studio.reports.formats import as_json
from ptc_studio.storage.history import PastRun

MOST_LISTED = 500
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
    yield from _call_lines(record["calls"])
    for name in ("stdout", "stderr"):
        if record[name]:
            yield from _block({"stdout": "Output", "stderr": "Errors and messages"}[name], record[name])
    if record["value"] is not None:
        yield from _block("Value", str(record["value"]))
    if record["error"]:
        error = record["error"]
        yield from _block("Error", error["traceback"] or f"{error['type']}: {error['message']}")


def _call_lines(calls: list[CallRecord]) -> Iterator[str]:
    if not calls:
        yield "None."
    for call in calls[:MOST_LISTED]:
        line = f" (line {call['line']})" if call["line"] else ""
        name, indent = call["alias"] or call["tool"], "  " * (call["depth"] - 1)
        by = "" if call["answered_by"] in (None, "tool") else f" · {call['answered_by']}"
        head = f"{indent}- {mark_of(call['status'])} {_code(f'{name}({arguments_text(call)})')}"
        yield f"{head} → {_code(outcome(call))} · {milliseconds(call['duration_ms'])}{line}{by}"
    if len(calls) > MOST_LISTED:
        yield f"- … and {len(calls) - MOST_LISTED:,} more"


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


MOST_CALLS = 2_000
"""More calls are counted, not shown: a browser takes its time for a page of a hundred thousand rows."""
MOST_IN_TIMELINE, MOST_LANES = 4_000, 40
LONGEST = 20_000
WIDTH, LANE = 1080, 14
_HIDDEN = re.compile(r"\[REDACTED:[^\[\]\s]{1,120}\]")
_CLASSES = ((Comment, "c"), (Keyword, "k"), (Operator.Word, "k"), (String, "s"), (Number, "m"))
_TONES = {"✓": "ok", "▲": "warning", "◐": "muted"}


def html_report(past: PastRun) -> str:
    """The whole page."""
    # Its own file of the program's.
    template = read_bytes(RESOURCES / "report.html").decode()
    values = {"title": escape(past.title), "version": escape(__version__), "body": "\n".join(_sections(past))}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], template)


def _sections(past: PastRun) -> Iterator[str]:
    summary, record = past.summary, past.record
    # Without its folder, which is the author's own affair.
    by = "a call by hand" if summary.kind == "call" else f"{Path(summary.script or '').name} in {summary.runtime}"
    target = f", as {summary.target} runs it" if summary.target not in (None, "plain") else ""
    yield f'<p class="muted">{escape(by + target)} · {_when(summary.started)} · run {escape(summary.run_id)}</p>'
    yield _section("What happened", _figures(past))
    yield from _asked(past)
    if summary.kind == "run":
        yield _section("Cost", _cost(past))
    if past.code:
        yield _section("Script", _script(past))
    if record["calls"]:
        yield _section("Timeline", _timeline(past))
        yield _section("Calls", "".join(_calls(past)))
    yield from _output(past)


def _when(started: float) -> str:
    return datetime.fromtimestamp(started, UTC).strftime("%d %B %Y, %H:%M UTC").lstrip("0")


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _figures(past: PastRun) -> str:
    cells = (f'<div class="figure">{escape(name)}<b>{escape(value)}</b></div>' for name, value in figures_of(past))
    return f'<div class="figures">{"".join(cells)}</div>'


def _asked(past: PastRun) -> Iterator[str]:
    parts = [f"<p>{escape(asked(past))}</p>"] if asked(past) else []
    parts += [f"<p>Given:</p>{_box(as_json(past.inputs))}"] if past.inputs else []
    if past.definitions:
        tools = (f'<span class="tool">{escape(each["name"])}</span>' for each in past.definitions)
        parts.append(f"<p>Tools that it used: {', '.join(tools)}</p>")
    if parts:
        yield _section("What was asked", "".join(parts))


def _cost(past: PastRun) -> str:
    cost = past.record.get("cost") or cost_of(past.record, past.code)
    inside, out = cost["tokens_in_context"], cost["tokens_kept_out"]
    most = max(inside, out, 1)
    about = "≈ " if cost["estimated"] else ""
    rows = "".join(
        f'<span>{label}</span><span class="count">{about}{count:,} tokens</span>'
        f'<span class="track"><span class="bar {tone}" style="width:{100 * count / most:.1f}%"></span></span>'
        for label, count, tone in (("in the model's context", inside, ""), ("kept out of it", out, "out"))
    )
    lines = "".join(f"<p>{escape(line)}</p>" for line in cost_lines(past))
    return f'<div class="bars">{rows}</div>{lines}'


def _script(past: PastRun) -> str:
    called = {call["line"] for call in past.record["calls"] if call["parent_id"] is None}
    rows = (
        f'<span class="row{" calls" if number in called else ""}" id="L{number}">{line or " "}</span>'
        for number, line in enumerate(_coloured(past.code, past.summary.script or ""), 1)
    )
    return f'<pre class="code box">{"".join(rows)}</pre>'


def _coloured(code: str, filename: str) -> list[str]:
    """The lines with their comments, keywords, texts and numbers marked."""
    try:
        tokens = get_lexer_for_filename(Path(filename).name, stripnl=False).get_tokens(code)
    except ClassNotFound:
        tokens = [(Token, code)]
    text = ""
    for kind, piece in tokens:
        tone = next((name for family, name in _CLASSES if kind in family), "")
        for part in re.split(r"(\n)", piece):
            shown = _marked(part)
            text += f'<span class="{tone}">{shown}</span>' if tone and part.strip() else shown
    return text.rstrip("\n").split("\n")


def _timeline(past: PastRun) -> str:
    calls = past.record["calls"][:MOST_IN_TIMELINE]
    lanes = lanes_of(calls)
    ends = [call["started_ms"] + (call["duration_ms"] or 0.0) for call in calls]
    whole = max([past.summary.duration_ms or 0.0, *ends, 0.001])
    count = min(max(lanes.values(), default=0) + 1, MOST_LANES)
    height = count * (LANE + 4) + 22
    bars = []
    for call in calls:
        lane = lanes[call["id"]]
        if lane >= MOST_LANES:
            continue
        x, width = WIDTH * call["started_ms"] / whole, max(WIDTH * (call["duration_ms"] or 0.0) / whole, 1.5)
        inset = min(call["depth"] - 1, 4) * 2
        tone = "--accent" if call["status"] == "ok" else "--error"
        tip = escape(f"{_name(call)}({arguments_text(call)}) · {milliseconds(call['duration_ms'])}")
        bars.append(
            f'<rect x="{x:.1f}" y="{lane * (LANE + 4) + inset}" width="{width:.1f}" height="{LANE - 2 * inset}" rx="2" '
            f'fill="var({tone})" fill-opacity="{0.55 if call["parent_id"] else 0.85}"><title>{tip}</title></rect>'
        )
    marks = "".join(
        f'<text x="{WIDTH * part:.0f}" y="{height - 4}" text-anchor="{anchor}">{milliseconds(whole * part)}</text>'
        for part, anchor in ((0, "start"), (0.5, "middle"), (1, "end"))
    )
    more = len(past.record["calls"]) - len(calls)
    note = f'<p class="muted">The first {len(calls):,} of {len(past.record["calls"]):,} calls.</p>' if more else ""
    label = f"Timeline of {len(calls):,} calls over {milliseconds(whole)}"
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">{"".join(bars)}{marks}</svg>{note}'


def _calls(past: PastRun) -> Iterator[str]:
    calls = past.record["calls"]
    shown = calls[:MOST_CALLS]
    children: dict[str | None, list[CallRecord]] = {}
    known = {call["id"] for call in shown}
    for call in shown:
        parent = call["parent_id"] if call["parent_id"] in known else None
        children.setdefault(parent, []).append(call)
    for call in children.get(None, []):
        yield from _call(call, children)
    if len(calls) > len(shown):
        yield f'<p class="muted">… and {len(calls) - len(shown):,} more calls.</p>'


def _call(call: CallRecord, children: dict[str | None, list[CallRecord]]) -> Iterator[str]:
    mark = mark_of(call["status"])
    by = (
        ""
        if call["answered_by"] in (None, "tool")
        else f' · <span class="warning">{escape(call["answered_by"])}</span>'
    )
    what = f'<span class="tool">{escape(_name(call))}</span>({_marked(arguments_text(call, 120))}) → '
    yield (
        f'<details class="call"><summary><span class="{_TONES.get(mark, "error")}">{mark}</span>'
        f'<span class="what">{what}{_marked(outcome(call, 120))}{by}</span>'
        f'<span class="time">{milliseconds(call["duration_ms"])}</span></summary><div class="below">'
    )
    line = f'<a href="#L{call["line"]}">line {call["line"]}</a> · ' if call["line"] and not call["parent_id"] else ""
    hidden = len(call["redactions"])
    told = f"{hidden} hidden · " if hidden else ""
    yield f'<p class="muted">{line}{told}{escape(call["source"] or "")} · {answer_tokens(call)}</p>'
    error = call["error"]
    came = f"{error['type']}: {error['message']}" if error else as_json(call["result"])
    title = "Error" if error else "Result"
    given = as_json(call["arguments"])
    yield f'<div class="pair"><div>Arguments{_box(given)}</div><div>{title}{_box(came)}</div></div>'
    for child in children.get(call["id"], []):
        yield from _call(child, children)
    yield "</div></details>"


def _output(past: PastRun) -> Iterator[str]:
    record = past.record
    for key, title in (("stdout", "Output"), ("stderr", "Messages (stderr)")):
        if record[key]:
            yield _section(title, _box(record[key]))
    if record["value"] is not None:
        yield _section("Value", _box(as_json(record["value"])))
    if record["error"]:
        error = record["error"]
        yield _section("Error", _box(error["traceback"] or f"{error['type']}: {error['message']}"))


def _box(text: str) -> str:
    more = len(text) - LONGEST
    cut = f'<p class="muted">… and {more:,} more characters</p>' if more > 0 else ""
    return f'<pre class="box" tabindex="0">{_marked(text[:LONGEST])}</pre>{cut}'


def _marked(text: str) -> str:
    """Escaped, with what was hidden marked as everywhere."""
    return _HIDDEN.sub(lambda found: f'<span class="hidden">{found[0]}</span>', escape(text))


def _name(call: Any) -> str:
    return call["alias"] or call["tool"]
