"""Has the open scripts follow when an alias gets another name."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from ptc_studio.core.python_text import parsed
from ptc_studio.core.registry import identifier
from ptc_studio.ui.editor.gutter import to_units
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.tool_mentions import ToolUse, bindings_of, mentions_in, uses_in, uses_in_python

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage


Place = tuple[int, int, int]
"""Line and column of a name, counted from 0 in characters, and its length."""


def uses_of(name: str, text: str, language: str) -> list[Place]:
    """Every place where the alias is called or handed on, in order; not what only looks so in texts and comments."""
    if language == "wat":
        # Its texts have their lengths written elsewhere: another name would break them.
        return []
    written = dict.fromkeys((name, identifier(name)))
    hints = {each: ToolHint(each) for each in written}
    lines = text.split("\n")
    found = _in_python(text, lines, hints) if language == "python" else uses_in(text, language, hints)
    if found is None:
        return _in_unfinished(text, lines, written)
    spans = ((use.line - 1, use.column - 1, use.end_column - 1) for use in found)
    return [location for line, start, end in spans if (location := _within(lines[line], line, start, end, written))]


def _in_python(text: str, lines: list[str], hints: dict[str, ToolHint]) -> list[ToolUse] | None:
    """None for a script that Python cannot read, such as one that is being typed."""
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return uses_in_python(tree, bindings_of(tree), lines, hints)


def _in_unfinished(text: str, lines: list[str], written: Iterable[str]) -> list[Place]:
    """As far as words tell it."""
    wanted = {*written, *(f"aio.{each}" for each in written)}
    places: list[Place] = []
    for spoken in sorted(mentions_in(text, "python"), key=lambda each: each.start):
        if spoken.name in wanted:
            line = text.count("\n", 0, spoken.start)
            start = spoken.start - (text.rfind("\n", 0, spoken.start) + 1)
            location = _within(lines[line], line, start, start + spoken.end - spoken.start, written)
            places += [location] if location else []
    return places


def _within(line: str, number: int, start: int, end: int, written: Iterable[str]) -> Place | None:
    """Where in `aio.team`, `tools.team` or `"team"` the name itself stands."""
    for name in written:
        at = line.rfind(name, start, end)
        if at >= 0:
            return number, at, len(name)
    return None


@dataclass(frozen=True, slots=True)
class Uses:
    """What of the open scripts calls the alias."""

    calls: int
    scripts: int

    def __str__(self) -> str:
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        return f"{calls} in {'1 open script' if self.scripts == 1 else f'{self.scripts} open scripts'}"


def count_uses(context: "Context", name: str) -> Uses:
    """How often the open scripts call it."""
    counts = [len(uses_of(name, page.text, page.language)) for page in context.editors.pages]
    return Uses(sum(counts), sum(map(bool, counts)))


def rename_uses(context: "Context", former: str, name: str) -> None:
    """Writes the new name in every open script: one step to undo in each."""
    for page in context.editors.pages:
        found = uses_of(former, page.text, page.language)
        if found:
            _replace(page, found, name)


def _replace(page: "EditorPage", found: list[Place], name: str) -> None:
    document = page.editor.document()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    # From the end: what comes before stays where it is.
    for line, column, length in reversed(found):
        block = document.findBlockByNumber(line)
        begin, end = (to_units(block.text(), each) for each in (column, column + length))
        cursor.setPosition(block.position() + begin)
        cursor.setPosition(block.position() + end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(name)
    cursor.endEditBlock()
