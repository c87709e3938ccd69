"""Codex's code mode, with OpenAI's convention and functions of its own."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ptc_studio.core.scripts import Visible
from ptc_studio.core.trace import RunRecord
from ptc_studio.runtimes.javascript_scopes import LANGUAGE, words
from ptc_studio.targets import javascript_checks as js
from ptc_studio.targets.javascript_conventions import described, mapped_names, printed_lines
from ptc_studio.targets.openai import CODEX_TOOLS
from ptc_studio.targets.target import CallStyle, CheckedScript, DeploymentTarget, Finding, Note

MOST_TOKENS = 10_000
CHARACTERS_A_TOKEN = 4
YIELD_MS = 10_000
CELL = 1
"""The number of a program; here each is the first."""
NOTES = (
    Note("A fresh V8 with top-level await; no console, Atomics, SharedArrayBuffer or WebAssembly", "S"),
    Note("`await tools.name({...})` gives the tool's JSON; a failed tool rejects with a string, not an Error", "S"),
    Note("text() shows primitives by String and the rest as JSON; image(), audio(), generatedImage(), notify(), "
         "setTimeout, clearTimeout, yield_control(), ALL_TOOLS", "S"),
    Note("store(k, v) and load(k) keep JSON from one program to the next", "S"),
    Note("exit() ends the program well; promises that nobody awaits are dropped", "S"),
    Note("A first line `// @exec: {...}` may set yield_time_ms and max_output_tokens, 10,000 each by default", "S"),
    Note("How longer output is cut: in the middle, at four characters a token", "2"),
    Note("yield_control(), and a program that takes longer than yield_time_ms, hand over what there is so far as "
         "`Script running with cell ID N`; the rest is the answer to the next wait(). Here all replies are listed, in "
         "their order", "S"),
)  # fmt: skip


def name_there(name: str) -> str:
    """An identifier, with `_` for everything else."""
    return re.sub(r"^(?=\d)", "_", re.sub(r"[^a-zA-Z0-9_$]", "_", name))


def options(tools: Sequence[Visible]) -> dict[str, Any]:
    return {"descriptions": described(tools)}


def reply(record: RunRecord, report: Any) -> Any:
    items = list(report["items"]) if report else [{"type": "text", "text": line} for line in printed_lines(record)]
    status = {"ok": "completed", "error": "failed", "crashed": "failed"}.get(str(record["status"]), "terminated")
    settings = (report or {}).get("settings") or {}
    replies: list[Any] = []
    shown, before = 0, 0.0
    for at, count in _yields(report, settings, record["duration_ms"] or 0):
        head = f"Script running with cell ID {CELL}"
        replies.append(_told(head, items[shown:count], (at - before) / 1000, settings))
        shown, before = count, at
    rest = items[shown:]
    if status == "failed":
        rest.append({"type": "text", "text": f"Script error:\n{_error(record, report)}"})
    last = _told(f"Script {status}", rest, ((record["duration_ms"] or 0) - before) / 1000, settings)
    return [*replies, last] if replies else last


def _yields(report: Any, settings: Any, milliseconds: float) -> list[tuple[float, int]]:
    """When the program went on while the model was given what there was, and how many items that were."""
    found = [(each["at"], each["items"]) for each in (report or {}).get("yields") or ()]
    patience = settings.get("yield_time_ms", YIELD_MS)
    if report and milliseconds > patience and not any(at <= patience for at, _ in found):
        found.insert(0, (patience, sum(item["at"] <= patience for item in report["items"])))
    return found


def _told(head: str, items: Sequence[Any], seconds: float, settings: Any) -> Any:
    head = f"{head}\nWall time {max(0.0, seconds):.1f} seconds\nOutput:\n"
    if all(item["type"] == "text" for item in items):
        return head + shortened("\n".join(item["text"] for item in items), settings.get("max_output_tokens"))
    return [{"type": "input_text", "text": head}, *map(_content, items)]


def _error(record: RunRecord, report: Any) -> str:
    error = record["error"]
    return (report or {}).get("error") or (f"{error['type']}: {error['message']}" if error else "unknown error")


def _content(item: dict[str, Any]) -> dict[str, Any]:
    if item["type"] == "text":
        return {"type": "input_text", "text": item["text"]}
    return {name: value for name, value in item.items() if name != "at"}


def shortened(text: str, tokens: Any) -> str:
    """The text without its middle where it is longer than so many tokens."""
    most = (tokens if isinstance(tokens, int) and tokens > 0 else MOST_TOKENS) * CHARACTERS_A_TOKEN
    if len(text) <= most:
        return text
    head, tail = text[: most // 2], text[len(text) - most // 2 :]
    dropped = -(-(len(text) - most) // CHARACTERS_A_TOKEN)
    return f"{head}…{dropped} tokens truncated…{tail}"


def check(script: CheckedScript) -> Iterator[Finding]:
    calls = js.calls_on_tools(script)
    gone = ("console", "Atomics", "SharedArrayBuffer", "WebAssembly")
    without_timers = tuple(name for name in js.NODE_GLOBALS if name != "setTimeout")
    yield from js.missing_globals(script, (*gone, *without_timers), "S")
    yield from js.no_imports(script, "S")
    yield from js.top_level_returns(script, "S")
    yield from js.types(script, "S")
    yield from js.one_object(calls, "S")
    yield from js.unknown_tools(script, calls, name_there)
    yield from js.unawaited(calls, "it is dropped when the program ends", "S", fails=False)
    yield from _pragma(script)


def _pragma(script: CheckedScript) -> Iterator[Finding]:
    first = script.code.split("\n", 1)[0].strip()
    if not first.startswith("// @exec:"):
        return
    try:
        settings = json.loads(first.removeprefix("// @exec:"))
    except ValueError:
        yield Finding(1, "What follows `// @exec:` is no JSON", "S")
        return
    known = ("yield_time_ms", "max_output_tokens")
    for name in settings if isinstance(settings, dict) else ():
        if name not in known:
            yield Finding(1, f"`// @exec:` has no setting {name!r}, only {' and '.join(known)}", "S")


def sign(script: CheckedScript) -> str | None:
    signs = {
        "`// @exec:`": r"\A\s*// @exec:",
        "`ALL_TOOLS`": r"(?<![.\w])ALL_TOOLS\b",
        "`store(`": r"(?<![.\w])store\(",
        "a tool of Codex's own": CODEX_TOOLS,
    }
    return next((name for name, pattern in signs.items() if js.mentions(script, pattern)), None)


TARGET = DeploymentTarget(
    id="openai-codex",
    name="Codex code mode",
    language="javascript",
    runtime="node",
    notes=NOTES,
    call=CallStyle("await tools.{name}({object})", "tools"),
    globals=LANGUAGE
    | words(
        "tools ALL_TOOLS text image audio generatedImage notify store load exit yield_control setTimeout clearTimeout"
    ),
    frame="frame.mjs",
    keeps_state=True,
    names=lambda tools: mapped_names(tools, name_there),
    options=options,
    reply=reply,
    check=check,
    sign=sign,
)
