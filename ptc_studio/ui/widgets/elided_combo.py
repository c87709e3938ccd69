"""A combo box that cuts what it shows with an ellipsis where there is little room; its tooltip has all of it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE


class ElidedCombo(QComboBox):
    """Qt's own cuts letters in two."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentTextChanged.connect(self.setToolTip)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        room = max(0, self.width() - theme().pixels(8 * SPACE))
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)
