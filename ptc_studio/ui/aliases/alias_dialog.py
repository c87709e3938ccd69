"""Makes an alias, or changes one: its fields, and beside them what becomes of it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QPlainTextEdit, QTabBar, QVBoxLayout, QWidget

from ptc_studio.core.registry import Alias, Target, spec_through
from ptc_studio.core.tools import ToolSpec
from ptc_studio.exports import definitions
from ptc_studio.storage.edited_file import Undo
from ptc_studio.ui.aliases.alias_checks import Neighbours, signature_in
from ptc_studio.ui.aliases.alias_form import AliasForm
from ptc_studio.ui.dialogs.framed_dialog import NO_WORKSPACE, DialogDraft, SavingDialog, save_draft, take_draft
from ptc_studio.ui.editor.highlighter import Highlighter
from ptc_studio.ui.forms.controls import JsonHighlighter, Segments
from ptc_studio.ui.forms.row import focusable, go_to, neighbour
from ptc_studio.ui.manual_calls import TryPane
from ptc_studio.ui.manual_calls.try_pane import KEYS
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import rule, upright_rule
from ptc_studio.ui.workspace_edits import WorkspaceEdits, make_workspace_of_alias

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.workbench import Workbench


FORMS = (("anthropic", "Anthropic"), ("openai", "OpenAI"), ("mcp", "MCP"))
NO_DEFINITION = "Choose a tool to see its definition here."


class ModelView(QWidget):
    """The same as JSON, for the system that is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._target: Target | None = None
        self.formats = Segments([title for _, title in FORMS])
        self.formats.set_current(0)
        self.formats.picked.connect(lambda _position: self._fill())
        self.text = QPlainTextEdit(readOnly=True, placeholderText=NO_DEFINITION)
        self.text.setObjectName("aliasDefinition")
        self.text.setAccessibleName("Definition for a model")
        self.text.document().setDocumentMargin(0)
        self.text.setTabChangesFocus(True)
        self._colours = JsonHighlighter(self.text.document())
        edge = theme().pixels(4 * SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(edge, edge, edge, 0)
        column.setSpacing(theme().pixels(3 * SPACE))
        column.addWidget(self.formats)
        column.addWidget(self.text, 1)
        theme().changed.connect(self._apply_style)
        self._apply_style()

    def show_target(self, target: Target | None) -> None:
        """The alias; None where there is nothing to show yet."""
        self._target = target
        self._fill()

    def _fill(self) -> None:
        text = ""
        if self._target is not None:
            made = definitions([self._target], FORMS[self.formats.current()][0])
            text = json.dumps(made[0], indent=2, ensure_ascii=False).encode("utf-8", "replace").decode()
        if text != self.text.toPlainText():
            location = self.text.verticalScrollBar().value()
            self.text.setPlainText(text)
            self.text.verticalScrollBar().setValue(location)

    def _apply_style(self) -> None:
        self.text.setFont(theme().code_font())


MOST_LINES = 14
NO_SIGNATURE = "Choose a tool to see its signature here."


class ScriptView(QWidget):
    """Read-only, as high as it needs to be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec: ToolSpec | None = None
        self._language = "python"
        self.signature = QPlainTextEdit(readOnly=True)
        self.signature.setObjectName("aliasSignature")
        self.signature.setAccessibleName("Signature")
        self.signature.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.signature.document().setDocumentMargin(0)
        self.signature.setTabChangesFocus(True)
        self._colours = Highlighter(self.signature.document(), self._language)
        self.about = PlainLabel(wordWrap=True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        edge = theme().pixels(4 * SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme().pixels(3 * SPACE))
        column.addWidget(self.signature)
        column.addWidget(self.about)
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self.show_spec(None)

    def set_language(self, language: str) -> None:
        """That of the script that is open."""
        self._language = language
        self._colours.set_language(language)

    def show_spec(self, spec: ToolSpec | None) -> None:
        """The alias as a tool; None where there is nothing to show yet."""
        self._spec = spec
        text = signature_in(self._language, spec) if spec is not None else ""
        self.signature.setVisible(spec is not None)
        if spec is not None:
            self._colours.set_tool_names({spec.name})
        if text != self.signature.toPlainText():
            self.signature.setPlainText(text)
        self.about.setText(spec.description if spec is not None else NO_SIGNATURE)
        self._fit()

    def _fit(self) -> None:
        lines = min(self.signature.blockCount(), MOST_LINES)
        scrolls = self.signature.blockCount() > MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.signature.setVerticalScrollBarPolicy(policy)
        bar = self.signature.horizontalScrollBar()
        # A long line has a bar below it, which takes room of its own.
        widest = max((self.signature.fontMetrics().horizontalAdvance(line) for line in self._lines()), default=0)
        needs_bar = widest > self.signature.viewport().width() > 0
        room = bar.sizeHint().height() if needs_bar else 0
        self.signature.setFixedHeight(lines * self.signature.fontMetrics().lineSpacing() + room + 4)

    def _lines(self) -> list[str]:
        return self.signature.toPlainText().split("\n")

    def _apply_style(self) -> None:
        self.signature.setFont(theme().code_font())
        self.about.setFont(theme().code_font())
        self.about.setStyleSheet(f"color: {theme().colours.comment};")
        self._fit()


SCRIPT, MODEL, TRY = range(3)
TITLES = ("What the script sees", "What the model sees", "Try")


class PreviewPane(QWidget):
    """Tabs; below the signature there is room for a call, which has a tab of its own, too."""

    def __init__(self, workbench: "Workbench", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = QTabBar()
        self.tabs.setObjectName("aliasPreviews")
        self.tabs.setAccessibleName("Previews")
        self.tabs.setExpanding(False)
        for title in TITLES:
            self.tabs.addTab(title)
        self.script, self.model = ScriptView(), ModelView()
        self.trial = TryPane(workbench, self, permits=True)
        # The one main action here is to save.
        set_property(self.trial.call_button, "primary", False)
        self._heading = PlainLabel("Try it", role="title")
        self._heading.setFixedHeight(theme().pixels(ROW + 2 * SPACE))
        self._heading.setContentsMargins(theme().pixels(3 * SPACE), 0, 0, 0)
        self._lines = (rule(), rule())
        self._lay_out()
        self.tabs.currentChanged.connect(self._on_tab_chosen)
        self._on_tab_chosen(SCRIPT)

    def show_target(self, target: Target | None, problem: str = "") -> None:
        """The alias as it would be; with a problem it can be looked at, but not called."""
        self.script.show_spec(target.spec if target is not None else None)
        self.model.show_target(target)
        self.trial.set_target(None if problem else target, problem)

    def show_trial(self) -> None:
        """Brings the call into sight."""
        if self.tabs.currentIndex() == MODEL:
            self.tabs.setCurrentIndex(TRY)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(rule())
        column.addWidget(self.script)
        column.addWidget(self.model, 1)
        column.addWidget(self._lines[0])
        column.addWidget(self._heading)
        column.addWidget(self._lines[1])
        column.addWidget(self.trial, 1)

    def _on_tab_chosen(self, tab: int) -> None:
        self.script.setVisible(tab == SCRIPT)
        self.model.setVisible(tab == MODEL)
        self.trial.setVisible(tab != MODEL)
        for widget in (self._heading, *self._lines):
            widget.setVisible(tab == SCRIPT)


WIDTH, HEIGHT = 1140, 760
SIDE_BY_SIDE = 720
"""Fields and previews that have less than this together stand one above the other."""
LEAST_FORM, LEAST_PREVIEWS = 240, 300
PAUSE_MS = 120
"""So long nothing is typed before the previews are drawn anew."""
NAMELESS = "your_alias"


class AliasDialog(SavingDialog):
    """Shown with `open()`.

    Signals: saved(former, name, undo): it is in the file, and the studio knows it. left(): closed with work unsaved.
    """

    saved = Signal(str, str, object)
    left = Signal()
    no_workspace = NO_WORKSPACE

    def __init__(self, context: "Context", values: dict[str, Any] | None = None, former: str = "") -> None:
        """With the name that it has in the file it is changed; else a new one is made, of which some may be known."""
        super().__init__(context, "Edit alias" if former else "New alias", WIDTH, HEIGHT)
        self.setObjectName("aliasDialog")
        self._former = former
        self._edits = WorkspaceEdits(context)
        self._key = ("alias", former, (values or {}).get("tool", ""))
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.show_previews)
        self._lay_out()
        self.form.set_values(values or {})
        self._began = self.form.values()
        draft = take_draft(context, self._key, self._began)
        if draft is not None:
            self.form.set_values(draft)
        self._say_where(recalled=draft is not None)
        self.show_previews()
        self._connect()
        self._on_changed()
        self.form.begin()
        self.start(context.workbench, self._read_file(self._edits))

    def values(self) -> dict[str, Any]:
        return self.form.values()

    def save(self) -> None:
        """Writes the entry, asking where if there is no workspace yet."""
        if self._busy:
            return
        problem = self.form.problem()
        if problem:
            self.form.reveal()
            self.say_failed(f"Not saved. {problem}")
        else:
            self._save_or_ask()

    def show_previews(self) -> None:
        """Draws what becomes of the alias."""
        self._pause.stop()
        self.previews.show_target(self._target(), self.form.problem())

    def _lay_out(self) -> None:
        studio = self._context.workbench.studio
        self.form = AliasForm(self._neighbours(), studio.limits, self._former)
        self.previews = PreviewPane(self._context.workbench)
        self.previews.script.set_language(self._context.editors.language)
        self._between = upright_rule()
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(0)
        self._body.addWidget(self.form, 12)
        self._body.addWidget(self._between)
        self._body.addWidget(self.previews, 10)
        self.set_body(self._body)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Save" if self._former else "Create alias", self.save, default=True)
        self.save_button.setObjectName("saveAliasButton")

    def _turn(self) -> None:
        """Puts the previews below the fields where both have no room beside each other."""
        beside = self.width() >= theme().pixels(SIDE_BY_SIDE)
        directions = QBoxLayout.Direction
        self._body.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        self._between.setVisible(beside)
        self.form.setMinimumHeight(0 if beside else theme().pixels(LEAST_FORM))
        self.previews.setMinimumWidth(theme().pixels(LEAST_PREVIEWS) if beside else 0)

    def _connect(self) -> None:
        self.form.changed.connect(self._on_changed)
        self.finished.connect(self.previews.trial.cancel)
        self.rejected.connect(self._keep_draft)
        self._context.workbench.closed.connect(self.reject)
        for keys in KEYS:
            # The pane has them for itself.
            shortcut = QShortcut(QKeySequence(keys), self.form, self._try)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._context.workbench.tools_loaded.connect(self._on_tools_loaded)

    def _try(self) -> None:
        """Calls it as it is filled in at this moment."""
        self.show_previews()
        self.previews.show_trial()
        self.previews.trial.call()

    def _neighbours(self) -> Neighbours:
        studio = self._context.workbench.studio
        others = {entry.name: entry.tool for entry in studio.file.aliases if entry.name != self._former}
        return Neighbours(studio.registry, others)

    def _target(self) -> Target | None:
        tool, values = self.form.target, self.values()
        if tool is None:
            return None
        alias = Alias(
            values["name"] or NAMELESS,
            values["tool"],
            values.get("description"),
            values.get("preset", {}),
            values.get("defaults", {}),
            values.get("timeout"),
            values.get("permission"),
            tuple(values.get("redact", ())),
            hidden=tuple(values.get("hidden", ())),
        )
        return Target(tool.tool, spec_through(alias, tool.spec), alias)

    def _on_changed(self) -> None:
        self.save_button.setEnabled(not self._busy)
        if self._failed and not self.form.problem():
            self._say_where(recalled=False)
        self._pause.start()

    def _on_tools_loaded(self) -> None:
        if not self._busy:
            self.form.set_neighbours(self._neighbours())

    def _keep_draft(self) -> None:
        values = self.values()
        if values != self._began:
            save_draft(self._context, self._key, DialogDraft(self._began, values))
            self.left.emit()

    async def _write(self, values: dict[str, Any], folder: Path | None) -> Undo | None:
        if folder is not None:
            await make_workspace_of_alias(self._context, folder, values)
            return None
        if self._former:
            return await self._edits.change_alias(self._former, values)
        return await self._edits.add_alias(values)

    def _show_saved(self, values: dict[str, Any], done: Undo | None) -> None:
        self.saved.emit(self._former, values["name"], done)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """As the eye goes: lines of parameters are made later than what stands below them."""
        order, current = focusable(self), self.focusWidget()
        following = neighbour(self, current, forward=forward) if current is not None else None
        if following is None:
            following = order[0 if forward else -1]
        go_to(following, forward=forward)
        return True
