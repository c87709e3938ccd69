"""Takes over tools from other programs: paste their file, see what is in it, add what is wanted."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.core.errors import PtcError
from ptc_studio.exports.chatdev import ChatDevError, import_chatdev
from ptc_studio.sources.kinds import KINDS
from ptc_studio.sources.mcp.importing import LenientJsonError, import_servers
from ptc_studio.sources.references import secrets_in
from ptc_studio.storage.text_files import read_text
from ptc_studio.storage.workspace import FILE_NAME
from ptc_studio.ui.dialogs.framed_dialog import NO_WORKSPACE, FramedDialog, plain_list, will_be_saved_to
from ptc_studio.ui.dialogs.questions import choose_new_workspace
from ptc_studio.ui.forms.controls import JsonHighlighter
from ptc_studio.ui.secrets.passphrase import unlocked
from ptc_studio.ui.sources.entry_form import name_errors, offer_asking
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import filled, upright_rule
from ptc_studio.ui.workspace_edits import WorkspaceEdits, make_workspace_of_sources

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context


NEITHER = "There are no tools in it: an object `mcpServers` or `servers`, or a section `tooling`, is looked for."


class NothingToImport(PtcError):
    """The text has no tools that are known here; the message says why."""


@dataclass(frozen=True, slots=True)
class FoundTools:
    """What a text has, as `studio.yaml` has it."""

    origin: str = ""
    entries: tuple[Mapping[str, Any], ...] = ()
    grants: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    notes: tuple[str, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    missing: tuple[str, ...] = ()


def read_tools(text: str) -> FoundTools:
    """All that is found in the text; raises NothingToImport."""
    try:
        found = import_servers(text)
    except LenientJsonError as error:
        return _of_workflow(text, str(error))
    entries = tuple(
        {"kind": "mcp", **entry.model_dump(mode="json", exclude_defaults=True, exclude={"kind"})}
        for entry in found.entries
    )
    return FoundTools("MCP servers", entries, {}, found.notes, found.secrets, found.missing)


def _of_workflow(text: str, json_fault: str) -> FoundTools:
    try:
        found = import_chatdev(text)
    except ChatDevError as error:
        if text.lstrip().startswith(("{", '"', "//", "[")):
            raise NothingToImport(json_fault) from None
        raise NothingToImport(str(error) if "tooling" in text else NEITHER) from None
    return FoundTools("ChatDev workflow", found.sources, found.grants, found.notes, found.secrets, found.missing)


def summary(entry: Mapping[str, Any]) -> str:
    """What the entry is, in a few words."""
    if entry["kind"] == "mcp":
        words = [str(entry.get("command") or entry.get("url")), *map(str, entry.get("args", ()))]
        return " ".join(words)
    count = len(entry.get("tools", ()))
    return f"{entry.get('path', '')} · {count or 'all'} function{'s' if count != 1 else ''}"


_ENTRY = Qt.ItemDataRole.UserRole


class ImportList(QWidget):
    """Ticked is what is added; a double click or F2 changes a name.

    Signals: changed: something else is ticked, or named otherwise.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._taken: Collection[str] = ()
        self._filling = False
        self.title = PlainLabel("What is in it", role="title")
        self.list = plain_list("Sources that were found", "Name", "Source")
        self.list.itemChanged.connect(self._on_item_changed)
        self.said = PlainLabel(wordWrap=True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        edge = theme().pixels(4 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme().pixels(2 * SPACE))
        column.addWidget(self.title)
        column.addWidget(self.list, 1)
        column.addWidget(self.said)
        column.addStretch()

    def show_found(self, found: FoundTools, fault: str, taken: Collection[str]) -> None:
        """Shows all of it, ticked but for names that are taken."""
        self._taken = taken
        self._filling = True
        self.list.clear()
        for entry in found.entries:
            item = QTreeWidgetItem([entry.get("name", ""), summary(entry)])
            item.setData(0, _ENTRY, dict(entry))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
            free = not entry.get("name") or entry["name"] not in taken
            item.setCheckState(0, Qt.CheckState.Checked if free else Qt.CheckState.Unchecked)
            item.setToolTip(1, plain_tip(item.text(1)))
            item.setFont(0, theme().code_font())
            self.list.addTopLevelItem(item)
        self._filling = False
        self.list.setVisible(bool(found.entries))
        self.title.setText(f"What is in it: {found.origin}" if found.origin else "What is in it")
        self._say(found, fault)
        self._on_item_changed()

    def chosen(self) -> list[dict[str, Any]]:
        """The entries that are ticked, as they are named here."""
        entries: list[dict[str, Any]] = []
        for item in self._items():
            if item.checkState(0) == Qt.CheckState.Checked:
                entry, name = dict(item.data(0, _ENTRY)), item.text(0).strip()
                entry.pop("name", None)
                entries.append({"kind": entry.pop("kind"), **({"name": name} if name else {}), **entry})
        return entries

    def is_ready(self) -> bool:
        """Whether something is ticked, and all that is can be added."""
        chosen = self.chosen()
        return bool(chosen) and not any(self._fault(item) for item in self._items() if self._ticked(item))

    def _items(self) -> list[QTreeWidgetItem]:
        found = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item for item in found if item is not None]

    def _ticked(self, item: QTreeWidgetItem) -> bool:
        return item.checkState(0) == Qt.CheckState.Checked

    def _fault(self, item: QTreeWidgetItem) -> str:
        """Why the name cannot be taken."""
        name = item.text(0).strip()
        others = [each.text(0).strip() for each in self._items() if each is not item and self._ticked(each)]
        if not name:
            needs = KINDS[item.data(0, _ENTRY)["kind"]].entry.model_fields["name"].is_required()
            return "It needs a name: press F2." if needs else ""
        errors = [error.message for error in name_errors(name, [*self._taken, *others]) if not error.advice]
        return f"{errors[0].rstrip('.')}; press F2 to rename." if errors else ""

    def _on_item_changed(self) -> None:
        if self._filling:
            return
        self._filling = True
        for item in self._items():
            error = self._fault(item)
            item.setText(1, f"▲ {error}" if error else summary(item.data(0, _ENTRY)))
            item.setForeground(1, theme().colour("warning" if error else "muted"))
            item.setToolTip(1, plain_tip(item.text(1)))
        self._filling = False
        self.changed.emit()

    def _say(self, found: FoundTools, fault: str) -> None:
        lines = [f"▲ {note}" for note in found.notes]
        lines += [f"▲ The secret {name!r} has no value yet: give it one in Secrets." for name in found.missing]
        if found.grants:
            lines.append(f"Grants are imported, too: {', '.join(found.grants)}.")
        if fault:
            lines = [f"✕ {fault}"]
        elif not found.entries and not lines:
            lines = ["Nothing yet: paste something at the left."]
        colour = "error" if fault else "warning" if any(line.startswith("▲") for line in lines) else "muted"
        self.said.setStyleSheet(f"color: {theme().colour(colour).name()};")
        self.said.setText("\n".join(lines))


