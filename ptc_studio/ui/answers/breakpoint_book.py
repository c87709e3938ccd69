"""All breakpoints of a window: those on tools, and those on lines of texts that are open or were."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from PySide6.QtCore import QObject, QTimer, Signal
from typing_extensions import TypedDict

from ptc_studio.core.answering.breakpoints import Breakpoint
from ptc_studio.ui.single_instance import key_of
from ptc_studio.ui.widgets.editor.line_marks import LineMark

if TYPE_CHECKING:
    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.widgets.editor.page import EditorPage
    from ptc_studio.ui.widgets.editor.tabs import EditorTabs

KEY = "breakpoints"
KEEP_MS = 300


class _Kept(TypedDict):
    general: list[Breakpoint]
    lines: dict[str, list[LineMark]]


UNTITLED = "untitled:"


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A breakpoint, and the text that its line is of."""

    one: Breakpoint
    script: str = ""
    """The path of a file, or the name of a text without one; empty where no line is meant."""


class BreakpointBook(QObject):
    """Keeps them per workspace, in the settings.

    Signals: changed.
    """

    changed = Signal()

    def __init__(self, editors: "EditorTabs", settings: "Settings", workspace: Path | None) -> None:
        super().__init__(editors)
        self._editors, self._settings = editors, settings
        self._place = key_of(workspace)
        self._general, self._lines = _read(settings.get(KEY, {}).get(self._place))
        self._taking = False
        self._timer = QTimer(self, interval=KEEP_MS, singleShot=True)
        self._timer.timeout.connect(self.keep)
        editors.page_opened.connect(self._on_page_opened)
        for page in editors.pages:
            self._on_page_opened(page)

    @property
    def entries(self) -> tuple[BookEntry, ...]:
        """Those on tools first, then those on lines, text by text."""
        lines = [
            BookEntry(Breakpoint(line=mark.line, condition=mark.condition, enabled=mark.enabled), script)
            for script, marks in sorted(self._lines.items())
            for mark in marks
        ]
        return (*(BookEntry(one) for one in self._general), *lines)

    def meant_for(self, page: "EditorPage | None") -> list[Breakpoint]:
        """Those that count for a run of this page's text."""
        script = script_of(page) if page is not None else ""
        return [entry.one for entry in self.entries if entry.script in ("", script)]

    def set_entries(self, entries: Iterable[BookEntry]) -> None:
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

    def add(self, entry: BookEntry) -> None:
        self.set_entries([*(each for each in self.entries if not _same_place(each, entry)), entry])

    def remove(self, entries: Iterable[BookEntry]) -> None:
        gone = list(entries)
        self.set_entries(each for each in self.entries if each not in gone)

    def replace(self, former: BookEntry, entry: BookEntry) -> None:
        self.set_entries(entry if each == former else each for each in self.entries)

    def enable(self, enabled: bool, entries: Iterable[BookEntry] | None = None) -> None:
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

    def text_of(self, entry: BookEntry) -> str:
        """What stands in the line, where the text is open."""
        page = next((page for page in self._editors.pages if script_of(page) == entry.script), None)
        if page is None or entry.one.line is None:
            return ""
        return page.editor.document().findBlockByNumber(entry.one.line - 1).text().strip()

    def keep(self) -> None:
        """Writes them down now."""
        self._timer.stop()
        lines = {script: [asdict(mark) for mark in marks] for script, marks in self._lines.items()}
        kept = {"general": [asdict(one) for one in self._general], "lines": lines}
        self._settings.set_entry(KEY, self._place, kept if self.entries else None)

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


def _same_place(one: BookEntry, other: BookEntry) -> bool:
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
