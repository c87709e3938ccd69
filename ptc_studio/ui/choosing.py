"""What the user chooses from: files, workspaces, tabs, tools, commands and lines."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess

from ptc_studio.locations import EXAMPLES
from ptc_studio.ui.dialogs.files import choose_folder, choose_script, choose_target
from ptc_studio.ui.widgets.picker import Choice, Picker

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow


class Choosing:
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
        pages = [Choice(page.title, partial(window.editors.set_current, page), "open") for page in window.editors.pages]
        tools = [
            Choice(tool.spec.name, partial(window.tools.select, tool.spec.name), tool.spec.description)
            for tool in (window.workbench.studio.registry.tools if window.workbench.is_open else ())
        ]
        examples = [
            Choice(path.name, partial(window.open_script, path), "example") for path in sorted(EXAMPLES.glob("*.py"))
        ]
        tasks = [
            Choice(path.name, partial(window.runtimes.open_example, info.id), f"example · {info.name}")
            for info, path in window.runtimes.examples()
        ]
        Picker(window, "Go to a tab, a tool or an example", [*pages, *tools, *examples, *tasks]).pop_up()

    def pick_command(self) -> None:
        choices = [
            Choice(action.text().rstrip("…"), action.trigger, action.shortcut().toString())
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
                Choice(str(number), partial(page.editor.go_to, number), text.strip()[:80])
                for number, text in enumerate(lines, 1)
            ]
            Picker(self._window, f"Line, 1 to {max(1, len(lines))}", choices).pop_up()
