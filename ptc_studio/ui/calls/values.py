"""A JSON value as a tree that is built only where it is looked at; the words of a row of calls. Knows no Qt."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from ptc_studio.core.cost import answer_tokens
from ptc_studio.core.events import CallEdited, NoteKind
from ptc_studio.core.redaction.redacted import MARKER_START
from ptc_studio.ui.calls.nodes import CallGroup, CallNode, LineGroup, Note, RangeGroup, TreeNode, severity

Part = tuple[str, str]
"""The name of a colour, and a text. `redacted` and `badge` are drawn as chips."""

_MARKER = re.compile(r"\[REDACTED:[^\[\]\s]{1,120}\]")
_DEEPEST = 2
ELLIPSIS = "…"


def preview(value: Any, room: int = 60) -> str:
    """The value in about so many characters."""
    return plain(preview_parts(value, room))


def preview_parts(value: Any, room: int = 60) -> list[Part]:
    """The value in about so many characters, coloured."""
    return list(_Line(room).parts(value))


def plain(parts: Iterable[Part]) -> str:
    """The text of the parts."""
    return "".join(text for _, text in parts)


def marked(text: str, colour: str) -> Iterator[Part]:
    """The text, with what was redacted in it apart."""
    if MARKER_START not in text:
        yield colour, text
        return
    at = 0
    for match in _MARKER.finditer(text):
        if match.start() > at:
            yield colour, text[at : match.start()]
        yield "redacted", match[0]
        at = match.end()
    if at < len(text):
        yield colour, text[at:]


def scalar_text(value: Any, room: int | None = None) -> str:
    """What is no list and no dictionary, as JSON has it; a long string shortened."""
    if isinstance(value, str):
        return _quoted(value, room)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 10_000:
        return f"an integer of {value.bit_length():,} bits"
    return json.dumps(value, ensure_ascii=False)


def scalar_colour(value: Any) -> str:
    """The colour of a kind of value."""
    if isinstance(value, str):
        return "string"
    return "keyword" if value is None or isinstance(value, bool) else "number"


def size_text(value: Any) -> str:
    """How much is in a list or dictionary."""
    count, word = len(value), "item" if isinstance(value, list) else "key"
    text = f"{count:,} {word}{'' if count == 1 else 's'}"
    return f"[{text}]" if isinstance(value, list) else f"{{{text}}}"


def _quoted(text: str, room: int | None) -> str:
    if _MARKER.fullmatch(text):
        return text
    if room is None or len(text) <= room:
        return json.dumps(text, ensure_ascii=False)
    return json.dumps(text[: max(room - 1, 1)], ensure_ascii=False)[:-1] + ELLIPSIS + '"'


class _Line:
    """One line that fills up."""

    def __init__(self, room: int) -> None:
        self._room = room

    def parts(self, value: Any, depth: int = 0) -> Iterator[Part]:
        if isinstance(value, dict):
            yield from self._dict(value, depth)
        elif isinstance(value, list):
            yield from self._list(value, depth)
        else:
            for part in marked(scalar_text(value, max(self._room, 8)), scalar_colour(value)):
                yield self._spend(part)

    def _dict(self, items: dict[str, Any], depth: int) -> Iterator[Part]:
        if not items or depth >= _DEEPEST:
            yield self._spend(("text", f"{{{ELLIPSIS}}}" if items else "{}"))
            return
        yield self._spend(("text", "{"))
        for number, (key, value) in enumerate(items.items()):
            if self._room <= 4 and number:
                yield "text", f", {ELLIPSIS}"
                break
            yield self._spend(("text", f"{', ' if number else ''}{key[:60]}: "))
            yield from self.parts(value, depth + 1)
        yield self._spend(("text", "}"))

    def _list(self, items: list[Any], depth: int) -> Iterator[Part]:
        if not items or depth >= _DEEPEST:
            yield self._spend(("text", size_text(items) if items else "[]"))
            return
        yield self._spend(("text", "["))
        shown = 0
        for value in islice(items, 50):
            if self._room <= 4 and shown:
                break
            if shown:
                yield self._spend(("text", ", "))
            yield from self.parts(value, depth + 1)
            shown += 1
        left = len(items) - shown
        yield self._spend(("text", f", {ELLIPSIS} {left:,} more]" if left else "]"))

    def _spend(self, part: Part) -> Part:
        self._room -= len(part[1])
        return part


STEP = 500
"""The longest list of rows; longer ones are cut into ranges."""
PREVIEW_ROOM = 72
STRING_ROOM = 200
Path = tuple[str | int, ...]


class ValueNode:
    """One value, or a range of the items of a long one."""

    __slots__ = ("key", "parent", "row", "rows", "span", "value")

    def __init__(
        self, value: Any, key: str | int | None = None, parent: "ValueNode | None" = None, row: int = 0
    ) -> None:
        self.value = value
        self.key = key
        """Its name or number in what it stands in; None for the whole and for ranges."""
        self.parent = parent
        self.row = row
        self.rows: list[ValueNode] = []
        """What has been built so far of what is below: nothing or everything."""
        self.span: range | None = None
        """The items that a range stands for; None for a value."""

    @property
    def has_rows(self) -> bool:
        return isinstance(self.value, dict | list) and len(self.value) > 0

    @property
    def path(self) -> Path:
        """The keys that lead to it from the whole."""
        keys: list[str | int] = []
        node: ValueNode | None = self
        while node is not None:
            if node.key is not None:
                keys.append(node.key)
            node = node.parent
        return tuple(reversed(keys))

    def build(self) -> list["ValueNode"]:
        """The rows below, made but not put in."""
        count = len(self.value)
        if self.span is None and count > STEP:
            return [self._range(row, start, count) for row, start in enumerate(range(0, count, STEP))]
        items = self._items(self.span or range(count))
        return [ValueNode(value, key, self, row) for row, (key, value) in enumerate(items)]

    def row_of(self, key: str | int) -> int:
        """The number of the item with that key."""
        if isinstance(self.value, list):
            return int(key)
        return next(number for number, name in enumerate(self.value) if name == key)

    def parts(self) -> list[Part]:
        """The row in one line."""
        if self.span is not None:
            return [("muted", f"{self.span.start:,} … {self.span.stop - 1:,}")]
        lead: list[Part] = [] if self.key is None else [("text", str(self.key)[:120]), ("muted", ": ")]
        if isinstance(self.value, dict | list) and self.value:
            whole = self.key is None
            return [*lead, *([("text", size_text(self.value))] if whole else preview_parts(self.value, PREVIEW_ROOM))]
        if isinstance(self.value, dict | list):
            return [*lead, ("text", "{}" if isinstance(self.value, dict) else "[]")]
        return [*lead, *marked(scalar_text(self.value, STRING_ROOM), scalar_colour(self.value))]

    def _range(self, row: int, start: int, count: int) -> "ValueNode":
        node = ValueNode(self.value, None, self, row)
        node.span = range(start, min(start + STEP, count))
        return node

    def _items(self, span: range) -> Iterable[tuple[str | int, Any]]:
        if isinstance(self.value, dict):
            return islice(self.value.items(), span.start, span.stop)
        return ((number, self.value[number]) for number in span)


def find(value: Any, text: str) -> Iterator[Path | None]:
    """Where the text stands in keys or values, in any case; None now and then, so that a search can be sliced."""
    wanted = text.casefold()
    waiting: list[Iterator[tuple[Path, Any]]] = [iter([((), value)])]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
            continue
        path, item = entry
        yield path if _holds(path, item, wanted) else None
        if isinstance(item, dict | list):
            waiting.append(_entries(path, item))


def _entries(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    pairs: Iterable[tuple[str | int, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield (*path, key), item


def _holds(path: Path, value: Any, wanted: str) -> bool:
    if path and isinstance(path[-1], str) and wanted in path[-1].casefold():
        return True
    if isinstance(value, dict | list):
        return False
    return wanted in (value if isinstance(value, str) else scalar_text(value)).casefold()


WAITS = "waits for you"
_SHORT: dict[NoteKind, str] = {"waiting": WAITS, "drift": "▲ not as recorded", "fault": "▲ fault"}
_TITLES: dict[NoteKind, str] = {"waiting": "Waits for you", "drift": "Not as it was recorded", "fault": "Fault"}
EDITED = "edited"


def waits(notes: Sequence[Note]) -> bool:
    """Whether the call waits for a person."""
    return any(_kind(note) == "waiting" for note in notes)


def note_parts(notes: Sequence[Note]) -> Iterator[Part]:
    """In a row: each kind once, a word or two."""
    kinds = dict.fromkeys(_kind(note) for note in notes)
    for kind in kinds:
        if kind == EDITED:
            yield "badge", EDITED
        elif kind in _SHORT:
            yield "warning", f" {_SHORT[kind]} "


def note_sentence(note: Note) -> str:
    """In full."""
    if isinstance(note, CallEdited):
        return "Edited: a person changed the arguments."
    text = " ".join(str(note.text.value).split())
    return ": ".join(filter(None, (_TITLES.get(note.kind, note.kind), text)))


def _kind(note: Note) -> str:
    return EDITED if isinstance(note, CallEdited) else note.kind


ARGUMENTS_ROOM = 60
RESULT_ROOM = 80
ERROR_ROOM = 300
SEARCH_ROOM = 400
PROGRESS_ROOM = 200
PERCENT = 100


def row_parts(node: TreeNode, room: int = 1_000) -> list[Part]:
    """What stands behind the mark, in coloured parts; parts that begin beyond so many characters may be missing."""
    if isinstance(node, CallNode):
        return list(_call_parts(node, min(ARGUMENTS_ROOM, room), RESULT_ROOM, room))
    if isinstance(node, LineGroup):
        return [("tool", node.name), ("badge", group_badge(node) + left_out(node))]
    if isinstance(node, RangeGroup):
        first, last = node.bounds
        return [("text", f"{first:,} – {max(first, last):,}{left_out(node)}")]
    return []


def row_text(node: TreeNode) -> str:
    """The same as one plain text."""
    return _spaced(row_parts(node))


def group_badge(group: LineGroup) -> str:
    """How often, and from where."""
    return f"×{group.count:,}" + (f" · line {group.line}" if group.line is not None else "")


def left_out(group: CallGroup) -> str:
    """How many of its calls are not in the tree any longer."""
    return f" · {group.left_out:,} left out" if group.left_out else ""


def searchable(call: CallNode) -> str:
    """What the filter's text is looked for in."""
    names = f"{call.started.tool} {call.started.alias or ''} "
    return names + _spaced(_call_parts(call, SEARCH_ROOM, SEARCH_ROOM))


