"""Adds a source, or changes one: what kind it is, its form, and a trial beside it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.dialogs.saving_dialog import NO_WORKSPACE, DialogDraft, SavingDialog, save_draft, take_draft
from ptc_studio.ui.sources.asking_offer import offer_asking
from ptc_studio.ui.sources.entry_form import EntryForm
from ptc_studio.ui.sources.form_help import FormHelp
from ptc_studio.ui.sources.kind_cards import KindCards
from ptc_studio.ui.sources.trial_pane import Begin, TrialPane
from ptc_studio.ui.widgets.layout import discard, filled, upright_rule
from ptc_studio.ui.workspace_edits import WorkspaceEdits, make_workspace_of_sources, source_values

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context

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
        self.trial.forget()

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
