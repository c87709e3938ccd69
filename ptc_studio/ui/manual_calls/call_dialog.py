"""The window in which one tool or alias is called by hand; it stays open beside the others."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from ptc_studio.core.errors import ToolNotFound
from ptc_studio.ui.manual_calls.try_pane import TryPane
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import rule

if TYPE_CHECKING:
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.workbench import Workbench

WIDTH, HEIGHT = 640, 680
ROOM = 48
"""What is left free of the window around it."""
MOST_TEXT = 400
"""Characters of the description; all of it is in the tooltip."""


class CallDialog(QDialog):
    """Not modal: a script can be run and watched meanwhile. Escape closes it, which gives up a call under way."""

    def __init__(self, workbench: "Workbench", name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("callDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._workbench = workbench
        self.name = name
        self.setWindowTitle(f"Call {name}")
        self.heading, self.about, self.text = PlainLabel(name), PlainLabel(), PlainLabel(wordWrap=True)
        for label in (self.heading, self.about, self.text):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.about.setProperty("role", "muted")
        self.pane = TryPane(workbench)
        self._lay_out(parent)
        theme().changed.connect(self._restyle)
        workbench.tools_loaded.connect(self._refresh)
        self._restyle()
        self._refresh()

    def fill(self, arguments: Mapping[str, Any], note: str = "") -> None:
        """Fills the form in, and says what is to be known of that."""
        self.pane.set_arguments(arguments, note)

    @property
    def target(self) -> "Target | None":
        return self.pane.target

    def _refresh(self) -> None:
        """Shows the tool as it is now."""
        registry = self._workbench.studio.registry
        try:
            target = registry.resolve(self.name)
        except ToolNotFound as error:
            off = any(alias.name == self.name and not alias.enabled for alias in registry.aliases)
            self.pane.set_target(
                None, f"The alias {self.name!r} is disabled: enable it to call it." if off else str(error)
            )
            return
        alias, spec = target.alias, target.spec
        self.about.setText(f"alias of {alias.tool} · {spec.source}" if alias else spec.source)
        said = " ".join(spec.description.split())
        self.text.setText(said if len(said) <= MOST_TEXT else said[: MOST_TEXT - 1] + "…")
        self.text.setToolTip(plain_tip(spec.doc if len(said) > MOST_TEXT else ""))
        self.text.setVisible(bool(said))
        self.pane.set_target(target)

    def _lay_out(self, parent: QWidget | None) -> None:
        edge, space = theme().pixels(3 * SPACE), theme().pixels(2 * SPACE)
        head = QVBoxLayout()
        head.setContentsMargins(edge, edge, edge, space)
        head.setSpacing(theme().pixels(SPACE))
        for label in (self.heading, self.about, self.text):
            head.addWidget(label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(rule())
        column.addWidget(self.pane, 1)
        width, height = theme().pixels(WIDTH), theme().pixels(HEIGHT)
        if parent is not None:
            room = parent.window().size()
            width, height = min(width, max(480, room.width() - ROOM)), min(height, max(400, room.height() - ROOM))
        self.resize(width, height)

    def _restyle(self) -> None:
        font = theme().code_font()
        self.heading.setStyleSheet(
            f"color: {theme().colours.tool}; font-family: '{font.family()}'; font-size: {font.pixelSize() + 2}px;"
            "font-weight: 600;"
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.pane.start()

    def changeEvent(self, event: QEvent) -> None:
        # Tools come and go by themselves; whoever comes back to the dialog sees them as they are.
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._refresh()
        super().changeEvent(event)
