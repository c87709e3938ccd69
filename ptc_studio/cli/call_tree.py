"""Draws the calls of a run as a tree of text."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.codec import visible
from ptc_studio.core.trace import CallRecord

MARKS = {"ok": ("✓", "ok"), "denied": ("▲", "warning"), "cancelled": ("▲", "warning"), None: ("◐", "muted")}
SHOWN_OF_A_KIND = 3
FOLDED_FROM = 6


def draw_tree(calls: Sequence[CallRecord], terminal: Terminal) -> Iterator[str]:
    """A line a call, children below their parents; many of the same kind in a row are told once."""
    children: dict[str | None, list[CallRecord]] = {}
    for call in calls:
        children.setdefault(call["parent_id"], []).append(call)
    yield from _branch(children, None, "", terminal)


def _branch(
    children: dict[str | None, list[CallRecord]], parent: str | None, lead: str, terminal: Terminal
) -> Iterator[str]:
    groups = list(_groups(children, children.get(parent, [])))
    for position, group in enumerate(groups):
        last = position == len(groups) - 1
        fold = len(group) >= FOLDED_FROM
        for index, call in enumerate(group[:SHOWN_OF_A_KIND] if fold else group):
            end = last and not fold and index == len(group) - 1
            knee, below = ("", "") if parent is None else ("└─ ", "   ") if end else ("├─ ", "│  ")
            yield _line(call, lead + knee, terminal)
            yield from _branch(children, call["id"], lead + (below or "   "), terminal)
        if fold:
            yield _folded(
                group[SHOWN_OF_A_KIND:], lead + ("" if parent is None else "└─ " if last else "├─ "), terminal
            )


def _groups(children: dict[str | None, list[CallRecord]], calls: list[CallRecord]) -> Iterator[list[CallRecord]]:
    """Many calls of one tool from one line, which went well and called nothing, are one group; others stand alone."""
    kinds: dict[tuple[Any, ...], list[CallRecord]] = {}
    for call in calls:
        kinds.setdefault(_kind(call, children), []).append(call)
    for call in calls:
        group = kinds[_kind(call, children)]
        if len(group) < FOLDED_FROM:
            yield [call]
        elif call is group[0]:
            yield group


def _kind(call: CallRecord, children: dict[str | None, list[CallRecord]]) -> tuple[Any, ...]:
    """What calls that can be told together have in common; a call that stands for itself has its number."""
    if call["status"] != "ok" or call["id"] in children:
        return (call["id"],)
    return call["tool"], call["alias"], call["line"], _stand_in(call)


def _line(call: CallRecord, lead: str, terminal: Terminal) -> str:
    mark, colour = MARKS.get(call["status"], ("✕", "error"))
    name = _harmless(call["alias"] or call["tool"])
    time = f"{call['duration_ms'] or 0:9.1f} ms"
    who = _stand_in(call)
    room = terminal.width - len(lead) - len(name) - len(time) - len(who) - 3
    rest = _shorten(_harmless(f"({_arguments(call['arguments'])}) {_outcome(call)}"), room)
    head = f"{terminal.paint(lead, 'muted')}{terminal.paint(mark, colour)} {terminal.paint(name, 'tool')}"
    gap = " " * max(room - len(rest), 0)
    return f"{head}{rest}{terminal.paint(who, 'muted')}{gap} {terminal.paint(time, 'muted')}"


def _folded(calls: list[CallRecord], lead: str, terminal: Terminal) -> str:
    total = sum(call["duration_ms"] or 0 for call in calls)
    text = f"… {len(calls)} more of {_harmless(calls[0]['alias'] or calls[0]['tool'])}{_stand_in(calls[0])}"
    time = f"{total:9.1f} ms"
    return terminal.paint(f"{lead}{text:<{max(terminal.width - len(lead) - len(time) - 1, 1)}} {time}", "muted")


def _stand_in(call: CallRecord) -> str:
    """Who answered in the tool's place, so that nobody takes a mocked call for a real one: ` · mock`."""
    who = call.get("answered_by")
    return "" if who in (None, "tool") else f" · {who}"


def _arguments(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return str(arguments)
    return ", ".join(f"{name}={_brief(value)}" for name, value in arguments.items())


def _outcome(call: CallRecord) -> str:
    if call["error"]:
        return f"{call['error']['type']}: {_one_line(call['error']['message'])}"
    if call["status"] is None:
        return "… not finished"
    return f"→ {_brief(call['result'])}"


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= 60:
        return text
    if isinstance(value, list):
        return f"[{len(value)} items]"
    return _shorten(text, 60)


def _shorten(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 1, 0)] + "…"


def _harmless(text: str) -> str:
    """Without what a terminal would obey: an argument or a message may hold anything."""
    return visible(text.replace("\n", "\u23ce").replace("\t", " "))


def _one_line(text: str) -> str:
    return " ".join(text.split())
