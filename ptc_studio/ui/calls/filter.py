"""Which calls are shown: how they are picked out of all, and the row in which a person says so."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QIntValidator, QKeySequence, QShortcut
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QStyleOptionComboBox, QWidget

from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallProgressed
from ptc_studio.ui.calls.call_tree import CallTree
from ptc_studio.ui.calls.nodes import CallNode
from ptc_studio.ui.calls.values import searchable
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE

_LATER = (CallFinished, CallProgressed, CallNoted, CallEdited)


@dataclass(frozen=True, slots=True)
class CallFilter:
    """What a call has to be like; what is left empty does not matter."""

    text: str = ""
    """Stands in the name, the arguments, the result's summary or the error, in any case."""
    statuses: frozenset[str] = frozenset()
    tool: str = ""
    """A tool's or an alias's name."""
    minimum_ms: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.statuses or self.tool or self.minimum_ms > 0)

    def admits(self, call: CallNode) -> bool:
        """Whether the call, as it stands now, is wanted."""
        if self.statuses and not self.statuses & {call.status, call.mark}:
            return False
        if self.tool and self.tool not in (call.started.tool, call.started.alias):
            return False
        if self.minimum_ms > 0 and (call.finished is None or call.finished.duration_ms < self.minimum_ms):
            return False
        text = self.text.strip().casefold()
        return not text or text in searchable(call).casefold()


class FilterPass:
    """Picks the events of wanted calls, and of the calls they were made from, out of a whole run."""

    def __init__(self, source: CallTree, wanted: CallFilter) -> None:
        self._source = source
        self._wanted = wanted
        self._passed: set[str] = set()
        self._matched: set[str] = set()
        self._changed: list[CallNode] = []
        """Calls that ended, or of which something else is known now: they may be wanted only now."""
        self._cursor = 0
        self._last = 0.0
        self.is_mixed = False
        """Whether a call came behind others that began after it: it was wanted only when it had ended."""

    @property
    def behind(self) -> bool:
        """Whether there are calls that have not been looked at, or not since they ended."""
        return bool(self._changed) or self._cursor < len(self._source.order)

    @property
    def matches(self) -> int:
        """How many calls are wanted, not counting those shown for the sake of others."""
        return len(self._matched)

    def forget(self, calls: Iterable[CallNode], before: Sequence[CallNode]) -> None:
        """These calls are not in the source any longer, which had those before."""
        gone = {call.call_id for call in calls}
        self._cursor -= sum(call.call_id in gone for call in before[: self._cursor])
        self._passed -= gone
        self._matched -= gone
        self._changed = [call for call in self._changed if call.call_id not in gone]

    def ends(self, batch: Iterable[object]) -> list[object]:
        """The ends, in a batch, of calls that are shown; the other calls are looked at once more by `catch_up`.

        And how far those that are shown say they are, and what is to be seen of them.
        """
        found: list[object] = []
        for event in batch:
            if not isinstance(event, _LATER):
                continue
            if event.call_id in self._passed:
                found.append(event)
            call = self._source.calls.get(event.call_id)
            if call is not None and not isinstance(event, CallProgressed):
                self._changed.append(call)
        return found

    def catch_up(self, limit: int) -> list[object]:
        """Looks at the next calls, and at the end at those that have ended meanwhile."""
        calls = self._source.order[self._cursor : self._cursor + limit]
        self._cursor += len(calls)
        if self._cursor == len(self._source.order):
            calls += self._changed
            self._changed = []
        return [event for call in calls if self._wanted.admits(call) for event in self._match(call)]

    def _match(self, call: CallNode) -> Iterator[object]:
        self._matched.add(call.call_id)
        yield from self._events(call)

    def _events(self, call: CallNode) -> Iterator[object]:
        """What is known of the call, after what is known of those above it."""
        if call.call_id in self._passed:
            return
        self._passed.add(call.call_id)
        self.is_mixed = self.is_mixed or call.start < self._last
        self._last = max(self._last, call.start)
        above = self._source.calls.get(call.started.parent_id or "")
        if above is not None:
            yield from self._events(above)
        yield call.started
        yield from call.notes
        if call.finished:
            yield call.finished
        elif call.progress:
            yield call.progress


