"""What each command of the window does."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import QApplication, QWidget

from ptc_studio.locations import EXAMPLES
from ptc_studio.ui.dialogs.questions import choose_folder, choose_script, choose_target
from ptc_studio.ui.sources import actions
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.selection_sync import SelectionSync


class Pickers:
    """The choices of one window."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window

    def choose_script(self) -> None:
        choose_script(self._window, self._window.open_script)

    def choose_target(self) -> None:
        """Where the current text is to be saved."""
        editors = self._window.editors
        page = editors.current()
        if page is not None:
            suggestion = page.path or Path.cwd() / page.script_name
            choose_target(self._window, suggestion, partial(editors.save_as, page))

    def choose_workspace(self) -> None:
        choose_folder(self._window, self.open_workspace)

    def open_workspace(self, folder: Path) -> None:
        """In a window of its own: what is open here stays open."""
        QProcess.startDetached(sys.executable, ["-m", "ptc_studio", str(folder)])

    def pick_place(self) -> None:
        """A tab, a tool or an example."""
        window = self._window
        pages = [
            PickerChoice(page.title, partial(window.editors.set_current, page), "open") for page in window.editors.pages
        ]
        tools = [
            PickerChoice(tool.spec.name, partial(window.tools.select, tool.spec.name), tool.spec.description)
            for tool in (window.workbench.studio.registry.tools if window.workbench.is_open else ())
        ]
        examples = [
            PickerChoice(path.name, partial(window.open_script, path), "example")
            for path in sorted(EXAMPLES.glob("*.py"))
        ]
        tasks = [
            PickerChoice(path.name, partial(window.runtimes.open_example, info.id), f"example · {info.name}")
            for info, path in window.runtimes.examples()
        ]
        Picker(window, "Go to a tab, a tool or an example", [*pages, *tools, *examples, *tasks]).pop_up()

    def pick_command(self) -> None:
        choices = [
            PickerChoice(action.text().rstrip("…"), action.trigger, action.shortcut().toString())
            for action in self._window.commands
            if action.isEnabled()
        ]
        Picker(self._window, "Type a command", choices).pop_up()

    def pick_line(self) -> None:
        """A line of the current text, by its number or what stands in it."""
        page = self._window.editors.current()
        if page is not None:
            lines = page.text.splitlines()
            choices = [
                PickerChoice(str(number), partial(page.editor.go_to, number), text.strip()[:80])
                for number, text in enumerate(lines, 1)
            ]
            Picker(self._window, f"Line, 1 to {max(1, len(lines))}", choices).pop_up()


class CommandHandlers:
    """Connects the commands, and the welcome page, which offers some of them, too."""

    def __init__(self, window: "MainWindow", coupling: "SelectionSync") -> None:
        self._window = window
        self._in_editor = coupling.in_editor
        self._choices = Pickers(window)
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
            "importAction": lambda: actions.open_import(window),
            "editSourceAction": lambda: actions.edit_chosen_source(window),
            "reloadSourceAction": lambda: actions.reload_chosen_source(window),
            "removeSourceAction": lambda: actions.remove_chosen_source(window),
            "reloadAction": window.workbench.load,
            "definitionsAction": lambda: actions.open_definitions(window, actions.chosen_names(window)),
            "secretsAction": lambda: actions.open_secrets(window),
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
            self._window.status_line.show_saved()

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
            window.output.search.open()
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

        self._window.show_message(
            f"PTC Studio {__version__}: run scripts that call tools, and watch every call. MIT licence."
        )
