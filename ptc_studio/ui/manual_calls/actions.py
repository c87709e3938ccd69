"""Calls by hand: from the tool panel, from the menu, and again from a call of the tree."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ptc_studio.core.registry import EVERYTHING
from ptc_studio.core.trace import CallRecord
from ptc_studio.storage.saved_inputs import ArgumentSets
from ptc_studio.ui.single_instance import key_of
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.ui.calls.panel import CallTreePanel
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.manual_calls import CallDialog

NO_TOOLS = "There are no tools to call yet: add a source with Ctrl+Shift+N."


class ManualCallActions(QObject):
    """One dialog for each tool or alias of one window. Forms are imported when they are wanted."""

    def __init__(self, context: "Context", calls: "CallTreePanel") -> None:
        super().__init__(context.window)
        self._context = context
        self._dialogs: dict[str, CallDialog] = {}
        action = context.commands["callToolAction"]
        action.setToolTip("Calls the selected tool or alias once, with a form for its arguments")
        action.triggered.connect(self._on_triggered)
        context.tools.call_requested.connect(self.open)
        calls.tree.again_requested.connect(self._on_again_requested)
        context.workbench.attached.connect(self._on_attached)
        if context.workbench.is_open:
            self._on_attached()

    def open(self, name: str) -> "CallDialog | None":
        """Shows the dialog of the tool or alias: the one that is open, or a new one."""
        if not self._context.is_ready():
            return None
        dialog = self._dialogs.get(name)
        if dialog is None:
            from ptc_studio.ui.manual_calls import CallDialog

            dialog = self._dialogs[name] = CallDialog(self._context.workbench, name, self._context.window)
            dialog.finished.connect(lambda _: self._dialogs.pop(name, None))
            dialog.show()
        else:
            dialog.raise_()
            dialog.activateWindow()
        return dialog

    def _on_attached(self) -> None:
        studio = self._context.workbench.studio
        key = key_of(studio.folder if studio.has_workspace else None)
        self._context.workbench.argument_sets = ArgumentSets(
            self._context.settings.folder / "arguments" / f"{key}.json"
        )

    def _on_triggered(self) -> None:
        """Of what is selected in the tool panel; else of one to pick."""
        context = self._context
        if not context.is_ready():
            return
        row = context.tools.selected()
        if row is not None:
            self.open(row.name)
            return
        targets = context.workbench.studio.registry.targets(EVERYTHING)
        choices = [
            PickerChoice(each.spec.name, partial(self.open, each.spec.name), each.spec.description) for each in targets
        ]
        if choices:
            Picker(context.window, "Call which tool or alias?", choices).pop_up()
        else:
            context.messages.show_message(NO_TOOLS)

    def _on_again_requested(self, record: CallRecord) -> None:
        from ptc_studio.ui.manual_calls.arguments_form import former_arguments

        dialog = self.open(record["alias"] or record["tool"])
        if dialog is not None:
            former = former_arguments(record["arguments"], dialog.target)
            dialog.fill(former.values, former.note)
