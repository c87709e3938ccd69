"""Cloudflare's code mode as an MCP server (`codeMcpServer`): the same programs, and another reply, which is cut."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ptc_studio.core.trace import RunRecord
from ptc_studio.targets.cloudflare import TARGET as CODE_MODE
from ptc_studio.targets.javascript_conventions import message_of
from ptc_studio.targets.target import Note

MOST = 24_000
MARK = "--- TRUNCATED ---"
TOKENS, CHARACTERS_A_TOKEN = 6_000, 4
LEAST = 128
"""What would be left with less than this goes whole, for the good of the others."""
NOTES = (
    Note("`codeMcpServer`: a tool `code` of an MCP server; programs are those of cloudflare, which see", "S"),
    Note("The model sees the result as text, JSON indented by 2 where that fits, and nothing of the console", "S"),
    Note("A result beyond 24,000 characters is cut: a text at its end, of lists and objects the largest parts, each "
         "marked with `--- TRUNCATED ---`", "S"),
    Note("A failure is `Error: message`", "S"),
)  # fmt: skip


def reply(record: RunRecord, report: Any) -> str:
    if report and report.get("finished"):
        return text_of(report["result"]) if "result" in report else "undefined"
    return f"Error: {'Execution timed out' if record['status'] == 'timeout' else message_of(record)}"


def text_of(result: Any) -> str:
    """The result as it is sent."""
    left = shortened(result, MOST)
    if isinstance(left, str):
        return left
    indented = written(left, indent=2)
    return indented if length(indented) <= MOST else compact(left)


# How it is cut: the largest parts first, so that what is left is still JSON. Sizes are those of the value as compact
# JSON, counted as JavaScript counts characters.


def shortened(value: Any, most: int) -> Any:
    """The value as it goes back: itself where it fits, a text without its end, an object or a list with less in it."""
    if isinstance(value, str):
        return shortened_text(value, most)
    if size(value) <= most:
        return value
    less = _less(value, most)
    return less if size(less) <= most else shortened_text(compact(value), most)


def shortened_text(text: str, most: int) -> str:
    long = length(text)
    if long <= most:
        return text
    tokens = -(-long // CHARACTERS_A_TOKEN)
    told = f"Response was ~{tokens:,} tokens (limit: {TOKENS:,}). Narrow the request to reduce response size."
    return f"{_first(text, most)}\n\n{MARK}\n{told}"


_HALF = re.compile("[\ud800-\udfff]")


def written(value: Any, **how: Any) -> str:
    """The value as JavaScript writes JSON: half a character, as a cut may leave it, is escaped."""
    text = json.dumps(value, ensure_ascii=False, **how)
    return text if text.isascii() else _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def compact(value: Any) -> str:
    return written(value, separators=(",", ":"))


def size(value: Any) -> int:
    return length(compact(value))


def length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _first(text: str, count: int) -> str:
    if text.isascii():
        return text[:count]
    return text.encode("utf-16-le", "surrogatepass")[: count * 2].decode("utf-16-le", "surrogatepass")


def _less(value: Any, most: int) -> Any:
    if size(value) <= most:
        return value
    if isinstance(value, str):
        return _less_text(value, most)
    if isinstance(value, list):
        return _less_list(value, most)
    return _less_object(value, most) if isinstance(value, dict) else value


def _less_text(text: str, most: int) -> str:
    ending = f" {MARK} {length(text):,} chars"
    kept = max(0, most - len(ending) - 2)
    while kept > 0 and (over := size(_first(text, kept) + ending) - most) > 0:
        # What has to be escaped is longer in JSON.
        kept = max(0, kept - over)
    left = _first(text, kept) + ending
    return left if size(left) <= most else MARK[: max(0, most - 2)]


def _floor(full: int, most: int, *, divisible: bool = True) -> int:
    """With how little a part of that size is worth having; a number only whole."""
    return min(full, LEAST, max(2, most // 2)) if divisible else full


def _floor_of(value: Any, most: int) -> int:
    return _floor(size(value), most, divisible=isinstance(value, str | list | dict))


def _shares(values: Sequence[Any], room: int) -> list[int]:
    """The room of each: the smallest have what they need, the others equal parts of what is left."""
    sizes = [size(value) for value in values]
    shares = [0] * len(sizes)
    for done, at in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[at] = min(sizes[at], room // (len(sizes) - done))
        room -= shares[at]
    return shares


def _frame(count: int) -> int:
    """Brackets, and the commas between so many parts."""
    return 2 + max(0, count - 1)


def _less_list(items: list[Any], most: int) -> list[Any]:
    def mark(dropped: int) -> str:
        return f"{MARK} {dropped:,} more items"

    floors = [_floor_of(item, most) for item in items]
    count = len(items)
    if sum(floors) + _frame(count) > most:
        used, count = _frame(0) + size(mark(len(items))) + 1, 0
        while count < len(items) and used + floors[count] + 1 <= most:
            used += floors[count] + 1
            count += 1
    kept, dropped = items[:count], len(items) - count
    ending = size(mark(dropped)) + (1 if count else 0) if dropped else 0
    shares = _shares(kept, most - _frame(count) - ending)
    left = [_less(item, share) for item, share in zip(kept, shares, strict=True)]
    return [*left, mark(dropped)] if dropped and size([*left, mark(dropped)]) <= most else left


def _less_object(value: dict[str, Any], most: int) -> dict[str, Any]:
    mark = MARK
    while mark in value:
        mark += " "
    dropped = _dropped(value, mark, most)
    if dropped is None:
        names = list(value)
        room = most - 2 - size(mark) - 1
        return {mark: _less(_omitted(names), room)} if room >= 2 else {}
    kept = {key: item for key, item in value.items() if key not in dropped}
    if dropped:
        kept[mark] = _omitted([key for key in value if key in dropped])
    shares = _shares(list(kept.values()), most - _frame(len(kept)) - sum(size(key) + 1 for key in kept))
    return {key: _less(item, share) for (key, item), share in zip(kept.items(), shares, strict=True)}


def _omitted(names: Sequence[str]) -> str:
    return f"{len(names):,} keys omitted: {', '.join(names)}"


def _dropped(value: dict[str, Any], mark: str, most: int) -> set[str] | None:
    """The keys that go, those of the largest values first, until the rest can be had; None if it never can."""
    floors = {key: size(key) + 1 + _floor_of(item, most) for key, item in value.items()}
    dropped: set[str] = set()
    needed, names = sum(floors.values()), 0

    def cost() -> int:
        there, note = len(value) - len(dropped), 0
        if dropped:
            told = len(f"{len(dropped):,} keys omitted: ") + names + 2 * (len(dropped) - 1)
            there, note = there + 1, size(mark) + 1 + _floor(told + 2, most)
        return _frame(there) + needed + note

    for key in sorted(value, key=lambda key: size(value[key]), reverse=True):
        if cost() <= most:
            break
        dropped.add(key)
        needed -= floors[key]
        names += size(key) - 2
    return dropped if cost() <= most else None


TARGET = replace(
    CODE_MODE,
    id="cloudflare-mcp",
    name="Cloudflare code mode as an MCP server",
    notes=NOTES,
    frame="../cloudflare/frame.mjs",
    reply=reply,
    sign=lambda _script: None,
)