DELAY_MS = 150
"""After the last key, before the filter goes to work."""
ANY_STATUS, ANY_TOOL = "Any status", "Any tool"
STATUSES: dict[str, frozenset[str]] = {
    ANY_STATUS: frozenset(),
    f"{MARKS['ok']} ok": frozenset({"ok"}),
    f"{MARKS['error']} failed": frozenset({"error", "timeout", "invalid", "not_found", "depth"}),
    f"{MARKS['denied']} denied, cancelled": frozenset({"denied", "cancelled"}),
    f"{MARKS['running']} running": frozenset({"running"}),
    f"{MARKS['waiting']} waiting for you": frozenset({"waiting"}),
}


class ElidedCombo(QComboBox):
    """Qt's own cuts letters in two."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentTextChanged.connect(self.setToolTip)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        room = max(0, self.width() - theme().pixels(8 * SPACE))
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)


class CallFilterRow(QWidget):
    """Text, status, tool and least duration.

    Signals: changed(CallFilter): another filter is wanted. left: the user is done with it.
    """

    changed = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLineEdit()
        self.text.setPlaceholderText("Name, argument, result or error…")
        self.text.setClearButtonEnabled(True)
        self.status = ElidedCombo()
        self.tool = ElidedCombo()
        self.minimum = QLineEdit()
        self.minimum.setPlaceholderText("Least ms")
        self.minimum.setValidator(QIntValidator(0, 3_600_000, self.minimum))
        self._name_for_screen_readers()
        self.status.addItems(list(STATUSES))
        self.tool.addItem(ANY_TOOL)
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._on_waited)
        for signal in (
            self.text.textChanged,
            self.minimum.textChanged,
            self.status.currentIndexChanged,
            self.tool.currentIndexChanged,
        ):
            signal.connect(self._timer.start)
        QShortcut(QKeySequence.StandardKey.Cancel, self, self._on_escape).setContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut
        )

    def value(self) -> CallFilter:
        """The filter as the fields have it."""
        tool = self.tool.currentText() if self.tool.currentIndex() > 0 else ""
        statuses = STATUSES[self.status.currentText()]
        return CallFilter(self.text.text(), statuses, tool, float(self.minimum.text() or 0))

    def set_tools(self, names: list[str]) -> None:
        """Offers the tools that were called; keeps the choice."""
        known = {self.tool.itemText(row) for row in range(self.tool.count())}
        self.tool.addItems([name for name in names if name not in known])

    def reset_tools(self) -> None:
        """Offers no tools, but keeps the one that is chosen."""
        chosen = self.tool.currentText() if self.tool.currentIndex() > 0 else None
        self.tool.blockSignals(True)
        self.tool.clear()
        self.tool.addItem(ANY_TOOL)
        if chosen:
            self.tool.addItem(chosen)
            self.tool.setCurrentIndex(1)
        self.tool.blockSignals(False)

    def clear(self) -> None:
        """Lets everything through."""
        self.text.clear()
        self.minimum.clear()
        self.status.setCurrentIndex(0)
        self.tool.setCurrentIndex(0)
        self._timer.stop()
        self._on_waited()

    def _name_for_screen_readers(self) -> None:
        for widget, name in (
            (self.text, "Filter calls by text"),
            (self.status, "Filter calls by status"),
            (self.tool, "Filter calls by tool"),
            (self.minimum, "Filter calls by least duration"),
        ):
            widget.setAccessibleName(name)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        grid.setSpacing(SPACE)
        grid.addWidget(self.text, 0, 0, 1, 3)
        for column, field in enumerate((self.status, self.tool, self.minimum)):
            field.setMinimumWidth(1)
            grid.addWidget(field, 1, column)
            grid.setColumnStretch(column, 1)

    def _on_waited(self) -> None:
        self.changed.emit(self.value())

    def _on_escape(self) -> None:
        self.clear()
        self.left.emit()
