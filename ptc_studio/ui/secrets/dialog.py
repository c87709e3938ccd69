"""The secrets by name, how old they are, where they lie and what uses them; their values are shown nowhere."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QTreeWidgetItem, QVBoxLayout, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.sources.references import secrets_in
from ptc_studio.storage.secrets.environment import read_dotenv
from ptc_studio.ui.dialogs import questions
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, plain_list
from ptc_studio.ui.secrets.editor import SecretEditor, SecretRenamer
from ptc_studio.ui.secrets.passphrase import PassphraseDialog, reload_users, unlocked
from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import STRETCH, filled

if TYPE_CHECKING:
    from ptc_studio.storage.secrets.environment import DotenvFile
    from ptc_studio.storage.secrets.keyring import NamedSecret
    from ptc_studio.storage.secrets.store import SecretPlace
    from ptc_studio.ui.context import Context


class DotenvImport(FramedDialog):
    """A list to tick; those that have a value by now are not ticked at first.

    Signals: imported(list): the names.
    """

    imported = Signal(list)

    def __init__(
        self, context: "Context", parent: QWidget, path: "Path", found: "DotenvFile", taken: Collection[str]
    ) -> None:
        super().__init__(parent, f"Import from {path.name}", 520, 400)
        self.setObjectName("dotenvImport")
        self._context, self._found = context, found
        self.list = plain_list(f"Names in {path.name}", "Name", "")
        for name, value in found.values.items():
            is_taken = name in taken
            note = "▲ replaces the value that it has" if is_taken else f"{len(value):,} characters"
            item = QTreeWidgetItem([name, note])
            item.setFont(0, theme().code_font())
            item.setForeground(1, theme().colour("warning" if is_taken else "muted"))
            item.setCheckState(0, Qt.CheckState.Unchecked if is_taken else Qt.CheckState.Checked)
            self.list.addTopLevelItem(item)
        self.list.itemChanged.connect(lambda: self._enable())
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        body.addWidget(self.list)
        self.set_body(body)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Import", self.save, default=True)
        unread = ", ".join(map(str, found.unread[:9]))
        self.say(f"▲ No NAME=value in line {unread}." if unread else "The file itself stays as it is.")
        self._enable()

    def chosen(self) -> list[str]:
        """The names that are ticked."""
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item.text(0) for item in items if item and item.checkState(0) == Qt.CheckState.Checked]

    def save(self) -> None:
        """Keeps them."""
        self.start(self._context.workbench, self._save())

    async def _save(self) -> None:
        studio, names = self._context.workbench.studio, self.chosen()
        self.save_button.setEnabled(False)
        try:
            if await unlocked(self._context, self):
                for name in names:
                    await studio.in_thread(lambda name=name: studio.secrets.set(name, self._found.values[name]))
                self.imported.emit(names)
                self.accept()
                return
        except PtcError as error:
            self.say_failed(str(error))
        self._enable()

    def _enable(self) -> None:
        count = len(self.chosen())
        self.save_button.setEnabled(bool(count))
        self.save_button.setText(f"Import {count}" if count else "Import")


NOTHING = "No secrets yet.\n\nAdd one, or import a .env file, and write ${secret:NAME} where a source needs it."


class SecretsDialog(FramedDialog):
    """A list with what can be done to it."""

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window, "Secrets", 720, 480)
        self.setObjectName("secretsDialog")
        self._context = context
        self._names: list[str] = []
        self._place: SecretPlace | None = None
        self.list = plain_list("Secrets", "Name", "Changed", "Used by")
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda: self.replace())
        self._empty = PlainLabel(NOTHING, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, role="muted")
        self.add = self._button("Add…", "plus", self.add_one)
        self.change = self._button("Rotate…", "key", self.replace)
        self.rename = self._button("Rename…", "alias", self.rename_one)
        self.remove = self._button("Delete", "trash", self.delete)
        self.importing = self._button("Import .env…", "import", self.choose_file)
        self.passphrase = self._button("Passphrase…", "key", self.open_passphrase)
        self.passphrase.hide()
        buttons = filled(
            QHBoxLayout(), self.add, self.change, self.rename, self.remove, self.importing, STRETCH, self.passphrase
        )
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        body.setSpacing(theme().pixels(2 * SPACE))
        body.addLayout(buttons)
        body.addWidget(self.list, 1)
        body.addWidget(self._empty, 1)
        self.set_body(body)
        self.add_button("Close", self.accept, default=True)
        self._show({}, [])
        self.refresh()

    def refresh(self) -> None:
        """Shows what there is now."""
        self.start(self._context.workbench, self._refresh())

    def selected(self) -> str | None:
        """The name that is selected."""
        items = self.list.selectedItems()
        return items[0].data(0, Qt.ItemDataRole.UserRole) if items else None

    def add_one(self) -> None:
        """Asks for a name and a value."""
        self._edit(SecretEditor(self._context, self, taken=self._names))

    def replace(self) -> None:
        """Asks for another value of the one that is selected."""
        name = self.selected()
        if name is not None:
            self._edit(SecretEditor(self._context, self, name=name))

    def rename_one(self) -> None:
        """Asks for another name of the one that is selected."""
        name = self.selected()
        if name in self._names:
            users = _users(name, self._context.workbench.studio.file.sources)
            renamer = SecretRenamer(self._context, self, name, self._names, users)
            renamer.renamed.connect(lambda _former, _name: self.refresh())
            renamer.open()

    def choose_file(self) -> None:
        """Has the user choose a `.env` file."""
        dialog = QFileDialog(self, "Import a .env file", str(self._context.workbench.studio.folder))
        dialog.setNameFilters(["Environment files (.env .env.* *.env)", "All files (*)"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setFilter(dialog.filter() | dialog.filter().Hidden)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.import_file(Path(name)))
        dialog.open()

    def import_file(self, path: Path) -> None:
        """Shows which names the file has, to be chosen from."""
        self.start(self._context.workbench, self._import(path))

    def open_passphrase(self) -> None:
        """Unlocks the encrypted file, or gives it another passphrase."""
        self.start(self._context.workbench, self._open_passphrase())

    def delete(self) -> None:
        """Asks, for nobody can bring the value back, and forgets the one that is selected."""
        name = self.selected()
        if name is not None:
            self.start(self._context.workbench, self._delete(name))

    def _edit(self, editor: SecretEditor) -> None:
        editor.saved.connect(self._on_kept)
        editor.open()

    def _on_kept(self, name: str) -> None:
        self.refresh()
        # A source that failed for want of it may work now, and one that runs has the former value.
        self._context.start_reported(reload_users(self._context, name))

    def _on_imported(self, names: list[str]) -> None:
        self.refresh()
        self._context.start_reported(reload_users(self._context, *names))

    async def _import(self, path: Path) -> None:
        try:
            found = await self._context.workbench.studio.in_thread(lambda: read_dotenv(path))
        except PtcError as error:
            self.say_failed(str(error))
            return
        dialog = DotenvImport(self._context, self, path, found, self._names)
        dialog.imported.connect(self._on_imported)
        dialog.open()

    async def _open_passphrase(self) -> None:
        if self._place is not None and self._place.state == "open":
            PassphraseDialog(self._context, self, is_new=True, changes=True).open()
        elif await unlocked(self._context, self):
            await self._refresh()
            await reload_users(self._context)

    async def _refresh(self) -> None:
        studio = self._context.workbench.studio
        try:
            known, location = await studio.in_thread(lambda: (studio.secrets.known(), studio.secrets.location))
        except PtcError as error:
            self.say_failed(str(error))
            return
        used = sorted({name for entry in studio.file.sources for name in secrets_in(entry)})
        self._place = location
        self._show(known, [name for name in used if name not in known])
        self.passphrase.setVisible(location.kind == "vault")
        self.passphrase.setText(_PASSPHRASE[location.state])
        is_locked = location.state == "locked"
        self.say(("▲ " if is_locked else "") + location.text, "warning" if is_locked else "muted")

    async def _delete(self, name: str) -> None:
        studio = self._context.workbench.studio
        users = _users(name, studio.file.sources)
        used = f" It is used by {users}." if users else ""
        question = f"Delete the secret {name!r}? Its value cannot be brought back.{used}"
        if not await questions.ask(self, "Delete a secret", question, accept="Delete", reject="Keep"):
            return
        try:
            if not await unlocked(self._context, self):
                return
            await studio.in_thread(lambda: studio.secrets.delete(name))
        except PtcError as error:
            self.say_failed(str(error))
            return
        await self._refresh()

    def _show(self, known: "Mapping[str, NamedSecret]", wanted: Sequence[str]) -> None:
        selected = self.selected()
        self._names = list(known)
        self.list.clear()
        sources = self._context.workbench.studio.file.sources
        for name in [*known, *wanted]:
            users = _users(name, sources)
            changed = _ago(known[name].changed) if name in known else ""
            item = QTreeWidgetItem([name, changed, users or "nothing"])
            item.setData(0, Qt.ItemDataRole.UserRole, name)
            item.setFont(0, theme().code_font())
            for column in (1, 2):
                item.setForeground(column, theme().colour("muted"))
            if name in wanted:
                item.setText(2, f"▲ has no value yet · {users}")
                item.setForeground(2, theme().colour("warning"))
            self.list.addTopLevelItem(item)
            item.setSelected(name == selected)
        self.list.setVisible(bool(known or wanted))
        self._empty.setVisible(not known and not wanted)
        self._enable()

    def _enable(self) -> None:
        name = self.selected()
        self.change.setEnabled(name is not None)
        self.change.setText("Rotate…" if name is None or name in self._names else "Give a value…")
        self.rename.setEnabled(name in self._names)
        self.remove.setEnabled(name in self._names)

    def _button(self, text: str, icon: str, act: Any) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: act())
        set_icon(button, icon, "muted")
        return button


_PASSPHRASE = {"open": "Passphrase…", "locked": "Unlock…", "absent": "Passphrase…"}


def _ago(when: str) -> str:
    """How old a value is: what is to be rotated has been there for long."""
    if not when:
        return ""
    days = (datetime.now(UTC) - datetime.fromisoformat(when)).days
    return "today" if days < 1 else "yesterday" if days == 1 else f"{days:,} days ago"


def _users(name: str, sources: Sequence[Any]) -> str:
    return ", ".join(entry.name for entry in sources if name in set(secrets_in(entry)))