PAUSE_MS = 150
FILES = "JSON and YAML (*.json *.yaml *.yml);;All files (*)"
HINT = """\
Paste a file of another program, such as

{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"]
    }
  }
}

Claude Desktop and Code, VS Code, Cursor, Windsurf and Gemini have such a file; the YAML of a ChatDev workflow is \
understood as well."""


class ImportDialog(FramedDialog):
    """The text at the left, what is in it at the right.

    Signals: imported(list): the names of the sources that were added.
    """

    imported = Signal(object)

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window, "Import tools", 1040, 680)
        self.setObjectName("importDialog")
        self._context = context
        self._edits = WorkspaceEdits(context)
        self._found = FoundTools()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.refresh)
        self._lay_out()
        self.refresh()
        self.text.setFocus()

    def refresh(self) -> None:
        """Shows what is in the text."""
        self._pause.stop()
        text = self.text.toPlainText()
        self._found, fault = FoundTools(), ""
        if text.strip():
            try:
                self._found = read_tools(text)
            except PtcError as error:
                fault = str(error)
        taken = [entry.name for entry in self._context.workbench.studio.file.sources]
        self.list.show_found(self._found, fault, taken)

    def add(self) -> None:
        """Adds what is ticked."""
        if not self.list.is_ready():
            return
        if self._context.workbench.studio.has_workspace:
            self.start(self._context.workbench, self._add())
        else:
            choose_new_workspace(self, lambda folder: self.start(self._context.workbench, self._add(folder)))

    def take_file(self, path: Path) -> None:
        """Shows the text of the file."""
        try:
            self.text.setPlainText(read_text(path).text)
        except PtcError as error:
            self.say_failed(str(error))
        else:
            self.refresh()

    def _lay_out(self) -> None:
        self.text = QPlainTextEdit()
        self.text.setObjectName("importText")
        self.text.setAccessibleName("Text with tools")
        self.text.setProperty("field", True)
        self.text.setProperty("code", True)
        self.text.setPlaceholderText(HINT)
        self.text.setTabChangesFocus(True)
        self._colours = JsonHighlighter(self.text.document())
        self.text.textChanged.connect(self._pause.start)
        choose = QPushButton("Open file…")
        choose.setAutoDefault(False)
        choose.clicked.connect(self._choose_file)
        edge = theme().pixels(4 * SPACE)
        left = filled(QVBoxLayout(), margins=(edge, edge, edge, edge), spacing=theme().pixels(2 * SPACE))
        title = PlainLabel("From another program", role="title")
        head = filled(QHBoxLayout(), (title, 1), choose)
        left.addLayout(head)
        left.addWidget(self.text, 1)
        self.list = ImportList()
        sides = filled(QHBoxLayout(), (left, 1), upright_rule(), (self.list, 1), margins=0, spacing=0)
        self.set_body(sides)
        self.add_button("Cancel", self.reject)
        self.accept_button = self.add_button("Add", self.add, default=True)
        self.list.changed.connect(self._on_list_changed)

    def _on_list_changed(self) -> None:
        count = len(self.list.chosen())
        self.accept_button.setEnabled(self.list.is_ready())
        self.accept_button.setText(f"Add {count} sources" if count > 1 else "Add 1 source" if count else "Add")
        secrets = self._secrets(self.list.chosen())
        saved = "1 key is" if len(secrets) == 1 else f"{len(secrets)} keys are"
        studio = self._context.workbench.studio
        where = will_be_saved_to(studio.folder / FILE_NAME) if studio.has_workspace else NO_WORKSPACE
        self.say(f"{saved} moved to Secrets: {', '.join(secrets)}. {where}" if secrets else where)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, "A file with tools", str(Path.home()), FILES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setFilter(dialog.filter() | dialog.filter().Hidden)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.take_file(Path(name)))
        dialog.open()

    def _secrets(self, entries: list[dict[str, Any]]) -> dict[str, str]:
        """The keys that these entries refer to and that stood in the text."""
        used = {name for entry in entries for name in secrets_in(entry)}
        return {name: value for name, value in self._found.secrets.items() if name in used}

    async def _add(self, folder: Path | None = None) -> None:
        studio, entries = self._context.workbench.studio, self.list.chosen()
        self.accept_button.setEnabled(False)
        try:
            kept = self._secrets(entries)
            if kept and not await unlocked(self._context, self):
                self._on_list_changed()
                return
            for name, value in kept.items():
                await studio.in_thread(lambda name=name, value=value: studio.secrets.set(name, value))
            if folder is not None:
                await make_workspace_of_sources(self._context, folder, *entries)
            else:
                await self._edits.add_sources(*entries)
                await self._add_grants(entries)
        except PtcError as error:
            self.refresh()
            self.say_failed(str(error))
            return
        offer_asking(self._context, [str(entry.get("name", "")) for entry in entries])
        self.imported.emit([entry.get("name", entry["kind"]) for entry in entries])
        self.accept()

    async def _add_grants(self, entries: list[dict[str, Any]]) -> None:
        there = self._context.workbench.studio.file.grants
        fresh = {name: tools for name, tools in self._found.grants.items() if name not in there}
        if fresh and any(KINDS[entry["kind"]].plain_names for entry in entries):
            await self._edits.add_grants(fresh)
