"""Adds a source, or changes one: cards of the kinds, the form of the chosen one, and a trial beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.sources.kinds import KINDS, Kind
from ptc_studio.ui.dialogs.framed_dialog import NO_WORKSPACE, DialogDraft, SavingDialog, save_draft, take_draft
from ptc_studio.ui.sources.entry_form import EntryForm, offer_asking
from ptc_studio.ui.sources.form_help import FormHelp
from ptc_studio.ui.sources.trial_pane import Begin, TrialPane
from ptc_studio.ui.theme import icon, set_icon, theme
from ptc_studio.ui.tokens import RADIUS, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import discard, filled, upright_rule
from ptc_studio.ui.workspace_edits import WorkspaceEdits, make_workspace_of_sources, source_values

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import Trial
    from ptc_studio.ui.context import Context


CARD_HEIGHT, NARROWEST_CARD = 80, 290
_KIND = Qt.ItemDataRole.UserRole


class KindCards(QWidget):
    """Every kind as a card. Type to narrow, arrows to go, Return to choose.

    Signals: chosen(str): the kind. import_asked: the tools are in a file of another program.
    """

    chosen = Signal(str)
    import_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit(placeholderText="Where do the tools come from?", clearButtonEnabled=True)
        self.search.setObjectName("kindSearch")
        self.search.setAccessibleName("Find a kind of source")
        self.search.textChanged.connect(self._refill)
        self.search.installEventFilter(self)
        self.list = _CardList()
        self.list.itemActivated.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self._nothing = PlainLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True, role="muted")
        column = QVBoxLayout(self)
        edge = theme().pixels(4 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme().pixels(3 * SPACE))
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing, 1)
        column.addWidget(self._import_button(), 0, Qt.AlignmentFlag.AlignLeft)
        self._refill("")

    def kinds(self) -> list[str]:
        """The kinds that are shown."""
        return [self.list.item(row).data(_KIND).id for row in range(self.list.count())]

    def _import_button(self) -> QPushButton:
        button = QPushButton("Import from Claude, VS Code, Cursor, ChatDev…")
        button.setAutoDefault(False)
        button.setProperty("flat", True)
        set_icon(button, "import", "muted")
        button.clicked.connect(self.import_asked)
        return button

    def _refill(self, wanted: str) -> None:
        letters = wanted.lower().split()
        self.list.clear()
        for kind in sorted(KINDS.values(), key=lambda kind: not _is_named(kind, letters)):
            words = f"{kind.id} {kind.title} {kind.about} {kind.search_words}".lower()
            if all(part in words for part in letters):
                item = QListWidgetItem(f"{kind.title}: {kind.about}")
                item.setData(_KIND, kind)
                self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setVisible(self.list.count() > 0)
        self._nothing.setVisible(not self.list.count())
        self._nothing.setText(f"No kind of source has “{wanted.strip()}” in its name or description.")

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(_KIND).id)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentItem())
                return True
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self.list.setFocus()
                return True
        return False


def _is_named(kind: Kind, letters: Sequence[str]) -> bool:
    """Whether the very name has the letters: those come first."""
    return all(part in f"{kind.id} {kind.title}".lower() for part in letters)


class _CardList(QListWidget):
    """As many cards side by side as there is room for."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("kindCards")
        self.setAccessibleName("Kinds of sources")
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setMovement(QListWidget.Movement.Static)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setItemDelegate(_CardDelegate(self))
        theme().changed.connect(self._fit)

    def _fit(self) -> None:
        # Qt keeps room for a scroll bar.
        room = self.viewport().width() - self.verticalScrollBar().sizeHint().width() - theme().pixels(SPACE)
        columns = max(1, room // theme().pixels(NARROWEST_CARD))
        self.setGridSize(QSize(max(1, room // columns), theme().pixels(CARD_HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)


class _CardDelegate(QStyledItemDelegate):
    """Draws a card: icon, title, what it is."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        kind: Kind = index.data(_KIND)
        space = theme().pixels(SPACE)
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        card: QRect = option.rect.adjusted(space, space, -space, -space)  # type: ignore[attr-defined]
        selected = bool(state & QStyle.StateFlag.State_Selected)
        raised = selected or bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("accent" if selected else "line"), 1))
        painter.setBrush(theme().colour("selection" if selected else "raised" if raised else "panel"))
        painter.drawRoundedRect(card, theme().pixels(RADIUS), theme().pixels(RADIUS))
        size = theme().pixels(18)
        inside = card.adjusted(3 * space, 3 * space, -3 * space, -2 * space)
        icon(kind.icon, "tool").paint(painter, inside.left(), inside.top(), size, size)
        text = inside.adjusted(size + 3 * space, 0, 0, 0)
        painter.setPen(theme().colour("text"))
        painter.setFont(theme().text_font(bold=True))
        painter.drawText(text, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, kind.title)
        text.setTop(text.top() + painter.fontMetrics().height() + space)
        painter.setPen(theme().colour("muted"))
        painter.setFont(theme().text_font())
        painter.drawText(text, Qt.TextFlag.TextWordWrap, kind.about.replace("`", ""))
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        view = self.parent()
        return view.gridSize() if isinstance(view, QListWidget) else QSize(theme().pixels(NARROWEST_CARD), CARD_HEIGHT)


WIDTH, HEIGHT = 1040, 680


class SourceDialog(SavingDialog):
    """Cards first if it is a new one; then the form, beside what the source brings.

    Signals: saved(str): the source of that name is in the file, and the studio knows it.
    """

    saved = Signal(str)
    no_workspace = NO_WORKSPACE

    def __init__(self, context: "Context", *, entry: Any = None, index: int | None = None, schemes: Any = None) -> None:
        """With an entry and its place in the file it is changed; else a new one is added.

        `schemes` are the security schemes of its document, where they are known.
        """
        super().__init__(context, "New source", WIDTH, HEIGHT)
        self.setObjectName("sourceDialog")
        self._entry, self._index, self._schemes = entry, index, schemes
        self._edits = WorkspaceEdits(context)
        self._help = FormHelp(context, self)
        self.form: EntryForm | None = None
        self._lay_out()
        if entry is not None:
            self.show_form(entry.kind, source_values(entry))
        else:
            self.show_cards()
        self.start(context.workbench, self._read_file(self._edits))

    def show_cards(self) -> None:
        """The kinds to choose from."""
        self._pages.setCurrentWidget(self.cards)
        self.set_title("New source")
        self.back.hide()
        self.save_button.hide()
        self.say("Tools come from sources; each becomes an entry of studio.yaml.")
        self.cards.search.setFocus()

    def show_form(self, kind: str, values: dict[str, Any] | None = None) -> None:
        """The form of that kind; one that was begun before is kept, also beyond the end of the dialog."""
        is_new = values is None and self._entry is None
        draft = take_draft(self._context, ("source", kind), {}) if is_new else None
        if self.form is None or self.form.kind != kind or values is not None or draft:
            self._make_form(kind, values or draft)
            self.trial.forget()
        assert self.form is not None
        self._pages.setCurrentWidget(self._page)
        title = KINDS[kind].title
        self.set_title(f"New source: {title}" if self._entry is None else f"{self._entry.name}: {title}")
        self.back.setVisible(self._entry is None)
        self.save_button.show()
        self._say_where(recalled=bool(draft))
        self._on_changed()
        self.form.begin()

    def values(self) -> dict[str, Any]:
        assert self.form is not None
        return self.form.values()

    def save(self) -> None:
        """Writes the entry, asking where if there is no workspace yet."""
        if self.form is None or self._busy or self._pages.currentWidget() is not self._page:
            return
        if not self.form.is_valid():
            self.form.reveal_faults()
            self.say_failed(f"Not saved. {self.form.problem()}")
            return
        self._save_or_ask()

    def _lay_out(self) -> None:
        self.cards = KindCards()
        self.cards.chosen.connect(lambda kind: self.show_form(kind))
        self.cards.import_asked.connect(self._import)
        self.trial = TrialPane(self._start_trial, self._context.workbench)
        self.trial.setMinimumWidth(280)
        self.trial.tried.connect(self._on_tried)
        self._page = QWidget()
        self._sides = filled(QHBoxLayout(self._page), upright_rule(), (self.trial, 2), margins=0, spacing=0)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.cards)
        self._pages.addWidget(self._page)
        self.set_body(self._pages)
        self.back.clicked.connect(self.show_cards)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Save", self.save, default=True)
        self.save_button.setObjectName("saveSourceButton")
        self.finished.connect(self.trial.cancel)
        self.rejected.connect(self._keep_draft)
        self._context.workbench.closed.connect(self.reject)

    def _make_form(self, kind: str, values: dict[str, Any] | None) -> None:
        if self.form is not None:
            discard(self._sides, self.form)
        studio = self._context.workbench.studio
        taken = [
            each.name
            for location, each in enumerate(studio.file.sources)
            if location != self._index and "name" in each.model_fields_set
        ]
        suggestions = {"runtime": [info.id for info in studio.runtimes.infos]}
        self.form = EntryForm(
            kind, values, folder=studio.folder, taken=taken, suggestions=suggestions, schemes=self._schemes
        )
        self.form.setObjectName("sourceForm")
        self.form.changed.connect(self._on_changed)
        self._help.attend(self.form)
        self._sides.insertWidget(0, self.form, 3)

    def _on_tried(self, trial: "Trial") -> None:
        """The document has been read: its security schemes have fields of their own from here on."""
        if self.form is not None and trial.schemes and trial.schemes != self._schemes:
            self._schemes = trial.schemes
            self._make_form(self.form.kind, self.form.values())

    def _keep_draft(self) -> None:
        if self._entry is None and self.form is not None and (draft := self.form.draft()):
            save_draft(self._context, ("source", self.form.kind), DialogDraft({}, draft))

    def _on_changed(self) -> None:
        assert self.form is not None
        self.save_button.setEnabled(not self._busy)
        if self._failed and self.form.is_valid():
            self._say_where(recalled=False)
        self.trial.forget()

    def _start_trial(self) -> Begin | None:
        assert self.form is not None
        if not self.form.is_valid():
            self.form.reveal_faults()
            return None
        entry = KINDS[self.form.kind].entry.model_validate(self.values())
        return lambda: self._context.workbench.studio.try_source(entry)

    def _import(self) -> None:
        from ptc_studio.ui.sources.actions import open_import

        self.reject()
        open_import(self._context)

    async def _write(self, values: dict[str, Any], folder: Path | None) -> None:
        if self._index is not None:
            await self._edits.replace_source(self._index, values)
            return
        if folder is not None:
            await make_workspace_of_sources(self._context, folder, values)
        else:
            await self._edits.add_sources(values)
        offer_asking(self._context, [str(values.get("name", ""))])

    def _show_saved(self, values: dict[str, Any], done: Any) -> None:
        del done
        self.saved.emit(values.get("name", values["kind"]))
