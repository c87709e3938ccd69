"""Small dialogs about one secret: its value, and its name."""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog
from ptc_studio.ui.secrets.passphrase import form_rows, unlocked
from ptc_studio.ui.widgets.layout import filled
from ptc_studio.ui.workspace_edits import WorkspaceEdits

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class SecretEditor(FramedDialog):
    """Closes when the secret is kept.

    Signals: saved(str): its name.
    """

    saved = Signal(str)

    def __init__(
        self, context: "Context", parent: QWidget, *, name: str = "", value: str = "", taken: Collection[str] = ()
    ) -> None:
        """With a name it gets a new value; `taken` are names that another secret has."""
        super().__init__(parent, f"Rotate {name}" if name else "New secret", 480, 190)
        self.setObjectName("secretEditor")
        self._context = context
        self._taken = taken
        self.name = QLineEdit(name)
        self.name.setPlaceholderText("such as GITHUB_TOKEN")
        self.name.setAccessibleName("Name of the secret")
        self.name.setProperty("code", True)
        self.name.setReadOnly(bool(name))
        self.value = QLineEdit(value)
        self.value.setEchoMode(QLineEdit.EchoMode.Password)
        self.value.setAccessibleName("Value of the secret")
        self.value.setPlaceholderText("not shown, not written to studio.yaml")
        show = QPushButton("Show")
        show.setCheckable(True)
        show.setAutoDefault(False)
        show.toggled.connect(self._on_shown)
        both = filled(QHBoxLayout(), (self.value, 1), show)
        self.set_body(form_rows(("Name", self.name), ("Value", both)))
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Rotate" if name else "Keep", self.save, default=True)
        self.name.textChanged.connect(self._check)
        self.value.textChanged.connect(self._check)
        self._check()
        (self.value if name else self.name).setFocus()

    def save(self) -> None:
        """Puts the secret where secrets lie."""
        if self.save_button.isEnabled():
            self.start(self._context.workbench, self._save())

    async def _save(self) -> None:
        name, value = self.name.text(), self.value.text()
        studio = self._context.workbench.studio
        self.save_button.setEnabled(False)
        if not await unlocked(self._context, self):
            self.save_button.setEnabled(True)
            return
        try:
            await studio.in_thread(lambda: studio.secrets.set(name, value))
        except PtcError as error:
            self.say_failed(str(error))
            self.save_button.setEnabled(True)
            return
        self.saved.emit(name)
        self.accept()

    def _check(self) -> None:
        name = self.name.text()
        error = wrong_name(name, self._taken)
        self.say(f"✕ {error}" if error else f"Used as ${{secret:{name or 'NAME'}}}", "error" if error else "muted")
        self.save_button.setEnabled(bool(name and not error and self.value.text()))

    def _on_shown(self, shown: bool) -> None:
        self.value.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)


class SecretRenamer(FramedDialog):
    """Asks for another name; closes when the secret has it.

    Signals: renamed(str, str): the former name, and the new one.
    """

    renamed = Signal(str, str)

    def __init__(self, context: "Context", parent: QWidget, name: str, taken: Collection[str], users: str) -> None:
        super().__init__(parent, f"Rename {name}", 480, 170)
        self.setObjectName("secretRenamer")
        self._context, self._former, self._taken, self._users = context, name, taken, users
        self.name = QLineEdit(name)
        self.name.setAccessibleName("New name of the secret")
        self.name.setProperty("code", True)
        self.set_body(form_rows(("Name", self.name)))
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Rename", self.save, default=True)
        self.name.textChanged.connect(self._check)
        self._check()
        self.name.selectAll()
        self.name.setFocus()

    def save(self) -> None:
        """Has it under the new name, and the sources that use it refer to that."""
        if self.save_button.isEnabled():
            self.start(self._context.workbench, self._save())

    async def _save(self) -> None:
        former, name = self._former, self.name.text()
        studio = self._context.workbench.studio
        self.save_button.setEnabled(False)
        try:
            if await unlocked(self._context, self):
                await studio.in_thread(lambda: studio.secrets.rename(former, name))
                if self._users:
                    await WorkspaceEdits(self._context).change(lambda editor: editor.rename_secret(former, name))
                self.renamed.emit(former, name)
                self.accept()
        except PtcError as error:
            self.say_failed(str(error))
        self.save_button.setEnabled(True)

    def _check(self) -> None:
        name = self.name.text()
        error = wrong_name(name, self._taken) if name != self._former else ""
        follows = f"{self._users} follows" if self._users else "No source uses it"
        self.say(f"✕ {error}" if error else f"{follows}.", "error" if error else "muted")
        self.save_button.setEnabled(bool(name and not error and name != self._former))


def wrong_name(name: str, taken: Collection[str]) -> str:
    """What is wrong with it; empty if nothing is."""
    if name and not _NAME.fullmatch(name):
        return "A name has letters, digits and underscores, such as GITHUB_TOKEN."
    if name in taken:
        return f"There is already a secret {name!r}: choose another name, or rotate that one."
    return ""
