"""What becomes of an alias while it is being filled in: for a script, for a model, and in a call."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from ptc_studio.core.registry import Target
from ptc_studio.ui.aliases.model_view import ModelView
from ptc_studio.ui.aliases.script_view import ScriptView
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.trying import TryPane
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.rule import rule

if TYPE_CHECKING:
    from ptc_studio.ui.workbench import Workbench

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
        self.trial = TryPane(workbench, self)
        # The one main action here is to save.
        set_property(self.trial.call_button, "primary", False)
        self._heading = PlainLabel("Try it")
        self._heading.setProperty("role", "title")
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
