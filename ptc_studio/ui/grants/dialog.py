"""The grant sets of a workspace: a list to choose from, and beside it what the chosen one grants."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from ptc_studio.core.errors import PtcError
from ptc_studio.storage.workspace import FILE_NAME
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, will_be_saved_to
from ptc_studio.ui.forms.controls import help_font
from ptc_studio.ui.grants.display import listed
from ptc_studio.ui.grants.patterns import (
    NEW_NAME,
    GrantSetDraft,
    GrantSetDrafts,
    Patterns,
    granted,
    reach,
    with_names,
    with_source,
    without_names,
)
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.tools.model import ToolDelegate, ToolModel
from ptc_studio.ui.tools.panel import Unfolding
from ptc_studio.ui.tools.rows import ToolRows, rows_from, source_rows
from ptc_studio.ui.tools.tree import ALIASES, ToolNode
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import EmptyOverlay, PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import STRETCH, filled
from ptc_studio.ui.workspace_edits import WorkspaceEdits

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.grants.display import GrantActions


Role = Qt.ItemDataRole


class SetModel(ToolModel):
    """Signals: toggled(node, ticked): the user wants all that is seen of the node granted, or no longer."""

    toggled = Signal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_filtered = False

    def show_granted(self, patterns: Patterns, names: Collection[str]) -> None:
        """Ticks these; a source without tools is ticked by its pattern."""
        self.set_grant(names)
        for source in self.root.children:
            source.ticked = f"{source.label}.*" in patterns

    def set_filter(self, wanted: str) -> None:
        self.is_filtered = bool(wanted.strip())
        super().set_filter(wanted)

    def setData(self, index: QModelIndex | QPersistentModelIndex, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.CheckStateRole or not index.isValid() or self.node(index).kind == "error":
            return False
        self.toggled.emit(self.node(index), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True


def seen_names(node: ToolNode) -> list[str]:
    """The tools and aliases in the node that the filter leaves."""
    if node.kind in ("tool", "alias"):
        return [node.label]
    return [name for child in node.shown for name in seen_names(child)]


LINES_SHOWN = 3
PATTERNS_HELP = "One name or pattern a line, such as get_order, shop.* or *.list_*"


class SetForm(QWidget):
    """Signals: edited(name, patterns): the user has changed something."""

    edited = Signal(str, object)

    def __init__(self, rows: ToolRows, targets: "Sequence[Target]", used: Sequence[str], script: str) -> None:
        """`used` are the tools that the script in front uses, `script` is its title."""
        super().__init__()
        self._targets, self._used, self._script = targets, used, script
        self._patterns: Patterns = ()
        self._own = False
        self.name = QLineEdit()
        self.name.setObjectName("grantName")
        self.name.setAccessibleName("Name of the grant set")
        self.name.textChanged.connect(self._on_name_changed)
        self.words = PlainLabel(wordWrap=True)
        self.words.setProperty("role", "title")
        self.unused = PlainLabel(wordWrap=True)
        self.filter = QLineEdit(placeholderText="Filter tools…", clearButtonEnabled=True)
        self.filter.setAccessibleName("Filter tools")
        self.filter.textChanged.connect(self._on_filter_changed)
        self._build_tree(rows)
        self.written = QPlainTextEdit()
        self.written.setObjectName("grantPatterns")
        self.written.setAccessibleName("Patterns as they stand in studio.yaml")
        self.written.setProperty("field", True)
        self.written.setProperty("code", True)
        self.written.setTabChangesFocus(True)
        self.written.setPlaceholderText(PATTERNS_HELP)
        self.written.textChanged.connect(self._on_written)
        self.idle = PlainLabel(wordWrap=True)
        self._lay_out()
        theme().changed.connect(self._apply_style)
        self._apply_style()

    @property
    def patterns(self) -> Patterns:
        return self._patterns

    def show_set(self, name: str, patterns: Patterns) -> None:
        """Shows this one from now on."""
        self._own = True
        self.name.setText(name)
        self._patterns = patterns
        self._write()
        self._own = False
        self._show()

    def mark_name(self, fault: str) -> None:
        """Why the name will not do; empty if it will."""
        self.name.setProperty("mark", "fault" if fault else "")
        self.name.setToolTip(plain_tip(fault))
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)

    def _build_tree(self, rows: ToolRows) -> None:
        self.model = SetModel(self)
        tree = self.tree = QTreeView(headerHidden=True, uniformRowHeights=True)
        tree.setObjectName("grantTree")
        tree.setAccessibleName("What the grant set grants")
        tree.setModel(self.model)
        tree.setItemDelegate(ToolDelegate(tree))
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._unfolding = Unfolding(tree, self.model)
        EmptyOverlay(tree, "No tools here: add a source, or filter for something else.").watch(self.model)
        self.model.set_tools(rows.tools, rows.aliases, (), rows.sources)
        self._unfolding.apply()
        self.model.toggled.connect(self._on_toggled)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        edge = theme().pixels(4 * SPACE)
        column.setContentsMargins(edge, theme().pixels(3 * SPACE), edge, theme().pixels(3 * SPACE))
        column.setSpacing(theme().pixels(2 * SPACE))
        title = PlainLabel("Name")
        title.setBuddy(self.name)
        written = PlainLabel("As written in studio.yaml")
        written.setBuddy(self.written)
        for label in (title, written):
            label.setProperty("role", "muted")
        for widget in (title, self.name, self.words, self.filter):
            column.addWidget(widget)
        column.addWidget(self.tree, 1)
        for widget in (self.unused, written, self.written, self.idle):
            column.addWidget(widget)

    def _on_toggled(self, node: ToolNode, ticked: bool) -> None:
        names, whole = seen_names(node), node.kind == "source" and node.label != ALIASES
        if ticked and whole and not self.model.is_filtered:
            changed = with_source(self._patterns, self._targets, node.label)
        elif ticked:
            changed = with_names(self._patterns, self._targets, names)
        else:
            dropped = f"{node.label}.*" if whole and not self.model.is_filtered else ""
            others = tuple(pattern for pattern in self._patterns if pattern != dropped)
            changed = without_names(others, self._targets, names)
        self._patterns = changed
        self._own = True
        self._write()
        self._own = False
        self._tell()

    def _on_name_changed(self) -> None:
        if not self._own:
            self.edited.emit(self.name.text(), self._patterns)

    def _on_written(self) -> None:
        if not self._own:
            lines = (line.strip() for line in self.written.toPlainText().split("\n"))
            self._patterns = tuple(dict.fromkeys(line for line in lines if line))
            self._tell()

    def _on_filter_changed(self, wanted: str) -> None:
        self.model.set_filter(wanted)
        self._unfolding.seek(bool(wanted.strip()))

    def _write(self) -> None:
        text = "\n".join(self._patterns)
        if text != self.written.toPlainText():
            self.written.setPlainText(text)

    def _tell(self) -> None:
        self._show()
        self.edited.emit(self.name.text(), self._patterns)

    def _show(self) -> None:
        names = granted(self._patterns, self._targets)
        self.model.show_granted(self._patterns, names)
        found = reach(self._patterns, self._targets)
        self.words.setText(f"Grants {found}")
        idle = f"▲ Matches nothing now: {listed(found.idle)}" if found.idle else ""
        self.idle.setText(idle)
        self.idle.setVisible(bool(idle))
        self._show_unused(names)

    def _show_unused(self, names: frozenset[str]) -> None:
        spare = sorted(names.difference(self._used)) if self._used else []
        lacking = [name for name in dict.fromkeys(self._used) if name not in names]
        parts = [f"{self._script} uses {len(set(self._used)) - len(lacking)} of these"] if self._used else []
        parts += [f"not used: {listed(spare, 4)}"] if spare else []
        parts += [f"▲ used, not granted: {listed(lacking, 4)}"] if lacking else []
        self.unused.setText(" · ".join(parts))
        self.unused.setToolTip(plain_tip(f"Not used: {', '.join(spare)}" if spare else ""))
        self.unused.setVisible(bool(parts))

    def _apply_style(self) -> None:
        self.tree.setIndentation(theme().pixels(ROW * 0.6))
        self.written.setFixedHeight(LINES_SHOWN * theme().pixels(ROW * 0.75) + 4 * SPACE)
        for label, colour in ((self.unused, "muted"), (self.idle, "warning")):
            label.setFont(help_font())
            label.setStyleSheet(f"color: {theme().colour(colour).name()};")


LIST_WIDTH = 220
NOTHING = (
    "No grant sets yet.\n\nA grant set names what a script may call, such as only what reads.\n"
    "It is chosen in the run bar, and by --grant in the terminal."
)
DRAFT = Qt.ItemDataRole.UserRole


class GrantDialog(FramedDialog):
    """Nothing is written until it is saved; then all of it can be undone."""

    def __init__(self, actions: "GrantActions") -> None:
        context, choice = actions.context, actions.choice
        super().__init__(context.window, "Grant sets", 860, 680)
        self.setObjectName("grantDialog")
        self._context, self._actions = context, actions
        self._edits = WorkspaceEdits(context)
        self._drafts = GrantSetDrafts(choice.sets)
        self._chosen: GrantSetDraft | None = None
        """The set that is to be chosen in the run bar once it is saved."""
        self._saving = False
        self.has_read = False
        """Whether the file was read that is to be changed."""
        self.list = QListWidget()
        self.list.setObjectName("grantList")
        self.list.setAccessibleName("Grant sets")
        self.list.currentItemChanged.connect(lambda *_: self._show_current())
        self.form = self._form()
        self.form.edited.connect(self._on_edited)
        self._lay_out()
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Save", self.save, default=True)
        self._fill(next((draft for draft in self._drafts.all if draft.name == choice.name), None))
        (self.list if self._drafts.all else self.first).setFocus()
        self.start(context.workbench, self._read_file())

    def current(self) -> GrantSetDraft | None:
        """The set that is shown."""
        item = self.list.currentItem()
        return item.data(DRAFT) if item is not None else None

    def add(self, patterns: "Patterns" = (), name: str = NEW_NAME, *, choose: bool = False) -> None:
        """A new set; with `choose` it holds in the run bar once it is saved."""
        draft = self._drafts.add(patterns, name)
        if choose:
            self._chosen = draft
        self._fill(draft)
        self._name_it()

    def duplicate(self) -> None:
        """Another set that grants the same."""
        draft = self.current()
        if draft is not None:
            self._fill(self._drafts.add(draft.patterns, f"{draft.name}-copy"))
            self._name_it()

    def remove(self) -> None:
        """Takes the set away; until it is saved, Cancel brings it back, and then Undo."""
        draft = self.current()
        if draft is not None:
            location = self._drafts.all.index(draft)
            self._drafts.remove(draft)
            self._fill(next(iter(self._drafts.all[max(0, location - 1) :]), None))

    def save(self) -> None:
        """Writes what was changed, and closes."""
        changes = self._drafts.changes
        if not changes:
            self.accept()
        elif not self._saving and not self._fault():
            self._saving = True
            self.start(self._context.workbench, self._save())

    async def _read_file(self) -> None:
        try:
            await self._edits.start()
            self.has_read = True
        except PtcError as error:
            self._fail(str(error))

    async def _save(self) -> None:
        chosen = self._chosen.name if self._chosen in self._drafts.all and self._chosen is not None else ""
        try:
            saved = await self._actions.save(self._drafts.changes, choose=chosen, edits=self._edits, failed=self._fail)
        finally:
            self._saving = False
        if saved and isValid(self):
            self.accept()

    def _fail(self, reason: str) -> None:
        """Says so here, or in the window if this was closed meanwhile."""
        if isValid(self):
            self.say_failed(reason)
        else:
            self._context.messages.show_message(reason, "error")

    def _form(self) -> SetForm:
        studio, page = self._context.workbench.studio, self._context.editors.current()
        used = [use.tool for use in page.finder.uses] if page is not None else []
        rows = rows_from(studio.registry, (), source_rows(studio.source_set.loaded_sources))
        return SetForm(rows, self._actions.choice.targets, used, page.title if page is not None else "")

    def _lay_out(self) -> None:
        self.empty = PlainLabel(NOTHING, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, role="muted")
        self.first = QPushButton("New grant set")
        self.first.setAutoDefault(False)
        self.first.clicked.connect(lambda: self.add())
        self._nothing = QWidget()
        middle = filled(QVBoxLayout(self._nothing), STRETCH, self.empty, spacing=theme().pixels(4 * SPACE))
        middle.addWidget(self.first, 0, Qt.AlignmentFlag.AlignHCenter)
        middle.addStretch(1)
        body = filled(QHBoxLayout(), self._left(), margins=0, spacing=0)
        line = QWidget()
        line.setProperty("role", "line")
        line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line.setFixedWidth(1)
        body.addWidget(line)
        body.addWidget(self.form, 1)
        body.addWidget(self._nothing, 1)
        self.set_body(body)

    def _left(self) -> QWidget:
        panel = QWidget()
        panel.setFixedWidth(theme().pixels(LIST_WIDTH))
        self.new_button = flat_button("plus", "New grant set", self.add)
        self.copy_button = flat_button("copy", "Duplicate the grant set", self.duplicate)
        self.remove_button = flat_button("trash", "Delete the grant set (Delete)", self.remove)
        self.list.installEventFilter(self)
        buttons = filled(QHBoxLayout(), self.new_button, self.copy_button, self.remove_button, STRETCH)
        column = QVBoxLayout(panel)
        edge = theme().pixels(2 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        column.addLayout(buttons)
        column.addWidget(self.list, 1)
        return panel

    def _fill(self, current: GrantSetDraft | None) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for draft in self._drafts.all:
            item = QListWidgetItem(_title(draft))
            item.setData(DRAFT, draft)
            self.list.addItem(item)
            if draft is current:
                self.list.setCurrentItem(item)
        if self.list.currentItem() is None and self.list.count():
            self.list.setCurrentRow(0)
        self.list.blockSignals(False)
        self._show_current()

    def _show_current(self) -> None:
        draft = self.current()
        if draft is not None:
            self.form.show_set(draft.name, draft.patterns)
        self.form.setVisible(draft is not None)
        self._nothing.setVisible(draft is None)
        for button in (self.copy_button, self.remove_button):
            button.setEnabled(draft is not None)
        self._judge()

    def _name_it(self) -> None:
        self.form.name.setFocus()
        self.form.name.selectAll()

    def _on_edited(self, name: str, patterns: "Patterns") -> None:
        draft, item = self.current(), self.list.currentItem()
        if draft is not None and item is not None:
            draft.name, draft.patterns = name, patterns
            item.setText(_title(draft))
            self._judge()

    def _fault(self) -> str:
        return next(filter(None, map(self._drafts.fault, self._drafts.all)), "")

    def _judge(self) -> None:
        """Says what is wrong, or what saving will do."""
        draft, error, count = self.current(), self._fault(), len(self._drafts.changes)
        self.form.mark_name(self._drafts.fault(draft) if draft is not None else "")
        self.save_button.setEnabled(not error and count > 0)
        if error:
            self.say_failed(error)
        else:
            saved = will_be_saved_to(self._context.workbench.studio.folder / FILE_NAME)
            self.say(f"{count} change{'' if count == 1 else 's'} · {saved}" if count else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        key = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if watched is self.list and key == Qt.Key.Key_Delete:
            self.remove()
            return True
        return super().eventFilter(watched, event)


def _title(draft: GrantSetDraft) -> str:
    name = draft.name or "(no name)"
    return f"{name}  ●" if draft.is_changed else name