def tooltip(node: TreeNode) -> str:
    """More of a call than fits into its row."""
    if isinstance(node, CallNode):
        cost = [answer_tokens(node.record())] if node.finished else []
        return "\n".join((_spaced(_call_parts(node, 600, 1_200)), *cost, *map(note_sentence, node.notes)))
    return row_text(node)


def argument_parts(arguments: Any, room: int) -> Iterator[Part]:
    """`(person="Ada", quarter="Q3")`."""
    if not isinstance(arguments, dict):
        yield from _muted(preview_parts(arguments, room))
        return
    yield "muted", "("
    for number, (name, value) in enumerate(arguments.items()):
        if room <= 0:
            yield "muted", ", …"
            break
        lead = f"{', ' if number else ''}{name[:60]}="
        parts = list(_muted(preview_parts(value, max(room - len(lead), 8))))
        yield "muted", lead
        yield from parts
        room -= len(lead) + len(plain(parts))
    yield "muted", ")"


def milliseconds(value: float) -> str:
    """A duration as people read it in a column of milliseconds; from ten seconds on, in seconds."""
    if value >= 9_999.5:
        return f"{value / 1000:,.1f} s"
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def duration_text(value: float) -> str:
    """The same with its unit."""
    text = milliseconds(value)
    return text if text.endswith("s") else f"{text} ms"


