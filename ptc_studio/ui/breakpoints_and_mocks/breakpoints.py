"""The breakpoints of a window: its list, its gutters, its commands, and the studio that obeys them."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from typing_extensions import TypedDict

from ptc_studio.core.errors import ExpressionError
from ptc_studio.core.responders.breakpoints import Breakpoint
from ptc_studio.core.responders.expressions import Expression
from ptc_studio.ui.breakpoints_and_mocks.panel import CheckedRow
from ptc_studio.ui.editor.page import LineMark
from ptc_studio.ui.single_instance import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.breakpoints_and_mocks.panel import BreakpointsAndMocksPanel
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.editor.tabs import EditorTabs
    from ptc_studio.ui.run_presenter import RunPresenter


KEY = "breakpoints"
KEEP_MS = 300


class _Kept(TypedDict):
    general: list[Breakpoint]
    lines: dict[str, list[LineMark]]


UNTITLED = "untitled:"


@dataclass(frozen=True, slots=True)
class BreakpointRow:
    """A breakpoint, and the text that its line is of."""

    one: Breakpoint
    script: str = ""
    """The path of a file, or the name of a text without one; empty where no line is meant."""


class BreakpointList(QObject):
    """Keeps them per workspace, in the settings.

    Signals: changed.
    """

    changed = Signal()

    def __init__(self, editors: "EditorTabs", settings: "Settings", workspace: Path | None) -> None:
        super().__init__(editors)
        self._editors, self._settings = editors, settings
        self._location = key_of(workspace)
        self._general, self._lines = _read(settings.get(KEY, {}).get(self._location))
        self._taking = False
        self._timer = QTimer(self, interval=KEEP_MS, singleShot=True)
        self._timer.timeout.connect(self.save)
        editors.page_opened.connect(self._on_page_opened)
        for page in editors.pages:
            self._on_page_opened(page)

    @property
    def entries(self) -> tuple[BreakpointRow, ...]:
        """Those on tools first, then those on lines, text by text."""
        lines = [
            BreakpointRow(Breakpoint(line=mark.line, condition=mark.condition, enabled=mark.enabled), script)
            for script, marks in sorted(self._lines.items())
            for mark in marks
        ]
        return (*(BreakpointRow(one) for one in self._general), *lines)

    def meant_for(self, page: "EditorPage | None") -> list[Breakpoint]:
        """Those that count for a run of this page's text."""
        script = script_of(page) if page is not None else ""
        return [entry.one for entry in self.entries if entry.script in ("", script)]

    def set_entries(self, entries: Iterable[BreakpointRow]) -> None:
        """These and no others."""
        general: list[Breakpoint] = []
        lines: dict[str, list[LineMark]] = {}
        for entry in entries:
            one = entry.one
            if entry.script and one.line is not None:
                lines.setdefault(entry.script, []).append(LineMark(one.line, one.condition, one.enabled))
            elif one not in general:
                general.append(one)
        self._general, self._lines = general, lines
        self._taking = True
        for page in self._editors.pages:
            page.marks.set(lines.get(script_of(page), ()))
        self._taking = False
        self._on_change()

    def add(self, entry: BreakpointRow) -> None:
        self.set_entries([*(each for each in self.entries if not _same_place(each, entry)), entry])

    def remove(self, entries: Iterable[BreakpointRow]) -> None:
        gone = list(entries)
        self.set_entries(each for each in self.entries if each not in gone)

    def replace(self, former: BreakpointRow, entry: BreakpointRow) -> None:
        self.set_entries(entry if each == former else each for each in self.entries)

    def enable(self, enabled: bool, entries: Iterable[BreakpointRow] | None = None) -> None:
        """These, or all, are switched on or off."""
        meant = list(self.entries if entries is None else entries)
        switched = [
            replace(each, one=replace(each.one, enabled=enabled)) if each in meant else each for each in self.entries
        ]
        self.set_entries(switched)

    def title_of(self, script: str) -> str:
        """What people call the text."""
        page = next((page for page in self._editors.pages if script_of(page) == script), None)
        return page.title if page is not None else Path(script).name if not script.startswith(UNTITLED) else "untitled"

    def text_of(self, entry: BreakpointRow) -> str:
        """What stands in the line, where the text is open."""
        page = next((page for page in self._editors.pages if script_of(page) == entry.script), None)
        if page is None or entry.one.line is None:
            return ""
        return page.editor.document().findBlockByNumber(entry.one.line - 1).text().strip()

    def save(self) -> None:
        """Writes them down now."""
        self._timer.stop()
        lines = {script: [asdict(mark) for mark in marks] for script, marks in self._lines.items()}
        kept = {"general": [asdict(one) for one in self._general], "lines": lines}
        self._settings.set_entry(KEY, self._location, kept if self.entries else None)

    def _on_page_opened(self, page: "EditorPage") -> None:
        known = [script_of(page)]
        self._taking = True
        page.marks.set(self._lines.get(known[0], ()))
        self._taking = False
        page.marks.changed.connect(lambda: self._on_marks_changed(page))

        def renamed() -> None:
            # A text that was saved takes its lines with it.
            former, known[0] = known[0], script_of(page)
            if former != known[0]:
                self._lines.pop(former, None)
                self._on_marks_changed(page)

        page.renamed.connect(renamed)

    def _on_marks_changed(self, page: "EditorPage") -> None:
        if self._taking:
            return
        self._lines[script_of(page)] = list(page.marks.all)
        if not page.marks.all:
            del self._lines[script_of(page)]
        self._on_change()

    def _on_change(self) -> None:
        self._timer.start()
        self.changed.emit()


