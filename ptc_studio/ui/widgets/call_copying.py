"""Copies calls to the clipboard; many of them bit by bit, so that the window stays alive."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from ptc_studio.ui.models.call_formats import as_code, as_json, table_lines
from ptc_studio.ui.models.call_nodes import Call
from ptc_studio.ui.slices import SlicedWork


class CallCopying(QObject):
    """The three forms in which calls are copied.

    Signals: copied(int): so many calls are on the clipboard.
    """

    copied = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.language = "python"
        self._work = SlicedWork(self)

    def copy_json(self, calls: Sequence[Call]) -> None:
        self._work.start(self._json(calls))

    def copy_code(self, calls: Sequence[Call]) -> None:
        """In the script's language, a line a call."""
        lines = (as_code(call.record(), self.language) for call in calls)
        self._work.start(self._lines(lines, len(calls)))

    def copy_table(self, calls: Sequence[Call]) -> None:
        self._work.start(self._lines(table_lines(call.record() for call in calls), len(calls)))

    def _json(self, calls: Sequence[Call]) -> Iterator[None]:
        if len(calls) == 1:
            self._put(as_json([calls[0].record()]), 1)
            return
        texts: list[str] = []
        for call in calls:
            texts.append("\n".join(f"  {line}" for line in as_json([call.record()]).splitlines()))
            yield
        self._put("[\n" + ",\n".join(texts) + "\n]", len(calls))

    def _lines(self, lines: Iterator[str], count: int) -> Iterator[None]:
        texts: list[str] = []
        for line in lines:
            texts.append(line)
            yield
        self._put("\n".join(texts), count)

    def _put(self, text: str, count: int) -> None:
        if count:
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(count)
