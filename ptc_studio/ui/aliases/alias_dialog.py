"""Makes an alias, or changes one: its fields, and beside them what becomes of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout

from ptc_studio.core.aliases import Alias, spec_through
from ptc_studio.core.registry import Target
from ptc_studio.storage.edited_file import Undo
from ptc_studio.ui.aliases.alias_form import AliasForm
from ptc_studio.ui.aliases.keeping import AliasKeeper, make_workspace_of_alias
from ptc_studio.ui.aliases.preview_pane import PreviewPane
from ptc_studio.ui.aliases.verdicts import Neighbours
from ptc_studio.ui.forms.focus_order import focusable, go_to, neighbour
from ptc_studio.ui.sources.drafts import Draft, keep_draft, take_draft
from ptc_studio.ui.sources.saving_dialog import SavingDialog
from ptc_studio.ui.theme import theme
from ptc_studio.ui.trying.try_pane import KEYS
from ptc_studio.ui.widgets.rule import upright_rule

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow

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
    no_workspace = "There is no workspace yet: Create asks for a folder to keep it in."

    def __init__(self, window: "MainWindow", values: dict[str, Any] | None = None, former: str = "") -> None:
        """With the name that it has in the file it is changed; else a new one is made, of which some may be known."""
        super().__init__(window, "Edit alias" if former else "New alias", WIDTH, HEIGHT)
        self.setObjectName("aliasDialog")
        self._former = former
        self._keeper = AliasKeeper(window)
        self._key = ("alias", former, (values or {}).get("tool", ""))
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.show_previews)
        self._lay_out()
        self.form.set_values(values or {})
        self._began = self.form.values()
        draft = take_draft(window, self._key, self._began)
        if draft is not None:
            self.form.set_values(draft)
        self._say_where(recalled=draft is not None)
        self.show_previews()
        self._connect()
        self._on_changed()
        self.form.begin()
        window.workbench.start(self._begin(self._keeper))

    def values(self) -> dict[str, Any]:
        return self.form.values()

    def save(self) -> None:
        """Writes the entry, asking where if there is no workspace yet."""
        if self._busy:
            return
        problem = self.form.problem()
        if problem:
            self.form.reveal()
            self.say_failed(problem)
        else:
            self._save_or_ask()

    def show_previews(self) -> None:
        """Draws what becomes of the alias."""
        self._pause.stop()
        self.previews.show_target(self._target(), self.form.problem())

    def _lay_out(self) -> None:
        studio = self._window.workbench.studio
        self.form = AliasForm(self._neighbours(), studio.limits, self._former)
        self.previews = PreviewPane(self._window.workbench)
        self.previews.script.set_language(self._language())
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
        self._window.closed.connect(self.reject)
        for keys in KEYS:
            # The pane has them for itself.
            shortcut = QShortcut(QKeySequence(keys), self.form, self._try)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._window.workbench.tools_loaded.connect(self._on_tools_loaded)

    def _try(self) -> None:
        """Calls it as it is filled in at this moment."""
        self.show_previews()
        self.previews.show_trial()
        self.previews.trial.call()

    def _language(self) -> str:
        page = self._window.editors.current()
        return page.language if page is not None else self._window.runtimes.language()

    def _neighbours(self) -> Neighbours:
        studio = self._window.workbench.studio
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
        self.save_button.setEnabled(not self._busy and not self.form.problem())
        self._pause.start()

    def _on_tools_loaded(self) -> None:
        if not self._busy:
            self.form.set_neighbours(self._neighbours())

    def _keep_draft(self) -> None:
        values = self.values()
        if values != self._began:
            keep_draft(self._window, self._key, Draft(self._began, values))
            self.left.emit()

    async def _write(self, values: dict[str, Any], folder: Path | None) -> Undo | None:
        if folder is not None:
            await make_workspace_of_alias(self._window, folder, values)
            return None
        if self._former:
            return await self._keeper.change(self._former, values)
        return await self._keeper.add(values)

    def _tell_saved(self, values: dict[str, Any], done: Undo | None) -> None:
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