def script_of(page: "EditorPage") -> str:
    """The name under which lines of the page's text are kept."""
    return str(page.path) if page.path else f"{UNTITLED}{page.id}"


def _same_place(one: BreakpointRow, other: BreakpointRow) -> bool:
    return one.script == other.script and replace(one.one, enabled=True) == replace(other.one, enabled=True)


def _read(kept: Any) -> tuple[list[Breakpoint], dict[str, list[LineMark]]]:
    """What was written down; whatever is not as it should be counts as nothing."""
    if not kept:
        return [], {}
    try:
        read = TypeAdapter(_Kept).validate_python(kept)
    except ValidationError:
        return [], {}
    return read["general"], read["lines"]


NEXT = "Stops at the next call, whatever it is (Ctrl+F9)"
NO_TEXT = "Open a script first: a breakpoint on a line needs one."


class BreakpointsPresenter(QObject):
    """Signals: counted: other breakpoints count now."""

    counted = Signal()
    _spoken = Signal()
    """The studio's breakpoints changed, perhaps in another thread."""

    def __init__(
        self, context: "Context", panel: "BreakpointsAndMocksPanel", run: "RunPresenter", workspace: "Path | None"
    ) -> None:
        super().__init__(context.window)
        self._context, self._section, self._run = context, panel.breakpoints, run
        self.book = BreakpointList(context.editors, context.settings, workspace)
        self._build(panel)
        self.book.changed.connect(self._on_book_changed)
        self._spoken.connect(self._show_next, Qt.ConnectionType.QueuedConnection)
        context.editors.current_changed.connect(lambda _page: self._obey())
        context.workbench.run_started.connect(self._obey)
        context.workbench.run_ended.connect(lambda _record: self._obey())
        context.workbench.attached.connect(self._on_attached)
        context.workbench.closed.connect(self.book.save)
        if context.workbench.is_open:
            self._on_attached()
        self._show()

    @property
    def count(self) -> int:
        """How many count for the text that is run, or would be."""
        bench = self._context.workbench
        return len(bench.studio.breakpoints.enabled) if bench.is_open else 0

    @property
    def waits_for_next(self) -> bool:
        bench = self._context.workbench
        return bench.is_open and bench.studio.breakpoints.waits_for_next

    def break_on(self, name: str) -> None:
        """Has all calls of a tool or alias stop."""
        self.book.add(BreakpointRow(Breakpoint(name)))

    def toggle_line(self) -> None:
        """At the line of the cursor."""
        page = self._context.editors.current()
        if page is None:
            self._context.messages.show_message(NO_TEXT)
        else:
            page.marks.toggle(page.editor.cursor_place[0])

    def stop_at_next(self, wanted: bool) -> None:
        """Has the next call wait, of whatever run."""
        if self._context.workbench.is_open:
            self._context.workbench.studio.breakpoints.stop_at_next(wanted=wanted)

    def edit(self, row: int | None = None) -> Any:
        """Opens the form of a breakpoint, or of a new one."""
        from ptc_studio.ui.breakpoints_and_mocks.dialogs import BreakpointDialog

        entry = self.book.entries[row] if row is not None else None
        dialog = BreakpointDialog(self._context, self.book, entry)
        dialog.open()
        return dialog

    def _build(self, panel: "BreakpointsAndMocksPanel") -> None:
        section, commands = panel.breakpoints, self._context.commands
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
        self._context.messages.offer(f"Removed {what}.", "Undo", lambda: self.book.set_entries(before))

    def _switch_all(self) -> None:
        self.book.enable(not any(entry.one.enabled for entry in self.book.entries))

    def _go_to(self, entry: BreakpointRow) -> None:
        context, line = self._context, entry.one.line or 1
        for page in context.editors.pages:
            if script_of(page) == entry.script:
                context.editors.set_current(page)
                page.editor.go_to(line)
                return
        from pathlib import Path

        context.editors.open_file(Path(entry.script), line)

    def _on_attached(self) -> None:
        self._context.workbench.studio.breakpoints.listen(self._spoken.emit)
        self._obey()

    def _on_book_changed(self) -> None:
        self._show()
        self._obey()

    def _obey(self) -> None:
        """Has the studio stop at what counts for the text that runs, or else is in front."""
        context = self._context
        if context.workbench.is_open:
            page = self._run.page if context.workbench.is_running else context.editors.current()
            context.workbench.studio.breakpoints.set(self.book.meant_for(page))
        self.counted.emit()

    def _show(self) -> None:
        self._section.set_rows([self._row(entry) for entry in self.book.entries])

    def _show_next(self) -> None:
        for switch in (self._next_action, self.next_button):
            switch.blockSignals(True)
            switch.setChecked(self.waits_for_next)
            switch.blockSignals(False)
        self.counted.emit()

    def _row(self, entry: BreakpointRow) -> CheckedRow:
        one, error = entry.one, _fault(entry.one.condition)
        title = f"{self.book.title_of(entry.script)}:{one.line}" if entry.script else one.name or "every call"
        detail = f"if {one.condition}" if one.condition else self.book.text_of(entry)
        text = f"✕ {detail}: {error}" if error else detail
        return CheckedRow(title, text, one.enabled, "text" if entry.script else "tool", f"Stops at {_told(entry)}")


def _told(entry: BreakpointRow) -> str:
    one = entry.one
    where = f"calls from line {one.line}" if one.line else f"calls of {one.name}" if one.name else "every call"
    return f"{where}{f' if {one.condition}' if one.condition else ''}"


def _fault(condition: str) -> str:
    """What is wrong with the condition, as far as that can be seen without a call."""
    try:
        if condition:
            Expression(condition)
    except ExpressionError as error:
        return error.reason
    return ""
