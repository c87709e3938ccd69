"""The words for what is to be seen of a call beside its values: that it waits, was edited, drifted. Knows no Qt."""

from collections.abc import Iterator, Sequence

from ptc_studio.core.events import CallEdited, NoteKind
from ptc_studio.ui.models.call_nodes import Note
from ptc_studio.ui.models.value_text import Part

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
