"""How the panels move together: a tool, a call, a line, a problem, each shown where the others show it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer

from ptc_studio.ui.editor.page import EditorPage

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.status_line import StatusLine

PLACE_AFTER = 40
"""Milliseconds until the status line tells where the cursor is: a key is not to wait for it."""


class SelectionSync(QObject):
    """Connects the panels of one window."""

    def __init__(self, context: "Context", panels: "Panels", status_line: "StatusLine", run: "RunPresenter") -> None:
        super().__init__(context.window)
        self._context, self._panels, self._status_line, self._run = context, panels, status_line, run
        self._place_soon = QTimer(self, singleShot=True, interval=PLACE_AFTER)
        self._place_soon.timeout.connect(self._show_place)
        self._connect()

    def _connect(self) -> None:
        context, panels = self._context, self._panels
        context.workbench.failed.connect(lambda message: context.messages.show_message(message, "error"))
        context.workbench.run_started.connect(context.messages.hide_passing)
        context.editors.current_changed.connect(self._on_page_changed)
        context.editors.failed.connect(lambda message: context.messages.show_message(message, "error"))
        context.tools.insert_requested.connect(self._insert)
        context.tools.file_requested.connect(lambda path, line: context.editors.open_file(Path(path), line))
        panels.calls.call_selected.connect(panels.inspector.show_record)
        panels.calls.call_selected.connect(lambda record: panels.timeline.choose(record["id"] if record else None))
        panels.timeline.call_chosen.connect(panels.calls.select_call)
        panels.calls.progress_told.connect(panels.inspector.show_progress)
        panels.calls.notes_told.connect(panels.inspector.show_notes)
        panels.calls.line_selected.connect(self._mark_line)
        panels.output.line_activated.connect(self._on_place_asked)
        panels.problems.problem_activated.connect(self._go_to)

    def in_editor(self, do: Callable[[EditorPage], Any]) -> None:
        """Does it in the text that is in front, if there is one."""
        page = self._context.editors.current()
        if page is not None:
            do(page)

    def _on_page_changed(self, page: EditorPage | None) -> None:
        if page is None:
            self._show_problems([], "")
            self._status_line.clear_place()
            return
        self._show_language()
        page.renamed.connect(self._show_language, Qt.ConnectionType.UniqueConnection)
        page.finder.found.connect(self._on_problems_found, Qt.ConnectionType.UniqueConnection)
        page.editor.line_activated.connect(self._on_line_activated, Qt.ConnectionType.UniqueConnection)
        page.editor.cursorPositionChanged.connect(self._place_soon.start, Qt.ConnectionType.UniqueConnection)
        self._show_problems(page.finder.known, page.finder.note)
        page.finder.look_soon()
        self._on_line_activated(page.editor.cursor_place[0])

    def _show_language(self) -> None:
        page = self._context.editors.current()
        if page is not None:
            self._panels.calls.set_language(page.language)
            self._context.tools.set_language(page.language)

    def _on_problems_found(self, _revision: int, problems: list[Any]) -> None:
        page = self._context.editors.current()
        if page is not None and self.sender() in (page.finder, None):
            self._show_problems(problems, page.finder.note)

    def _show_problems(self, problems: list[Any], note: str) -> None:
        self._panels.problems.set_problems(problems, note)
        self._panels.set_count("problems", len(problems))

    def _on_line_activated(self, line: int) -> None:
        page = self._context.editors.current()
        if page is None:
            return
        self._show_place()
        if page is self._run.page:
            self._panels.calls.select_line(line)

    def _show_place(self) -> None:
        page = self._context.editors.current()
        if page is not None:
            self._status_line.set_place(*page.editor.cursor_place)

    def _mark_line(self, line: int) -> None:
        page = self._run.open_page
        if page is not None:
            page.editor.mark_line(line)

    def _on_place_asked(self, filename: str, line: int) -> None:
        editors = self._context.editors
        for page in editors.pages:
            if filename in (page.script_name, page.title):
                editors.set_current(page)
                page.editor.go_to(line)
                return
        if Path(filename).is_file():
            self._context.editors.open_file(Path(filename), line)

    def _go_to(self, line: int, column: int) -> None:
        self.in_editor(lambda page: (page.editor.go_to(line, column), page.setFocus()))

    def _insert(self, text: str) -> None:
        self.in_editor(lambda page: (page.editor.insert_call(text), page.setFocus()))
