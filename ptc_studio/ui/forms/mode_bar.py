"""The line above a form: form or JSON, and what was filled in before."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QToolButton, QWidget

from ptc_studio.ui.icons import set_icon
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import plain_tip


class ModeBar(QWidget):
    """Two toggles, and a menu where there is a history.

    Signals: json_wanted(bool): the other side is wanted. recalled(value): a former value is wanted again.
    """

    json_wanted = Signal(bool)
    recalled = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.form_button = self._toggle("Form", "The value in fields")
        self.json_button = self._toggle("JSON", "The value as text")
        self.form_button.setChecked(True)
        group = QButtonGroup(self)
        group.addButton(self.form_button, 0)
        group.addButton(self.json_button, 1)
        group.idClicked.connect(lambda which: self.json_wanted.emit(bool(which)))
        self.recent_button = QToolButton()
        self.recent_button.setText("Recent")
        self.recent_button.setProperty("flat", True)
        self.recent_button.setToolTip("Values used before")
        self.recent_button.setAccessibleName("Recent values")
        self.recent_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.recent_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.recent_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_icon(self.recent_button, "history", "muted")
        self.menu = QMenu(self.recent_button)
        self.menu.setToolTipsVisible(True)
        self.recent_button.setMenu(self.menu)
        self.recent_button.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        layout.addWidget(self.form_button)
        layout.addWidget(self.json_button)
        layout.addStretch(1)
        layout.addWidget(self.recent_button)

    def set_json(self, json: bool) -> None:
        """Shows which side is seen."""
        (self.json_button if json else self.form_button).setChecked(True)

    def offer(self, history: Sequence[Mapping[str, Any]]) -> None:
        """Offers former values, the latest first; with none there is no button."""
        self.menu.clear()
        for entry in history:
            label, value = str(entry["label"]), entry["value"]
            action = self.menu.addAction(label if len(label) <= 60 else label[:59] + "…")
            action.setToolTip(plain_tip(label))
            action.triggered.connect(lambda _=False, value=value: self.recalled.emit(value))
        self.recent_button.setVisible(bool(history))

    def _toggle(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(plain_tip(tip))
        button.setCheckable(True)
        button.setProperty("flat", True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(f"Show as {text}")
        return button
