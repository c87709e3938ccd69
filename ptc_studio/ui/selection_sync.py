"""How the panels move together: a tool, a call, a line, a problem, each shown where the others show it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer

from ptc_studio.ui.editor.page import EditorPage

if TYPE_CHECKING:
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.run_presenter import RunPresenter

PLACE_AFTER = 40
"""Milliseconds until the status line tells where the cursor is: a key is not to wait for it."""


class SelectionSync(QObject):
    """Connects the panels of one window."""

    def __init__(self, window: "MainWindow", run: "RunPresenter") -> None:
        super().__init__(window)
        self._window, self._run = window, run
        self._place_soon = QTimer(self, singleShot=True, interval=PLACE_AFTER)
        self._place_soon.timeout.connect(self._show_place)
        self._connect()

    def _connect(self) -> None:
        window = self._window
        window.workbench.failed.connect(window.show_message)
        window.editors.current_changed.connect(self._on_page_changed)
        window.editors.failed.connect(window.show_message)
        window.tools.insert_requested.connect(self._insert)
        window.tools.file_requested.connect(lambda path, line: window.open_script(Path(path), line))
        window.calls.call_selected.connect(window.inspector.show_record)
        window.calls.call_selected.connect(lambda record: window.timeline.choose(record["id"] if record else None))
        window.timeline.call_chosen.connect(window.calls.select_call)
        window.calls.progress_told.connect(window.inspector.show_progress)
        window.calls.notes_told.connect(window.inspector.show_notes)
        window.calls.line_selected.connect(self._mark_line)
        window.output.line_activated.connect(self._on_place_asked)
        window.problems.problem_activated.connect(self._go_to)

    def in_editor(self, do: Callable[[EditorPage], Any]) -> None:
        """Does it in the text that is in front, if there is one."""
        page = self._window.editors.current()
        if page is not None:
            self._window.show_editors()
            do(page)

    def _on_page_changed(self, page: EditorPage | None) -> None:
        window = self._window
        window.centre.setCurrentIndex(1 if window.editors.pages else 0)
        window.show_title(page.title if page else "PTC Studio")
        if page is None:
            self._show_problems([], "")
            window.status_line.clear_place()
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
        page = self._window.editors.current()
        if page is not None:
            self._window.calls.set_language(page.language)
            self._window.tools.set_language(page.language)

    def _on_problems_found(self, _revision: int, problems: list[Any]) -> None:
        page = self._window.editors.current()
        if page is not None and self.sender() in (page.finder, None):
            self._show_problems(problems, page.finder.note)

    def _show_problems(self, problems: list[Any], note: str) -> None:
        window = self._window
        window.problems.set_problems(problems, note)
        count = f" {len(problems)}" if problems else ""
        window.bottom.setTabText(window.bottom.indexOf(window.problems), f"Problems{count}")

    def _on_line_activated(self, line: int) -> None:
        page = self._window.editors.current()
        if page is None:
            return
        self._show_place()
        if page is self._run.page:
            self._window.calls.select_line(line)

    def _show_place(self) -> None:
        page = self._window.editors.current()
        if page is not None:
            self._window.status_line.set_place(*page.editor.cursor_place)

    def _mark_line(self, line: int) -> None:
        page = self._run.open_page
        if page is not None:
            page.editor.mark_line(line)

    def _on_place_asked(self, filename: str, line: int) -> None:
        editors = self._window.editors
        for page in editors.pages:
            if filename in (page.script_name, page.title):
                editors.set_current(page)
                page.editor.go_to(line)
                return
        if Path(filename).is_file():
            self._window.open_script(Path(filename), line)

    def _go_to(self, line: int, column: int) -> None:
        self.in_editor(lambda page: (page.editor.go_to(line, column), page.setFocus()))

    def _insert(self, text: str) -> None:
        self.in_editor(lambda page: (page.editor.insertPlainText(text), page.setFocus()))
