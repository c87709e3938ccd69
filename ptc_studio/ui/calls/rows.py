"""The words in which a row of the call tree is told. Knows no Qt."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ptc_studio.core.events import CallEdited, NoteKind
from ptc_studio.ui.calls.nodes import CallNode, LineGroup, Note, RangeGroup, TreeNode, severity
from ptc_studio.ui.calls.values import Part, marked, plain, preview_parts

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
        return [("tool", node.name), ("badge", group_badge(node))]
    if isinstance(node, RangeGroup):
        first, last = node.bounds
        return [("text", f"{first:,} – {max(first, last):,}")]
    return []


def row_text(node: TreeNode) -> str:
    """The same as one plain text."""
    return _spaced(row_parts(node))


def group_badge(group: LineGroup) -> str:
    """How often, and from where."""
    return f"×{group.count:,}" + (f" · line {group.line}" if group.line is not None else "")


def searchable(call: CallNode) -> str:
    """What the filter's text is looked for in."""
    names = f"{call.started.tool} {call.started.alias or ''} "
    return names + _spaced(_call_parts(call, SEARCH_ROOM, SEARCH_ROOM))


def tooltip(node: TreeNode) -> str:
    """More of a call than fits into its row."""
    if isinstance(node, CallNode):
        return "\n".join((_spaced(_call_parts(node, 600, 1_200)), *map(note_sentence, node.notes)))
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
    """A duration as people read it in a column of milliseconds."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


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
