"""The grant sets of a workspace: a list to choose from, and beside it what the chosen one grants."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from ptc_studio.core.errors import PtcError
from ptc_studio.storage.workspace import FILE_NAME
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, will_be_saved_to
from ptc_studio.ui.grants.patterns import NEW_NAME, GrantSetDraft, GrantSetDrafts
from ptc_studio.ui.grants.set_form import SetForm
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.tools.rows import rows_from, source_rows
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import STRETCH, filled
from ptc_studio.ui.workspace_edits import WorkspaceEdits

if TYPE_CHECKING:
    from ptc_studio.ui.grants.actions import GrantActions
    from ptc_studio.ui.grants.patterns import Patterns

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
