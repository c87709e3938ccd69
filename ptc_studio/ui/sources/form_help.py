"""What a source's form is helped with: functions to choose from, and secrets."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QMenu, QVBoxLayout, QWidget
from shiboken6 import isValid

from ptc_studio.core.errors import PtcError
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.source import SourceFailed
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog
from ptc_studio.ui.sources.entry_form import EntryForm
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.ui.context import Context


class FunctionChooser(FramedDialog):
    """Opened while the folder is being read; filled when that is done."""

    def __init__(self, parent: QWidget, chosen: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        super().__init__(parent, "Choose functions", 460, 520)
        self.setObjectName("functionChooser")
        self._chosen = list(chosen)
        self._done = done
        self.filter = QLineEdit(placeholderText="Filter…", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter functions")
        self.filter.textChanged.connect(self._narrow)
        self.list = QListWidget()
        self.list.setAccessibleName("Functions")
        self.list.itemChanged.connect(self._count)
        self._empty = PlainLabel(
            "◐ Reading the folder…", alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, role="muted"
        )
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        for widget in (self.filter, self.list, self._empty):
            body.addWidget(widget)
        self.set_body(body)
        self.add_button("Cancel", self.reject)
        self.accept_button = self.add_button("Choose", self._accept, default=True)
        self.accept_button.setEnabled(False)
        self.list.hide()

    def fill(self, names: Sequence[str]) -> None:
        """Shows what there is; what was chosen and is not there any more is shown, too."""
        for name in [*names, *(name for name in self._chosen if name not in names)]:
            item = QListWidgetItem(name if name in names else f"{name}  (not found)")
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if name in self._chosen else Qt.CheckState.Unchecked)
            item.setFont(theme().code_font())
            self.list.addItem(item)
        self.list.setVisible(self.list.count() > 0)
        self._empty.setVisible(not self.list.count())
        self._empty.setText("There are no functions in the folder.")
        self.accept_button.setEnabled(self.list.count() > 0)
        self._count()
        self.filter.setFocus()

    def fail(self, reason: str) -> None:
        """Says why there is nothing to choose from."""
        self._empty.setText(f"✕ {reason}")

    def chosen(self) -> list[str]:
        """What is ticked."""
        items = (self.list.item(row) for row in range(self.list.count()))
        return [item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked]

    def _narrow(self, wanted: str) -> None:
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(wanted.strip().lower() not in item.text().lower())

    def _count(self) -> None:
        count = len(self.chosen())
        self.say(f"{count} chosen" if count else "None chosen: all of them are tools.")

    def _accept(self) -> None:
        self._done(self.chosen())
        self.accept()


async def functions_in(studio: "Studio", values: Mapping[str, Any]) -> list[str]:
    """`module:All` and `module:function`, all of them; raises SourceFailed if there is nothing to be had."""
    from ptc_studio.app import UNTRUSTED
    from ptc_studio.sources.functions.source import FunctionsSource

    if not studio.trusted:
        raise SourceFailed(UNTRUSTED)
    saved = {key: values[key] for key in ("path", "isolation") if key in values}
    source = FunctionsSource(FunctionsEntry.model_validate(saved), folder=studio.folder)

    def read() -> list[str]:
        loaded = source.refresh()
        names = source.catalog.listing()
        if not names and loaded.errors:
            raise SourceFailed(loaded.errors[0].message)
        return names

    try:
        return await studio.in_thread(read)
    finally:
        studio.executor.workers.submit(source.close)


class FormHelp(QObject):
    """Answers what the fields of one dialog ask for."""

    def __init__(self, context: "Context", dialog: QWidget) -> None:
        super().__init__(dialog)
        self._context, self._dialog = context, dialog

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
        task = self._context.workbench.start(self._read(chooser, values))
        chooser.finished.connect(lambda: task.cancel())

    async def _read(self, chooser: FunctionChooser, values: dict[str, str]) -> None:
        try:
            chooser.fill(await functions_in(self._context.workbench.studio, values))
        except (PtcError, ValueError) as error:
            chooser.fail(str(error))

    def _choose_secret(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        self._context.workbench.start(self._show_secrets(beside, value, done))

    async def _show_secrets(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        studio = self._context.workbench.studio
        try:
            names = await studio.in_thread(studio.secrets.names)
        except PtcError:
            names = []
        if not isValid(beside):
            # Its row was removed, or the dialog closed.
            return
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
        from ptc_studio.ui.secrets.editor import SecretEditor

        editor = SecretEditor(self._context, self._dialog, value=value)
        editor.saved.connect(done)
        editor.open()
