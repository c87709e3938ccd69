"""What each command of the window does."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from ptc_studio.ui import sources
from ptc_studio.ui.choosing import Choosing

if TYPE_CHECKING:
    from ptc_studio.ui.coupling import Coupling
    from ptc_studio.ui.window import MainWindow


class Handlers:
    """Connects the commands, and the welcome page, which offers some of them, too."""

    def __init__(self, window: "MainWindow", coupling: "Coupling") -> None:
        self._window = window
        self._in_editor = coupling.in_editor
        self._choices = Choosing(window)
        self._connect_commands()
        self._connect_welcome()

    def _connect_commands(self) -> None:
        window, docks = self._window, self._window.docks
        handlers = {
            "newAction": self._new_script,
            "openAction": self._choices.choose_script,
            "openWorkspaceAction": self._choices.choose_workspace,
            "goToAction": self._choices.pick_place,
            "saveAction": self._save,
            "saveAsAction": self._choices.choose_target,
            "closeTabAction": self._close_tab,
            "reopenAction": lambda: window.editors.reopen_closed() and window.show_editors(),
            "quitAction": window.close,
            "undoAction": lambda: self._in_editor(lambda page: page.editor.undo()),
            "redoAction": lambda: self._in_editor(lambda page: page.editor.redo()),
            "findAction": self._find,
            "goToLineAction": self._choices.pick_line,
            "commentAction": lambda: self._in_editor(lambda page: page.editor.toggle_comment()),
            "editorAction": self._step_back,
            "toolsAction": lambda: docks.show(docks.tools, window.tools.filter),
            "outputAction": lambda: self._show_below(window.output),
            "callsAction": lambda: docks.show(docks.calls, window.calls.tree),
            "inspectorAction": lambda: docks.show(docks.inspector, window.inspector),
            "timelineAction": lambda: self._show_below(window.timeline),
            "problemsAction": lambda: self._show_below(window.problems),
            "resetAction": docks.put_back,
            "runAction": window.run_script,
            "runAllAction": window.run_in_all,
            "stopAction": window.workbench.stop,
            "demoAction": window.run_demo,
            "importAction": lambda: sources.open_import(window),
            "editSourceAction": lambda: sources.edit_chosen_source(window),
            "reloadSourceAction": lambda: sources.reload_chosen_source(window),
            "removeSourceAction": lambda: sources.remove_chosen_source(window),
            "reloadAction": window.workbench.load,
            "definitionsAction": lambda: sources.open_definitions(window, sources.chosen_names(window)),
            "secretsAction": lambda: sources.open_secrets(window),
            "paletteAction": self._choices.pick_command,
            "keysAction": self._show_keys,
            "aboutAction": self._tell_about,
        }
        for name, handler in handlers.items():
            window.commands[name].triggered.connect(lambda _checked=False, handler=handler: handler())
        window.commands["arrangeAction"].toggled.connect(docks.arrange)

    def _connect_welcome(self) -> None:
        window, welcome = self._window, self._window.welcome
        welcome.demo_requested.connect(window.run_demo)
        welcome.example_requested.connect(window.open_script)
        welcome.same_task_requested.connect(window.runtimes.open_example)
        welcome.open_script_requested.connect(self._choices.choose_script)
        welcome.open_workspace_requested.connect(self._choices.choose_workspace)
        welcome.workspace_requested.connect(self._choices.open_workspace)

    def _new_script(self) -> None:
        """In the language of the chosen runtime."""
        self._window.show_editors()
        self._window.editors.new_untitled(language=self._window.runtimes.language())

    def _save(self) -> None:
        """Saves the current text, asking where if it has no file yet."""
        editors = self._window.editors
        page = editors.current()
        if page is not None and page.path is None:
            self._choices.choose_target()
        elif page is not None and editors.save(page):
            self._window.status_line.tell_saved()

    def _show_below(self, panel: QWidget) -> None:
        window = self._window
        window.bottom.setCurrentWidget(panel)
        window.docks.show(window.docks.bottom, panel)

    def _step_back(self) -> None:
        """Closes what is open over the editor; if nothing is, the keyboard goes back to it."""
        window, page = self._window, self._window.editors.current()
        if page is not None and page.completion.is_open:
            page.completion.close()
        elif page is not None and page.find_bar.isVisible():
            page.find_bar.put_away()
        elif window.output.search.isVisible():
            window.output.search.hide()
        elif window.calls.filter_row.isVisible():
            window.calls.header.filter.setChecked(False)
        else:
            self._in_editor(lambda page: page.setFocus())

    def _find(self) -> None:
        """In the panel that has the keyboard; else in the editor."""
        window, focus = self._window, QApplication.focusWidget()
        if focus is not None and window.calls.isAncestorOf(focus):
            window.calls.open_filter()
        elif focus is not None and window.tools.isAncestorOf(focus):
            window.tools.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif focus is not None and window.output.isAncestorOf(focus):
            window.output.search.start()
        else:
            self._in_editor(lambda page: page.find_bar.open())

    def _close_tab(self) -> None:
        page = self._window.editors.current()
        if page is not None:
            self._window.editors.close_page(page)

    def _show_keys(self) -> None:
        from ptc_studio.ui.widgets.cheat_sheet import CheatSheet

        CheatSheet(self._window).show()

    def _tell_about(self) -> None:
        from ptc_studio import __version__

        self._window.tell(f"PTC Studio {__version__}: run scripts that call tools, and watch every call. MIT licence.")
