"""What each command of the window does."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess, QProcessEnvironment, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from ptc_studio.locations import STUDIO_COMMAND
from ptc_studio.processes.process_tree import unmarked
from ptc_studio.samples import DEMO, examples, figures_of, is_example, shown_by
from ptc_studio.storage.secrets import own_variables
from ptc_studio.ui.dialogs.questions import BUNDLE, choose_folder, choose_script, choose_target, name_new_workspace
from ptc_studio.ui.sources import actions
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.core.redaction.redacted import Redaction
    from ptc_studio.core.trace import RunRecord
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.run_bar.runtime_choice import RuntimeChoice
    from ptc_studio.ui.run_presenter import RunPresenter, SelectionSync
    from ptc_studio.ui.status_line import StatusLine
    from ptc_studio.ui.welcome import Welcome


def has_own_window(place: Path) -> bool:
    """Whether it is opened as a workspace, and not as a text: a folder, or a run that somebody sent."""
    return place.is_dir() or place.suffix == BUNDLE


def open_workspace(place: Path) -> bool:
    """Opens a folder, a script in one, or a bundle, in a window of its own: what is open here stays open."""
    process = QProcess()
    process.setProgram(STUDIO_COMMAND[0])
    process.setArguments([*STUDIO_COMMAND[1:], str(place)])
    with unmarked():
        environment = QProcessEnvironment.systemEnvironment()
        # A studio like this one: it may have what no other process gets.
        for name, value in own_variables().items():
            environment.insert(name, value)
        process.setProcessEnvironment(environment)
        started = process.startDetached()
    return bool(started[0] if isinstance(started, tuple) else started)


def _where_hidden(redaction: "Redaction") -> str:
    """`password in result.user.password`."""
    return f"{redaction.rule} in {redaction.where}{redaction.path.removeprefix('$')}"


class Pickers:
    """The choices of one window."""

    def __init__(self, context: "Context", panels: "Panels", runtimes: "RuntimeChoice") -> None:
        self._context, self._panels, self._runtimes = context, panels, runtimes

    def choose_script(self) -> None:
        choose_script(self._context.window, self._folder, self._open)

    def _open(self, file: Path) -> None:
        (open_workspace if has_own_window(file) else self._context.editors.open_file)(file)

    @property
    def _folder(self) -> Path | None:
        """Where scripts of the workspace are."""
        from ptc_studio.storage.workspace_folder import default_folder

        bench = self._context.workbench
        return default_folder(bench.studio.folder) if bench.is_open and bench.studio.has_workspace else None

    def choose_target(self) -> None:
        """Where the current text is to be saved."""
        editors = self._context.editors
        page = editors.current()
        if page is not None:
            named = page.path.name if page.path else page.script_name
            # An example is the program's own: what was changed in it is saved elsewhere.
            own = page.path if page.path and not is_example(page.path) else None
            suggestion = own or (self._folder or Path.cwd()) / named
            choose_target(self._context.window, suggestion, partial(editors.save_as, page))

    def choose_workspace(self) -> None:
        choose_folder(self._context.window, self.open_instead)

    def name_workspace(self) -> None:
        """A new one, with a first tool and a first script."""
        name_new_workspace(self._context.window, lambda folder: self._context.start_reported(self._make(folder)))

    async def _make(self, folder: Path) -> None:
        from ptc_studio.storage.workspace_folder import make_workspace_folder

        workers = self._context.workbench.studio
        script = await workers.in_thread(lambda: make_workspace_folder(folder))
        # All that is in it comes with the program.
        self._context.settings.set_trust(folder, True)
        self.open_instead(script)

    def open_instead(self, place: Path) -> None:
        """In another window; this one goes if nothing is open in it."""
        context, bench = self._context, self._context.workbench
        is_bare = not context.editors.pages and bench.is_open and not bench.studio.has_workspace
        if open_workspace(place) and is_bare:
            context.window.close()

    def pick_place(self) -> None:
        """A tab, a file of the workspace, a tool or an example."""
        context = self._context
        pages = [
            PickerChoice(page.title, partial(context.editors.set_current, page), "open")
            for page in context.editors.pages
        ]
        tools = [
            PickerChoice(tool.spec.name, partial(context.tools.select, tool.spec.name), tool.spec.description)
            for tool in (context.workbench.studio.registry.tools if context.workbench.is_open else ())
        ]
        shown = {page.path for page in context.editors.pages}
        files = [
            PickerChoice(found.name, partial(context.editors.open_file, found.path), found.group)
            for found in self._panels.files.files
            if found.path not in shown
        ]
        shipped = [
            PickerChoice(path.name, partial(context.editors.open_file, path), f"example · {shown_by(path)}")
            for path in examples()
        ]
        tasks = [
            PickerChoice(path.name, partial(self._runtimes.open_example, info.id), f"example · {info.name}")
            for info, path in self._runtimes.examples()
        ]
        choices = [*pages, *files, *tools, *shipped, *tasks]
        Picker(context.window, "Go to a file, a tab, a tool or an example", choices).pop_up()

    def pick_redacted(self) -> None:
        """A place of the last run where something was hidden."""
        calls = self._panels.calls
        choices = [
            PickerChoice(_where_hidden(each), partial(calls.select_call, call.call_id), call.name)
            for call in calls.model.all_calls
            for each in call.redactions
        ]
        if choices:
            Picker(self._context.window, "What was redacted in the last run", choices).pop_up()
        else:
            self._context.messages.show_message("Nothing was redacted in the last run.")

    def pick_command(self) -> None:
        choices = [
            PickerChoice(action.text().rstrip("…"), action.trigger, action.shortcut().toString())
            for action in self._context.commands
            if action.isEnabled()
        ]
        Picker(self._context.window, "Type a command", choices).pop_up()

    def pick_line(self) -> None:
        """A line of the current text, by its number or what stands in it."""
        page = self._context.editors.current()
        if page is not None:
            lines = page.text.splitlines()
            choices = [
                PickerChoice(str(number), partial(page.editor.go_to, number), text.strip()[:80])
                for number, text in enumerate(lines, 1)
            ]
            Picker(self._context.window, f"Line, 1 to {max(1, len(lines))}", choices).pop_up()


class CommandHandlers:
    """Connects the commands, and the welcome page, which offers some of them, too."""

    def __init__(
        self,
        context: "Context",
        panels: "Panels",
        run: "RunPresenter",
        status_line: "StatusLine",
        pickers: Pickers,
        selection: "SelectionSync",
    ) -> None:
        self._context, self._panels, self._run = context, panels, run
        self._status_line, self._choices = status_line, pickers
        self._in_editor = selection.in_editor
        self._connect_commands()

    def _connect_commands(self) -> None:
        context, docks, run = self._context, self._panels.docks, self._run
        handlers = {
            "newAction": context.editors.new_untitled,
            "openAction": self._choices.choose_script,
            "newWorkspaceAction": self._choices.name_workspace,
            "openWorkspaceAction": self._choices.choose_workspace,
            "goToAction": self._choices.pick_place,
            "saveAction": self._save,
            "saveAsAction": self._choices.choose_target,
            "closeTabAction": self._close_tab,
            "reopenAction": context.editors.reopen_closed,
            "quitAction": context.window.close,
            "undoAction": lambda: self._in_editor(lambda page: page.editor.undo()),
            "redoAction": lambda: self._in_editor(lambda page: page.editor.redo()),
            "cutAction": lambda: self._in_focus("cut", "Ctrl+X"),
            "copyAction": lambda: self._in_focus("copy", "Ctrl+C"),
            "pasteAction": lambda: self._in_focus("paste", "Ctrl+V"),
            "selectAllAction": lambda: self._in_focus("selectAll", "Ctrl+A"),
            "findAction": self._find,
            "goToLineAction": self._choices.pick_line,
            "definitionAction": lambda: self._in_editor(self._show_definition),
            "redactedAction": self._choices.pick_redacted,
            "nextTabAction": lambda: context.editors.step(1),
            "previousTabAction": lambda: context.editors.step(-1),
            "commentAction": lambda: self._in_editor(lambda page: page.editor.toggle_comment()),
            "editorAction": self._step_back,
            "resetAction": docks.put_back,
            "runAction": lambda: run.run_script(),
            "runAllAction": run.run_in_all,
            "stopAction": context.workbench.stop,
            "demoAction": run.run_demo,
            "importAction": lambda: actions.open_import(context),
            "editSourceAction": lambda: actions.edit_chosen_source(context),
            "reloadSourceAction": lambda: actions.reload_chosen_source(context),
            "removeSourceAction": lambda: actions.remove_chosen_source(context),
            "reloadAction": context.workbench.load,
            "definitionsAction": lambda: actions.open_definitions(context, actions.chosen_names(context)),
            "secretsAction": lambda: actions.open_secrets(context),
            "guideAction": lambda: self._open_guide(),
            "sheetAction": lambda: self._open_guide(context.editors.language),
            "paletteAction": self._choices.pick_command,
            "keysAction": self._show_keys,
            "aboutAction": self._show_about,
        }
        for name, handler in handlers.items():
            context.commands[name].triggered.connect(lambda _checked=False, handler=handler: handler())
        context.commands["arrangeAction"].toggled.connect(docks.arrange)

    def connect_welcome(self, welcome: "Welcome", open_example: Callable[[str], None]) -> None:
        """What the welcome page offers."""
        welcome.demo_requested.connect(self._run.run_demo)
        welcome.example_requested.connect(self._context.editors.open_file)
        welcome.same_task_requested.connect(open_example)
        welcome.open_script_requested.connect(self._choices.choose_script)
        welcome.open_workspace_requested.connect(self._choices.choose_workspace)
        welcome.workspace_requested.connect(self._choices.open_instead)
        welcome.new_workspace_requested.connect(self._choices.name_workspace)
        welcome.servers_requested.connect(lambda: actions.open_import(self._context))
        welcome.server_requested.connect(lambda: actions.open_add_source(self._context, "mcp"))
        welcome.guide_requested.connect(lambda: self._open_guide())
        self._context.workbench.run_ended.connect(lambda record: self._show_demo_figures(welcome, record))

    def _show_demo_figures(self, welcome: "Welcome", record: "RunRecord") -> None:
        """What the demo took here, in the place of what it took elsewhere."""
        page = self._run.open_page
        if page is not None and page.path == DEMO and record["status"] == "ok":
            welcome.set_figures(figures_of(record, page.text))

    def _open_guide(self, language: str = "") -> None:
        from ptc_studio.ui.guide import FIRST, open_guide, page_for

        open_guide(self._context.window, page_for(language) if language else FIRST)

    def _save(self) -> None:
        """Saves the current text, asking where if it has no file yet."""
        editors = self._context.editors
        page = editors.current()
        if page is not None and (page.path is None or is_example(page.path)):
            self._choices.choose_target()
        elif page is not None and editors.save(page):
            self._status_line.show_saved()

    def _step_back(self) -> None:
        """Closes what is open over the editor; if nothing is, the keyboard goes back to it."""
        panels, page = self._panels, self._context.editors.current()
        if page is not None and page.completion.is_open:
            page.completion.close()
        elif page is not None and page.find_bar.isVisible():
            page.find_bar.put_away()
        elif panels.output.search.isVisible():
            panels.output.search.hide()
        elif panels.calls.filter_row.isVisible():
            panels.calls.header.filter.setChecked(False)
        else:
            self._in_editor(lambda page: page.setFocus())

    def _find(self) -> None:
        """In the panel that has the keyboard; else in the editor."""
        panels, focus = self._panels, QApplication.focusWidget()
        if focus is not None and panels.calls.isAncestorOf(focus):
            panels.calls.open_filter()
        elif focus is not None and panels.tools.isAncestorOf(focus):
            panels.tools.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif focus is not None and panels.output.isAncestorOf(focus):
            panels.output.search.open()
        else:
            self._in_editor(lambda page: page.find_bar.open())

    def _in_focus(self, method: str, key: str) -> None:
        """Does what the key does in whatever has the keyboard."""
        focus = QApplication.focusWidget()
        act = getattr(focus, method, None)
        if act is None and focus is not None:
            act = next((each.trigger for each in focus.actions() if each.shortcut() == QKeySequence(key)), None)
        if act is not None:
            act()

    def _show_definition(self, page: "EditorPage") -> None:
        """Shows the code of the tool whose name the cursor is on, or the tool itself where that has no file."""
        tools, hint = self._context.tools, page.tool_at(*page.editor.cursor_place)
        if hint is None:
            self._context.messages.show_message("There is no tool name at the cursor.")
            return
        tools.select(hint.own_name)
        row = tools.selected()
        if row is not None and row.file:
            self._context.editors.open_file(Path(row.file), row.line or 1)

    def _close_tab(self) -> None:
        page = self._context.editors.current()
        if page is not None:
            self._context.editors.close_page(page)

    def _show_keys(self) -> None:
        from ptc_studio.ui.guide import CheatSheet

        CheatSheet(self._context.window, self._context.commands).show()

    def _show_about(self) -> None:
        from ptc_studio import __version__

        self._context.messages.show_message(
            f"PTC Studio {__version__}: run scripts that call tools, and watch every call. MIT licence."
        )
