"""The passphrase of the encrypted secrets: asked for when they are needed, and changed."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFormLayout, QLayout, QLineEdit, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.sources.references import secrets_in
from ptc_studio.storage.secrets.vault import SHORTEST_PASSPHRASE, SecretsLocked
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context

NO_KEYRING = "No keyring of a desktop is running: secrets lie in a file, encrypted with this passphrase."
LOST = "Nobody can open it without: a passphrase that is lost is lost with the secrets."
LOCKED = "Secrets are locked, and sources use them."


def form_rows(*rows: tuple[str, "QWidget | QLayout"]) -> QFormLayout:
    """Fields below each other, as the body of a small dialog."""
    form = QFormLayout()
    edge = theme().pixels(4 * SPACE)
    form.setContentsMargins(edge, edge, edge, edge)
    form.setSpacing(theme().pixels(3 * SPACE))
    form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    for title, field in rows:
        form.addRow(title, field)
    return form


class PassphraseDialog(FramedDialog):
    """Closes when the file is open, or has its new passphrase."""

    def __init__(self, context: "Context", parent: QWidget, *, is_new: bool, changes: bool = False) -> None:
        """With `is_new` one is chosen; `changes` if the file has another one by now."""
        super().__init__(parent, "Choose a passphrase" if is_new else "Unlock the secrets", 540, 270 if is_new else 190)
        self.setObjectName("passphraseDialog")
        self._context, self._is_new, self._changes = context, is_new, changes
        self.passphrase, self.again = self._field("Passphrase"), self._field("The same passphrase again")
        rows: list[tuple[str, QWidget]] = [("Passphrase", self.passphrase)]
        if is_new:
            rows.append(("Once more", self.again))
        self.set_body(form_rows(*rows))
        self.add_button("Cancel", self.reject)
        word = "Change" if changes else "Encrypt" if is_new else "Unlock"
        self.save_button = self.add_button(word, self.save, default=True)
        self._check()
        self.passphrase.setFocus()

    def save(self) -> None:
        if self.save_button.isEnabled():
            self.start(self._context.workbench, self._save())

    async def _save(self) -> None:
        text, studio = self.passphrase.text(), self._context.workbench.studio
        secrets = studio.secrets
        self.save_button.setEnabled(False)
        self.say("This takes a moment, on purpose: so does every guess.")
        try:
            work = secrets.vault.change_passphrase if self._changes else secrets.passphrase.unlock
            await studio.in_thread(lambda: work(text))
        except PtcError as error:
            self.say_failed(str(error))
            self.save_button.setEnabled(True)
            self.passphrase.selectAll()
            return
        self.accept()

    def _field(self, name: str) -> QLineEdit:
        field = QLineEdit()
        field.setEchoMode(QLineEdit.EchoMode.Password)
        field.setAccessibleName(name)
        field.textChanged.connect(self._check)
        return field

    def _check(self) -> None:
        text, error = self.passphrase.text(), ""
        if self._is_new and text and len(text) < SHORTEST_PASSPHRASE:
            error = f"A passphrase has at least {SHORTEST_PASSPHRASE} characters."
        elif self._is_new and self.again.text() and self.again.text() != text:
            error = "The two are not the same."
        note = LOST if self._changes else f"{NO_KEYRING} {LOST}" if self._is_new else NO_KEYRING
        self.say(f"✕ {error}" if error else note, "error" if error else "muted")
        self.save_button.setEnabled(bool(text and not error and (not self._is_new or self.again.text())))


async def unlocked(context: "Context", parent: QWidget) -> bool:
    """Whether secrets can be written: where they lie in the encrypted file, the user is asked for its passphrase."""
    studio = context.workbench.studio
    location = await studio.in_thread(lambda: studio.secrets.location)
    if location.kind == "keyring" or location.state == "open":
        return True
    with suppress(SecretsLocked):
        # A variable may have said it.
        await studio.in_thread(studio.secrets.passphrase.unlock)
        return True
    closed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    dialog = PassphraseDialog(context, parent, is_new=location.state == "absent")
    dialog.finished.connect(lambda result: closed.done() or closed.set_result(result))
    dialog.open()
    return bool(await closed)


async def reload_users(context: "Context", *names: str) -> None:
    """Has the sources that use one of these secrets, or any, begin anew with its value."""
    studio = context.workbench.studio
    for loaded in studio.source_set.loaded_sources:
        used = set(secrets_in(loaded.entry))
        if used & set(names) if names else used:
            await studio.reload_source(loaded)
    context.workbench.load()


class LockedNotice(QObject):
    """Offers, once, to unlock the secrets that sources of the workspace wait for."""

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window)
        self._context = context
        self._is_told = False
        context.workbench.tools_loaded.connect(self._on_tools_loaded)

    def _on_tools_loaded(self) -> None:
        if not self._is_told and any(set(secrets_in(entry)) for entry in self._context.workbench.studio.file.sources):
            self._context.start_reported(self._look())

    async def _look(self) -> None:
        studio = self._context.workbench.studio
        wanted = {name for loaded in studio.source_set.loaded_sources for name in secrets_in(loaded.entry)}
        if not wanted or self._is_told or not await studio.in_thread(lambda: studio.secrets.needs_passphrase(wanted)):
            return
        self._is_told = True
        self._context.messages.offer(LOCKED, "Unlock…", self._unlock, kind="note")

    def _unlock(self) -> None:
        self._context.start_reported(self._unlocked())

    async def _unlocked(self) -> None:
        if await unlocked(self._context, self._context.window):
            await reload_users(self._context)
