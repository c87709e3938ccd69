"""The secrets by name, where they lie and what uses them; their values are shown nowhere."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLineEdit, QPushButton, QTreeWidgetItem, QVBoxLayout, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.sources.references import texts_in
from ptc_studio.ui.dialogs import questions
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, plain_list
from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import STRETCH, filled

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class SecretEditor(FramedDialog):
    """Closes when the secret is kept.

    Signals: kept(str): its name.
    """

    saved = Signal(str)

    def __init__(
        self, context: "Context", parent: QWidget, *, name: str = "", value: str = "", taken: Collection[str] = ()
    ) -> None:
        """With a name its value is replaced; `taken` are names that another secret has."""
        super().__init__(parent, f"Replace {name}" if name else "New secret", 480, 190)
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
        rows = QFormLayout()
        edge = theme().pixels(4 * SPACE)
        rows.setContentsMargins(edge, edge, edge, edge)
        rows.setSpacing(theme().pixels(3 * SPACE))
        rows.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        rows.addRow("Name", self.name)
        rows.addRow("Value", both)
        self.set_body(rows)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Replace" if name else "Keep", self.save, default=True)
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
        error = ""
        if name and not _NAME.fullmatch(name):
            error = "A name has letters, digits and underscores, such as GITHUB_TOKEN."
        elif name in self._taken:
            error = f"There is already a secret {name!r}: replace that one."
        self.say(f"✕ {error}" if error else f"Used as ${{secret:{name or 'NAME'}}}", "error" if error else "muted")
        self.save_button.setEnabled(bool(name and not error and self.value.text()))

    def _on_shown(self, shown: bool) -> None:
        self.value.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)


_REFERENCE = re.compile(r"\$\{secret:([^}]*)\}")
NOTHING = "No secrets yet.\n\nAdd one, and write ${secret:NAME} where a source needs it."


class SecretsDialog(FramedDialog):
    """A list with what can be done to it."""

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window, "Secrets", 640, 460)
        self.setObjectName("secretsDialog")
        self._context = context
        self._names: list[str] = []
        self.list = plain_list("Secrets", "Name", "Used by")
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda: self.replace())
        self._empty = PlainLabel(NOTHING, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, role="muted")
        self.add = self._button("Add…", "plus", self.add_one)
        self.change = self._button("Replace…", "key", self.replace)
        self.remove = self._button("Delete", "trash", self.delete)
        buttons = filled(QHBoxLayout(), self.add, self.change, self.remove, STRETCH)
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        body.setSpacing(theme().pixels(2 * SPACE))
        body.addLayout(buttons)
        body.addWidget(self.list, 1)
        body.addWidget(self._empty, 1)
        self.set_body(body)
        self.add_button("Close", self.accept, default=True)
        self._show([], [])
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

    def delete(self) -> None:
        """Asks, for nobody can bring the value back, and forgets the one that is selected."""
        name = self.selected()
        if name is not None:
            self.start(self._context.workbench, self._delete(name))

    def _edit(self, editor: SecretEditor) -> None:
        editor.saved.connect(self._on_kept)
        editor.open()

    def _on_kept(self, _name: str) -> None:
        self.refresh()
        # A source that failed for want of it may work now.
        self._context.workbench.load()

    async def _refresh(self) -> None:
        studio = self._context.workbench.studio
        try:
            names, location = await studio.in_thread(lambda: (studio.secrets.names(), studio.secrets.location))
        except PtcError as error:
            self.say_failed(str(error))
            return
        used = sorted({name for entry in studio.file.sources for name in secrets_in(entry)})
        self._show(names, [name for name in used if name not in names])
        self.say(("" if location.encrypted else "▲ ") + location.text, "muted" if location.encrypted else "warning")

    async def _delete(self, name: str) -> None:
        studio = self._context.workbench.studio
        users = _users(name, studio.file.sources)
        used = f" It is used by {users}." if users else ""
        question = f"Delete the secret {name!r}? Its value cannot be brought back.{used}"
        if not await questions.ask(self, "Delete a secret", question, accept="Delete", reject="Keep"):
            return
        try:
            await studio.in_thread(lambda: studio.secrets.delete(name))
        except PtcError as error:
            self.say_failed(str(error))
            return
        await self._refresh()

    def _show(self, names: Sequence[str], wanted: Sequence[str]) -> None:
        selected = self.selected()
        self._names = list(names)
        self.list.clear()
        sources = self._context.workbench.studio.file.sources
        for name in [*names, *wanted]:
            users = _users(name, sources)
            item = QTreeWidgetItem([name, users or "nothing"])
            item.setData(0, Qt.ItemDataRole.UserRole, name)
            item.setFont(0, theme().code_font())
            item.setForeground(1, theme().colour("muted"))
            if name in wanted:
                item.setText(1, f"▲ has no value yet · {users}")
                item.setForeground(1, theme().colour("warning"))
            self.list.addTopLevelItem(item)
            item.setSelected(name == selected)
        self.list.setVisible(bool(names or wanted))
        self._empty.setVisible(not names and not wanted)
        self._enable()

    def _enable(self) -> None:
        name = self.selected()
        self.change.setEnabled(name is not None)
        self.change.setText("Replace…" if name is None or name in self._names else "Give a value…")
        self.remove.setEnabled(name in self._names)

    def _button(self, text: str, icon: str, act: Any) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: act())
        set_icon(button, icon, "muted")
        return button


def _users(name: str, sources: Sequence[Any]) -> str:
    return ", ".join(entry.name for entry in sources if name in set(secrets_in(entry)))


def secrets_in(value: Any) -> Iterator[str]:
    """The names of the secrets that an entry refers to."""
    if hasattr(value, "model_dump"):
        value = value.model_dump(mode="json")
    for text in texts_in(value):
        yield from _REFERENCE.findall(text)
