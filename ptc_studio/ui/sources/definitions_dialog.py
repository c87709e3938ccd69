"""The tools as other systems want them: chosen, looked at, copied or saved."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QSyntaxHighlighter
from PySide6.QtWidgets import QApplication, QFileDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout
from shiboken6 import delete, isValid

from ptc_studio.core.errors import PtcError
from ptc_studio.exports import FORMATS, DefinitionFormat, definitions
from ptc_studio.exports.target_stubs import FORMS, target_stubs
from ptc_studio.storage.text_files import TextFile, write_text
from ptc_studio.targets import DeploymentTarget, find_target
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog
from ptc_studio.ui.editor.highlighter import Highlighter
from ptc_studio.ui.forms.controls import JsonHighlighter, Segments
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import filled

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.context import Context

MOST_SHOWN = 400_000
"""Characters; longer text is copied and saved whole, but shown in part."""


SHAPES = tuple(FORMATS.values())

FORM_OF_TARGET: Mapping[str, str] = {
    "anthropic": "anthropic",
    "openai": "openai",
    "openai-codex": "openai",
    "fastmcp": "mcp",
    "mcp-files": "mcp",
}


class DefinitionsDialog(FramedDialog):
    """Of some tools and aliases, or of all that the script may call."""

    def __init__(self, context: "Context", names: Sequence[str] | None = None) -> None:
        super().__init__(context.window, "Definitions of tools", 860, 640)
        self.setObjectName("definitionsDialog")
        self._context = context
        self._names = list(names or ())
        self._text = ""
        self._task: asyncio.Task[None] | None = None
        self._lay_out()
        self.refresh()

    @property
    def shape(self) -> DefinitionFormat:
        """The format that is shown."""
        return SHAPES[self.formats.current()]

    @property
    def text(self) -> str:
        """The whole text."""
        return self._text

    def refresh(self) -> None:
        """Makes the text of what is chosen."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.start(self._context.workbench, self._refresh())

    def copy(self) -> None:
        """Copies the whole text."""
        QApplication.clipboard().setText(self._text)
        self.say("✓ Copied", "ok")

    def save_as(self) -> None:
        """Asks where to write the text."""
        dialog = QFileDialog(self, "Save definitions", str(self._context.workbench.studio.folder))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.selectFile(self.shape.file)
        dialog.fileSelected.connect(lambda name: self.save_to(Path(name)))
        dialog.open()

    def save_to(self, path: Path) -> None:
        """Writes the whole text."""
        self.start(self._context.workbench, self._save(path))

    def _lay_out(self) -> None:
        self.formats = Segments([shape.title for shape in SHAPES])
        self.formats.set_current(next((at for at, each in enumerate(SHAPES) if each.id == self._usual_form()), 0))
        self.formats.picked.connect(lambda _position: self.refresh())
        names = self._names
        self.scope = Segments([names[0] if len(names) == 1 else f"{len(names)} selected", "All"])
        self.scope.set_current(0)
        self.scope.picked.connect(lambda _position: self.refresh())
        self.scope.setVisible(bool(self._names))
        self.preview = QPlainTextEdit(readOnly=True)
        self.preview.setAccessibleName("Definitions")
        self.preview.setProperty("field", True)
        self.preview.setProperty("code", True)
        self.preview.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._colours: QSyntaxHighlighter | None = None
        body = QVBoxLayout()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        body.setSpacing(theme().pixels(3 * SPACE))
        rows = [("Format", self.formats)] + ([("Tools", self.scope)] if self._names else [])
        for title, choice in rows:
            label = PlainLabel(title, role="muted")
            label.setFixedWidth(theme().pixels(56))
            row = filled(QHBoxLayout(), label, (choice, 1))
            body.addLayout(row)
        body.addWidget(self.preview, 1)
        self.set_body(body)
        self.add_button("Close", self.reject)
        self.save_button = self.add_button("Save as…", self.save_as)
        self.copy_button = self.add_button("Copy", self.copy, default=True)

    def _usual_form(self) -> str:
        """The format that goes with where the script in front is going; stubs where its systems take no definitions."""
        page = self._context.editors.current()
        target = page.finder.target if page is not None else ""
        if page is None or target in ("", "plain"):
            return SHAPES[0].id
        return FORM_OF_TARGET.get(target, "dts" if page.language in ("javascript", "typescript") else "pyi")

    def _targets(self) -> "list[Target]":
        bench = self._context.workbench
        if self._names and self.scope.current() == 0:
            return [bench.studio.registry.resolve(name) for name in self._names]
        return bench.studio.registry.targets(bench.grant)

    async def _refresh(self) -> None:
        shape = self.shape
        try:
            targets = self._targets()
        except PtcError as error:
            self._show("", shape)
            self.say_failed(str(error))
            return
        try:
            text, whose = await self._context.workbench.studio.in_thread(
                partial(self._written, targets, shape, self._stub_target(shape))
            )
        except PtcError as error:
            text, whose = "", str(error)
        if not isValid(self):
            return
        self._show(text, shape)
        if whose and not text:
            self.say_failed(whose)
            return
        count = len(targets)
        told = "1 definition" if count == 1 else f"{count} definitions" if count else "There are no tools yet."
        self.say(f"{told}, as scripts of {whose} see them" if whose and count else told)

    def _written(
        self, targets: "Sequence[Target]", shape: DefinitionFormat, target: "DeploymentTarget | None"
    ) -> tuple[str, str]:
        """The text, and whose scripts see the tools so; in a thread."""
        if target is None:
            return _written(targets, shape.id), ""
        wanted = {each.spec.name for each in targets}
        visible = self._context.workbench.studio.session().visible_tools()
        stubs = target_stubs(target, [each for each in visible if each.target.spec.name in wanted])
        return clean_text(stubs), target.name

    def _stub_target(self, shape: DefinitionFormat) -> "DeploymentTarget | None":
        """Where the script in front is going, if stubs for its language are wanted."""
        page = self._context.editors.current()
        if page is None or page.finder.target in ("", "plain"):
            return None
        target = find_target(page.finder.target)
        return target if target.call is not None and FORMS.get(target.language) == shape.id else None

    def _show(self, text: str, shape: DefinitionFormat) -> None:
        self._text = text
        if self._colours is not None:
            # At once: the next text must not be told to it any longer.
            delete(self._colours)
        self.preview.setPlainText(text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}\n…")
        document = self.preview.document()
        self._colours = JsonHighlighter(document) if shape.language == "json" else Highlighter(document, shape.language)
        self._colours.rehighlight()
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(text))

    async def _save(self, path: Path) -> None:
        try:
            await self._context.workbench.studio.in_thread(lambda: write_text(path, TextFile(self._text)))
        except PtcError as error:
            self.say_failed(str(error))
        else:
            self.say(f"✓ Saved to {path}", "ok")


def _written(targets: "Sequence[Target]", form: str) -> str:
    made = definitions(targets, form)
    text = made if isinstance(made, str) else json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    return clean_text(text)


def clean_text(text: str) -> str:
    """Half a character, as a tool of somebody else's may have it in its description, cannot be copied."""
    return text.encode("utf-8", "replace").decode()
