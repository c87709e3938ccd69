"""The breakpoints of a window: its list, its gutters, its commands, and the studio that obeys them."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from ptc_studio.core.answering.breakpoints import Breakpoint
from ptc_studio.core.answering.expressions import Expression
from ptc_studio.core.errors import ExpressionFault
from ptc_studio.ui.answers.breakpoint_book import BookEntry, BreakpointBook, script_of
from ptc_studio.ui.answers.checked_rows import CheckedRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.answers.panel import AnswersPanel
    from ptc_studio.ui.window import MainWindow

NEXT = "Stops at the next call, whatever it is (Ctrl+F9)"
NO_TEXT = "Open a script first: a breakpoint on a line needs one."


class BreakpointsDisplay(QObject):
    """Signals: counted: other breakpoints count now."""

    counted = Signal()
    _spoken = Signal()
    """The studio's breakpoints changed, perhaps in another thread."""

    def __init__(self, window: "MainWindow", panel: "AnswersPanel", settings: "Settings") -> None:
        super().__init__(window)
        self._window, self._section = window, panel.breakpoints
        self.book = BreakpointBook(window.editors, settings, window.workspace)
        self._build(panel)
        self.book.changed.connect(self._on_book_changed)
        self._spoken.connect(self._show_next, Qt.ConnectionType.QueuedConnection)
        window.editors.current_changed.connect(lambda _page: self._obey())
        window.workbench.run_began.connect(self._obey)
        window.workbench.run_ended.connect(lambda _record: self._obey())
        window.workbench.adopted.connect(self._on_adopted)
        window.closed.connect(self.book.keep)
        if window.workbench.is_open:
            self._on_adopted()
        self._show()

    @property
    def count(self) -> int:
        """How many count for the text that is run, or would be."""
        bench = self._window.workbench
        return len(bench.studio.breakpoints.enabled) if bench.is_open else 0

    @property
    def waits_for_next(self) -> bool:
        bench = self._window.workbench
        return bench.is_open and bench.studio.breakpoints.waits_for_next

    def break_on(self, name: str) -> None:
        """Has all calls of a tool or alias stop."""
        self.book.add(BookEntry(Breakpoint(name)))

    def toggle_line(self) -> None:
        """At the line of the cursor."""
        page = self._window.editors.current()
        if page is None:
            self._window.tell(NO_TEXT)
        else:
            page.marks.toggle(page.editor.cursor_place[0])

    def stop_at_next(self, wanted: bool) -> None:
        """Has the next call wait, of whatever run."""
        if self._window.workbench.is_open:
            self._window.workbench.studio.breakpoints.stop_at_next(wanted=wanted)

    def edit(self, row: int | None = None) -> Any:
        """Opens the form of a breakpoint, or of a new one."""
        from ptc_studio.ui.answers.breakpoint_dialog import BreakpointDialog

        entry = self.book.entries[row] if row is not None else None
        dialog = BreakpointDialog(self._window, self.book, entry)
        dialog.open()
        return dialog

    def _build(self, panel: "AnswersPanel") -> None:
        section, commands = panel.breakpoints, self._window.commands
        commands["breakpointAction"].triggered.connect(self.toggle_line)
        self._next_action = commands["nextCallAction"]
        self._next_action.toggled.connect(self.stop_at_next)
        self.next_button = section.add_button("Next call", NEXT, self._next_action.trigger, checkable=True)
        self.all_button = section.add_all_button("Switches all breakpoints off, or on again", self._switch_all)
        self.add_button = section.add_button("+", "Adds a breakpoint", self.edit)
        section.switched.connect(lambda row, on: self.book.enable(on, [self.book.entries[row]]))
        section.activated.connect(self.edit)
        section.deleted.connect(self._remove)
        section.set_menu(self._menu)

    def _menu(self, rows: list[int]) -> "Sequence[tuple[str, Callable[[], object]]]":
        if not rows:
            return [("Add breakpoint…", self.edit)]
        entries = [self.book.entries[row] for row in rows]
        single: list[tuple[str, Callable[[], object]]] = [("Edit…", lambda: self.edit(rows[0]))]
        if entries[0].script:
            single.append(("Go to the line", lambda: self._go_to(entries[0])))
        on = all(entry.one.enabled for entry in entries)
        return [
            *(single if len(rows) == 1 else ()),
            ("Disable" if on else "Enable", lambda: self.book.enable(not on, entries)),
            ("", lambda: None),
            ("Remove", lambda: self._remove(rows)),
        ]

    def _remove(self, rows: list[int]) -> None:
        before = self.book.entries
        gone = [before[row] for row in rows]
        self.book.remove(gone)
        what = _told(gone[0]) if len(gone) == 1 else f"{len(gone)} breakpoints"
        self._window.notice.offer(f"Removed {what}.", "Undo", lambda: self.book.set_entries(before))

    def _switch_all(self) -> None:
        self.book.enable(not any(entry.one.enabled for entry in self.book.entries))

    def _go_to(self, entry: BookEntry) -> None:
        window, line = self._window, entry.one.line or 1
        for page in window.editors.pages:
            if script_of(page) == entry.script:
                window.editors.set_current(page)
                page.editor.go_to(line)
                return
        from pathlib import Path

        window.open_script(Path(entry.script), line)

    def _on_adopted(self) -> None:
        self._window.workbench.studio.breakpoints.listen(self._spoken.emit)
        self._obey()

    def _on_book_changed(self) -> None:
        self._show()
        self._obey()

    def _obey(self) -> None:
        """Has the studio stop at what counts for the text that runs, or else is in front."""
        window = self._window
        if window.workbench.is_open:
            page = window.run.page if window.workbench.is_running else window.editors.current()
            window.workbench.studio.breakpoints.set(self.book.meant_for(page))
        self.counted.emit()

    def _show(self) -> None:
        self._section.set_rows([self._row(entry) for entry in self.book.entries])

    def _show_next(self) -> None:
        for switch in (self._next_action, self.next_button):
            switch.blockSignals(True)
            switch.setChecked(self.waits_for_next)
            switch.blockSignals(False)
        self.counted.emit()

    def _row(self, entry: BookEntry) -> CheckedRow:
        one, fault = entry.one, _fault(entry.one.condition)
        title = f"{self.book.title_of(entry.script)}:{one.line}" if entry.script else one.name or "every call"
        detail = f"if {one.condition}" if one.condition else self.book.text_of(entry)
        said = f"✕ {detail}: {fault}" if fault else detail
        return CheckedRow(title, said, one.enabled, "text" if entry.script else "tool", f"Stops at {_told(entry)}")


def _told(entry: BookEntry) -> str:
    one = entry.one
    where = f"calls from line {one.line}" if one.line else f"calls of {one.name}" if one.name else "every call"
    return f"{where}{f' if {one.condition}' if one.condition else ''}"


def _fault(condition: str) -> str:
    """What is wrong with the condition, as far as that can be seen without a call."""
    try:
        if condition:
            Expression(condition)
    except ExpressionFault as fault:
        return fault.reason
    return ""
