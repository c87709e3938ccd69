"""What a source's form is helped with: functions to choose from, and secrets."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.sources.background import in_thread
from ptc_studio.ui.sources.entry_form import EntryForm
from ptc_studio.ui.sources.function_chooser import FunctionChooser
from ptc_studio.ui.sources.functions_listing import functions_in

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow


class FormHelp(QObject):
    """Answers what the fields of one dialog ask for."""

    def __init__(self, window: "MainWindow", dialog: QWidget) -> None:
        super().__init__(dialog)
        self._window, self._dialog = window, dialog

    def attend(self, form: EntryForm) -> None:
        """Answers this form from now on."""
        form.functions_asked.connect(lambda chosen, done: self._choose_functions(form, chosen, done))
        form.secret_asked.connect(self._choose_secret)

    def _choose_functions(self, form: EntryForm, chosen: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        values = form.main.value()
        chooser = FunctionChooser(self._dialog, chosen, done)
        chooser.open()
        if not values.get("path"):
            chooser.fail("Choose the folder first.")
            return
        task = self._window.workbench.start(self._read(chooser, values))
        chooser.finished.connect(lambda: task.cancel())

    async def _read(self, chooser: FunctionChooser, values: dict[str, str]) -> None:
        try:
            chooser.fill(await functions_in(self._window.workbench.studio, values))
        except (PtcError, ValueError) as error:
            chooser.fail(str(error))

    def _choose_secret(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        self._window.workbench.start(self._show_secrets(beside, value, done))

    async def _show_secrets(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        studio = self._window.workbench.studio
        try:
            names = await in_thread(studio, studio.secrets.names)
        except PtcError:
            names = []
        menu = QMenu(beside)
        menu.setObjectName("secretMenu")
        for name in names:
            menu.addAction(name, lambda name=name: done(name))
        if names:
            menu.addSeparator()
        menu.addAction("New secret…", lambda: self._make_secret(value, done))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(beside.mapToGlobal(beside.rect().bottomLeft()))

    def _make_secret(self, value: str, done: Callable[[str], None]) -> None:
        from ptc_studio.ui.sources.secret_editor import SecretEditor

        editor = SecretEditor(self._window, self._dialog, value=value)
        editor.kept.connect(done)
        editor.open()
