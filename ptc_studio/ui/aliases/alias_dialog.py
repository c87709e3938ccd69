"""Makes an alias, or changes one: its fields, and beside them what becomes of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from ptc_studio.core.aliases import Alias, spec_through
from ptc_studio.core.errors import PtcError
from ptc_studio.core.registry import Target
from ptc_studio.storage.edited_file import Undo
from ptc_studio.ui.aliases.alias_form import AliasForm
from ptc_studio.ui.aliases.drafts import Draft, keep_draft, take_draft
from ptc_studio.ui.aliases.keeping import AliasKeeper, make_workspace
from ptc_studio.ui.aliases.preview_pane import PreviewPane
from ptc_studio.ui.aliases.verdicts import Neighbours
from ptc_studio.ui.forms.focus_order import focusable, neighbour
from ptc_studio.ui.sources.framed_dialog import FramedDialog
from ptc_studio.ui.theme import theme

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow

WIDTH, HEIGHT = 1140, 760
PAUSE_MS = 120
"""So long nothing is typed before the previews are drawn anew."""
TRY_KEYS = ("Ctrl+Return", "Ctrl+Enter")
NAMELESS = "your_alias"
NO_WORKSPACE = "There is no workspace yet: Create asks for a folder to keep it in."
RECALLED = "What you had begun is here again; it is not saved yet."


class AliasDialog(FramedDialog):
    """Shown with `open()`.

    Signals: saved(former, name, undo): it is in the file, and the studio knows it. left(): closed with work unsaved.
    """

    saved = Signal(str, str, object)
    left = Signal()

    def __init__(self, window: "MainWindow", values: dict[str, Any] | None = None, former: str = "") -> None:
        """With the name that it has in the file it is changed; else a new one is made, of which some may be known."""
        super().__init__(window, "Edit alias" if former else "New alias", WIDTH, HEIGHT)
        self.setObjectName("aliasDialog")
        self._window, self._former = window, former
        self._keeper = AliasKeeper(window)
        self._busy = False
        self._key = (former, (values or {}).get("tool", ""))
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
        window.workbench.start(self._begin())

    def values(self) -> dict[str, Any]:
        """The entry as the file will have it."""
        return self.form.values()

    def save(self) -> None:
        """Writes the entry, asking where if there is no workspace yet."""
        if self._busy:
            return
        problem = self.form.problem()
        if problem:
            self.form.reveal()
            self.say_failed(problem)
        elif self._window.workbench.studio.has_workspace:
            self._window.workbench.start(self._save())
        else:
            self._ask_for_folder()

    def save_in(self, folder: Path) -> None:
        """Makes the folder a workspace that has this alias."""
        self._window.workbench.start(self._save(folder))

    def show_previews(self) -> None:
        """Draws what becomes of the alias."""
        self._pause.stop()
        self.previews.show_target(self._target(), self.form.problem())

    def _lay_out(self) -> None:
        studio = self._window.workbench.studio
        self.form = AliasForm(self._neighbours(), studio.limits, self._former)
        self.previews = PreviewPane(self._window.workbench)
        self.previews.script.set_language(self._language())
        self.previews.setMinimumWidth(theme().pixels(300))
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.form, 12)
        body.addWidget(_upright_rule())
        body.addWidget(self.previews, 10)
        self.set_body(body)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Save" if self._former else "Create alias", self.save, default=True)
        self.save_button.setObjectName("saveAliasButton")

    def _connect(self) -> None:
        self.form.changed.connect(self._on_changed)
        self.finished.connect(self.previews.trial.cancel)
        self.rejected.connect(self._keep_draft)
        self._window.closed.connect(self.reject)
        for keys in TRY_KEYS:
            # The pane has the same keys for itself.
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

    async def _begin(self) -> None:
        if not self._window.workbench.studio.has_workspace:
            return
        try:
            await self._keeper.begin()
        except PtcError as error:
            self.say_failed(str(error))

    def _say_where(self, *, recalled: bool) -> None:
        studio = self._window.workbench.studio
        if studio.fault:
            self.say_failed(studio.fault)
        elif recalled:
            self.say(RECALLED)
        else:
            self.say("Saved to studio.yaml" if studio.has_workspace else NO_WORKSPACE)

    def _ask_for_folder(self) -> None:
        dialog = QFileDialog(self, "A folder for the workspace")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.save_in(Path(name)))
        dialog.open()

    async def _save(self, folder: Path | None = None) -> None:
        values = self.values()
        self._set_busy(True)
        done: Undo | None = None
        try:
            if folder is not None:
                await make_workspace(self._window, folder, values)
            elif self._former:
                done = await self._keeper.change(self._former, values)
            else:
                done = await self._keeper.add(values)
        except PtcError as error:
            self._set_busy(False)
            self.say_failed(str(error))
            return
        self.saved.emit(self._former, values["name"], done)
        self.accept()

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        self.save_button.setEnabled(not busy)
        if busy:
            self.say("◐ Saving…")

    def focusNextPrevChild(self, forward: bool) -> bool:
        """As the eye goes: lines of parameters are made later than what stands below them."""
        order, current = focusable(self), self.focusWidget()
        following = neighbour(self, current, forward=forward) if current is not None else None
        if following is None:
            following = order[0 if forward else -1]
        following.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True


def _upright_rule() -> QWidget:
    line = QWidget()
    line.setProperty("role", "line")
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    line.setFixedWidth(1)
    return line
