"""Lines of a text at which calls are to stop; they move with the text."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor

from ptc_studio.ui.widgets.editor.code_editor import CodeEditor


@dataclass(frozen=True, slots=True)
class LineMark:
    """One such line."""

    line: int
    condition: str = ""
    enabled: bool = True


class LineMarks(QObject):
    """The marks of one editor, which its gutter shows and sets.

    Signals: changed: one came or went, or stands in another line.
    """

    changed = Signal()

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._anchored: list[tuple[QTextCursor, LineMark]] = []
        self._known: tuple[LineMark, ...] = ()
        self._length = editor.document().characterCount()
        editor.gutter.line_clicked.connect(self.toggle)
        editor.document().contentsChange.connect(self._on_contents_change)

    @property
    def all(self) -> tuple[LineMark, ...]:
        """From the first line to the last."""
        return self._known

    def toggle(self, line: int) -> None:
        """Sets a mark, or takes it away."""
        others = [mark for mark in self._known if mark.line != line]
        self.set(others if len(others) < len(self._known) else [*others, LineMark(line)])

    def set(self, marks: Iterable[LineMark]) -> None:
        """These and no others; those beyond the end stand in the last line."""
        self._anchor(marks)
        self._tell()

    def _anchor(self, marks: Iterable[LineMark]) -> None:
        document = self._editor.document()
        self._anchored = []
        for mark in marks:
            block = document.findBlockByNumber(min(max(mark.line, 1), document.blockCount()) - 1)
            self._anchored.append((QTextCursor(block), mark))

    def _tell(self) -> None:
        """One mark a line, and only what is new is told."""
        found: dict[int, LineMark] = {}
        for cursor, mark in self._anchored:
            line = cursor.blockNumber() + 1
            found.setdefault(line, LineMark(line, mark.condition, mark.enabled))
        known = tuple(found[line] for line in sorted(found))
        if known != self._known:
            self._known = known
            self._editor.gutter.set_stops({mark.line: mark.enabled for mark in known})
            self.changed.emit()

    def _on_contents_change(self, position: int, removed: int, _added: int) -> None:
        before, self._length = self._length, self._editor.document().characterCount()
        if not self._anchored:
            return
        if position == 0 and removed >= before - 1:
            # Another text altogether: nothing tells where its lines come from, so the numbers stay.
            self._anchor(self._known)
        self._tell()
