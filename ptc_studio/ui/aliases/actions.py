"""What is done with aliases from the tool panel and the menu."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ptc_studio.ui import aliases
from ptc_studio.ui.widgets.picker import Choice, Picker

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow


class AliasActions(QObject):
    """Connects the panel and the commands of one window. The dialog is imported when it is wanted."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        window.tools.alias_requested.connect(self._on_alias_requested)
        window.workbench.alias_renamed.connect(window.tools.model.rename_tick)
        action = window.commands["addAliasAction"]
        action.setToolTip("Gives a tool a name and arguments of your own; a tool can be dropped here")
        action.triggered.connect(self._on_add_triggered)
        for verb in ("edit", "duplicate", "toggle", "delete"):
            window.commands[f"{verb}AliasAction"].triggered.connect(partial(self._on_command, verb))

    def _on_add_triggered(self) -> None:
        """Of the tool that is selected, if one is."""
        row = self._window.tools.selected()
        aliases.open_new_alias(self._window, (row.target or row.name) if row is not None else "")

    def _on_command(self, verb: str, _checked: bool = False) -> None:
        """To the aliases that are selected in the panel, else to one to pick."""
        window, names = self._window, [row.name for row in self._window.tools.selected_aliases()]
        if names:
            self._on_alias_requested(verb, names)
            return
        entries = window.workbench.studio.file.aliases if window.workbench.is_open else ()
        if not entries:
            window.tell("There are no aliases yet: make one with Ctrl+N.")
            return
        choices = [
            Choice(entry.name, partial(self._on_alias_requested, verb, [entry.name]), f"→ {entry.tool}")
            for entry in entries
        ]
        Picker(window, f"{verb.capitalize()} which alias?", choices).pop_up()

    def _on_alias_requested(self, verb: str, names: Sequence[str]) -> None:
        window = self._window
        match verb:
            case "new":
                aliases.open_new_alias(window, names[0])
            case "edit":
                aliases.open_edit_alias(window, names[0])
            case "duplicate":
                aliases.duplicate_aliases(window, names)
            case "enable" | "disable":
                aliases.enable_aliases(window, names, enabled=verb == "enable")
            case "toggle":
                self._toggle(names)
            case "delete":
                aliases.delete_aliases(window, names)

    def _toggle(self, names: Sequence[str]) -> None:
        """Switches off those that are on; if none is, all on."""
        entries = self._window.workbench.studio.file.aliases
        on = [entry.name for entry in entries if entry.name in names and entry.enabled]
        aliases.enable_aliases(self._window, on or names, enabled=not on)