def progress_text(call: CallNode) -> str:
    """`40 %`, or `3 of 10 · message`; empty for a call that said nothing of the kind, or has ended."""
    progress = call.progress
    if progress is None:
        return ""
    message = one_line(str(progress.message.value)[:PROGRESS_ROOM])
    return " · ".join(filter(None, (share_text(progress.done, progress.total), message)))


def progress_share(call: CallNode) -> float | None:
    """How much of it is done, from 0 to 1, where that is known."""
    progress = call.progress
    if progress is None or not progress.total or progress.total <= 0:
        return None
    return min(max(progress.done / progress.total, 0.0), 1.0)


def one_line(text: str) -> str:
    """The text without line breaks."""
    return " ".join(text.split())


def _call_parts(call: CallNode, arguments_room: int, outcome_room: int, room: int = 100_000) -> Iterator[Part]:
    yield "tool", call.name
    finished = call.finished
    if finished and finished.answered_by != "tool":
        yield "badge", finished.answered_by
    if call.notes:
        yield from note_parts(call.notes)
    if call.progress is not None:
        # As the error below: what the row is looked at for goes first.
        yield from marked(f" {progress_text(call)} ", "accent")
    if finished and finished.error:
        # The error goes before the arguments: it is what the row is looked at for.
        message = one_line(str(finished.error.message.value)[: max(ERROR_ROOM, outcome_room)])
        colour = "warning" if severity(call.status) == 1 else "error"
        yield from marked(f" {finished.error.type}: {message} ", colour)
        yield from argument_parts(call.started.arguments.value, arguments_room)
        return
    arguments = list(argument_parts(call.started.arguments.value, arguments_room))
    yield from arguments
    room -= len(call.name) + sum(len(text) for _, text in arguments)
    if finished and finished.result is not None and room > 0:
        yield "muted", " → "
        yield from _muted(preview_parts(finished.result.value, outcome_room))


def share_text(done: float, total: float | None) -> str:
    """How far, in steps where they can be counted, else in hundredths."""
    if not total or total <= 0:
        return f"{done:,.12g}"
    if total == PERCENT or not (float(done).is_integer() and float(total).is_integer()) or total <= 1:
        return f"{min(max(done / total, 0.0), 1.0) * 100:.0f} %"
    return f"{done:,.0f} of {total:,.0f}"


def _spaced(parts: Iterable[Part]) -> str:
    """The text of the parts, with room around what is drawn as a badge."""
    return "".join(f" {text} " if colour == "badge" else text for colour, text in parts).rstrip()


def _muted(parts: list[Part]) -> Iterator[Part]:
    for colour, text in parts:
        yield (colour if colour == "redacted" else "muted"), text
