"""Calls by hand: from the tool panel, from the menu, and again from a call of the tree."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ptc_studio.core.grants import EVERYTHING
from ptc_studio.core.trace import CallRecord
from ptc_studio.storage.argument_sets import ArgumentSets
from ptc_studio.ui.single_instance import key_of
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.main_window import MainWindow
    from ptc_studio.ui.manual_calls import CallDialog

NOT_YET = "The tools are still being read: try again in a moment."
NO_TOOLS = "There are no tools to call yet: add a source with Ctrl+Shift+N."


class ManualCallActions(QObject):
    """One dialog for each tool or alias of one window. Forms are imported when they are wanted."""

    def __init__(self, window: "MainWindow", settings: "Settings") -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._dialogs: dict[str, CallDialog] = {}
        action = window.commands["callToolAction"]
        action.setToolTip("Calls the selected tool or alias once, with a form for its arguments")
        action.triggered.connect(self._on_triggered)
        window.tools.call_requested.connect(self.open)
        window.calls.tree.again_requested.connect(self._on_again_requested)
        window.workbench.attached.connect(self._on_attached)
        if window.workbench.is_open:
            self._on_attached()

    def open(self, name: str) -> "CallDialog | None":
        """Shows the dialog of the tool or alias: the one that is open, or a new one."""
        if not self._window.workbench.is_open:
            self._window.show_message(NOT_YET)
            return None
        dialog = self._dialogs.get(name)
        if dialog is None:
            from ptc_studio.ui.manual_calls import CallDialog

            dialog = self._dialogs[name] = CallDialog(self._window.workbench, name, self._window)
            dialog.finished.connect(lambda _: self._dialogs.pop(name, None))
            dialog.show()
        else:
            dialog.raise_()
            dialog.activateWindow()
        return dialog

    def _on_attached(self) -> None:
        studio = self._window.workbench.studio
        key = key_of(studio.folder if studio.has_workspace else None)
        self._window.workbench.argument_sets = ArgumentSets(self._settings.folder / "arguments" / f"{key}.json")

    def _on_triggered(self) -> None:
        """Of what is selected in the tool panel; else of one to pick."""
        window = self._window
        if not window.workbench.is_open:
            window.show_message(NOT_YET)
            return
        row = window.tools.selected()
        if row is not None:
            self.open(row.name)
            return
        targets = window.workbench.studio.registry.targets(EVERYTHING)
        choices = [
            PickerChoice(each.spec.name, partial(self.open, each.spec.name), each.spec.description) for each in targets
        ]
        if choices:
            Picker(window, "Call which tool or alias?", choices).pop_up()
        else:
            window.show_message(NO_TOOLS)

    def _on_again_requested(self, record: CallRecord) -> None:
        from ptc_studio.ui.manual_calls.saved_arguments import former_arguments

        dialog = self.open(record["alias"] or record["tool"])
        if dialog is not None:
            former = former_arguments(record["arguments"], dialog.target)
            dialog.fill(former.values, former.note)
