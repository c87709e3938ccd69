"""Takes over tools from other programs: paste their file, see what is in it, add what is wanted."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout

from ptc_studio.core.errors import PtcError
from ptc_studio.storage.text_files import read_text
from ptc_studio.ui.dialogs.files import choose_new_workspace
from ptc_studio.ui.forms.json_highlighter import JsonHighlighter
from ptc_studio.ui.sources.background import in_thread
from ptc_studio.ui.sources.framed_dialog import FramedDialog
from ptc_studio.ui.sources.import_list import ImportList
from ptc_studio.ui.sources.import_reading import FoundTools, read_tools
from ptc_studio.ui.sources.keeping import SourceKeeper, make_workspace_of_sources
from ptc_studio.ui.sources.secrets_dialog import secrets_in
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.rule import upright_rule

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow

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

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window, "Import tools", 1040, 680)
        self.setObjectName("importDialog")
        self._window = window
        self._keeper = SourceKeeper(window)
        self._found = FoundTools()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.look)
        self._lay_out()
        self.look()
        self.text.setFocus()

    def look(self) -> None:
        """Shows what is in the text."""
        self._pause.stop()
        text = self.text.toPlainText()
        self._found, fault = FoundTools(), ""
        if text.strip():
            try:
                self._found = read_tools(text)
            except PtcError as error:
                fault = str(error)
        taken = [entry.name for entry in self._window.workbench.studio.file.sources]
        self.list.show_found(self._found, fault, taken)

    def add(self) -> None:
        """Adds what is ticked."""
        if not self.list.is_ready():
            return
        if self._window.workbench.studio.has_workspace:
            self._window.workbench.start(self._add())
        else:
            choose_new_workspace(self, lambda folder: self._window.workbench.start(self._add(folder)))

    def take_file(self, path: Path) -> None:
        """Shows the text of the file."""
        try:
            self.text.setPlainText(read_text(path).text)
        except PtcError as error:
            self.say_failed(str(error))
        else:
            self.look()

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
        left = QVBoxLayout()
        left.setContentsMargins(edge, edge, edge, edge)
        left.setSpacing(theme().pixels(2 * SPACE))
        title = PlainLabel("From another program")
        title.setProperty("role", "title")
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(choose)
        left.addLayout(head)
        left.addWidget(self.text, 1)
        self.list = ImportList()
        sides = QHBoxLayout()
        sides.setSpacing(0)
        sides.addLayout(left, 1)
        sides.addWidget(upright_rule())
        sides.addWidget(self.list, 1)
        self.set_body(sides)
        self.add_button("Cancel", self.reject)
        self.accept_button = self.add_button("Add", self.add, default=True)
        self.list.changed.connect(self._on_list_changed)

    def _on_list_changed(self) -> None:
        count = len(self.list.chosen())
        self.accept_button.setEnabled(self.list.is_ready())
        self.accept_button.setText(f"Add {count} sources" if count > 1 else "Add 1 source" if count else "Add")
        secrets = self._secrets(self.list.chosen())
        kept = "1 key is" if len(secrets) == 1 else f"{len(secrets)} keys are"
        self.say(f"{kept} moved to Secrets: {', '.join(secrets)}" if secrets else "Added to studio.yaml")

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
        studio, entries = self._window.workbench.studio, self.list.chosen()
        self.accept_button.setEnabled(False)
        try:
            for name, value in self._secrets(entries).items():
                await in_thread(studio, lambda name=name, value=value: studio.secrets.set(name, value))
            if folder is not None:
                await make_workspace_of_sources(self._window, folder, *entries)
            else:
                await self._keeper.add(*entries)
                await self._add_grants(entries)
        except PtcError as error:
            self.look()
            self.say_failed(str(error))
            return
        self.imported.emit([entry.get("name", entry["kind"]) for entry in entries])
        self.accept()

    async def _add_grants(self, entries: list[dict[str, Any]]) -> None:
        there = self._window.workbench.studio.file.grants
        fresh = {name: tools for name, tools in self._found.grants.items() if name not in there}
        if fresh and any(entry["kind"] == "functions" for entry in entries):
            await self._keeper.set_grants(fresh)
