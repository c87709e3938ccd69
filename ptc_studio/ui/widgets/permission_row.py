"""Whether something may be called, who says so, and another choice."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QVBoxLayout, QWidget

from ptc_studio.core.tools import Permission
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.flow_layout import FlowLayout
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip

CHOICES: tuple[Permission | None, ...] = (None, "allow", "ask", "deny")
TEXTS = ("As is", "Allow", "Ask", "Deny")
WORDS: dict[Permission, str] = {"allow": "✓ Allowed", "ask": "◆ Asks first", "deny": "▲ Denied"}
TONES: dict[Permission, str] = {"allow": "ok", "ask": "warning", "deny": "error"}
ABOUT = ("What the source or the tool itself says", "Calls happen", "A person is asked", "Calls are refused")


class PermissionRow(QWidget):
    """A sentence, and below it four choices of which one is on.

    Signals: chosen(permission or None): the user wants another one.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.said = PlainLabel(wordWrap=True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._own: Permission | None = None
        self._group = QButtonGroup(self)
        self._group.idClicked.connect(self._on_clicked)
        row = FlowLayout(spacing=SPACE)
        for position, text in enumerate(TEXTS):
            row.addWidget(self._button(position, text))
        column = QVBoxLayout(self)
        column.setContentsMargins(10, SPACE, 10, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.said)
        column.addLayout(row)

    def show_of(self, permission: Permission, by: str, own: Permission | None, why_not: str = "") -> None:
        """Of a tool or an alias: what counts, who says so, and what is said of itself."""
        comma = "," if permission == "ask" else ""
        self._show(f"{WORDS[permission]}{comma} by {by or 'default'}", TONES[permission], own, why_not)

    def show_of_source(self, own: Permission | None, why_not: str = "") -> None:
        """Of a source: it speaks for its tools, unless they are spoken of themselves."""
        said = f"{WORDS[own]}, unless a tool says otherwise" if own else "As each tool says"
        self._show(said, TONES[own] if own else "muted", own, why_not)

    def button(self, permission: Permission | None) -> QPushButton:
        """The choice, for tests."""
        found = self._group.button(CHOICES.index(permission))
        assert isinstance(found, QPushButton)
        return found

    def _show(self, said: str, tone: str, own: Permission | None, why_not: str) -> None:
        self._own = own
        self.said.setText(said)
        self.said.setStyleSheet(f"color: {theme().colour(tone).name()};")
        self.button(own).setChecked(True)
        for position, button in enumerate(self._group.buttons()):
            button.setEnabled(not why_not)
            button.setToolTip(plain_tip(why_not or ABOUT[position]))

    def _button(self, position: int, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setCheckable(True)
        button.setAutoDefault(False)
        button.setProperty("flat", True)
        button.setAccessibleName(f"Permission: {text}")
        self._group.addButton(button, position)
        return button

    def _on_clicked(self, position: int) -> None:
        # What counts is shown when the file says so.
        self.button(self._own).setChecked(True)
        if CHOICES[position] != self._own:
            self.chosen.emit(CHOICES[position])
