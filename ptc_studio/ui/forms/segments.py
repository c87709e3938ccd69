"""A few choices side by side, of which one is on."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.flow_layout import FlowLayout


class Segments(QWidget):
    """Buttons in a row; the arrow keys go from one to the next.

    Signals: picked(position): the user chose it.
    """

    picked = Signal(int)

    def __init__(self, texts: Sequence[str], *, unset: int = -1, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        layout = FlowLayout(self, spacing=2 * SPACE)
        for position, text in enumerate(texts):
            button = QPushButton(text, self)
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setAccessibleName(text)
            button.setProperty("segment", "unset" if position == unset else "true")
            self._group.addButton(button, position)
            layout.addWidget(button)
        self._group.idClicked.connect(self.picked)

    def current(self) -> int:
        """The position of the one that is on; -1 for none."""
        return self._group.checkedId()

    def button(self, position: int) -> QPushButton:
        found = self._group.button(position)
        assert isinstance(found, QPushButton)
        return found

    def set_current(self, position: int) -> None:
        """Turns one on, or none."""
        if position < 0:
            self._group.setExclusive(False)
            for button in self._group.buttons():
                button.setChecked(False)
            self._group.setExclusive(True)
        else:
            self.button(position).setChecked(True)
