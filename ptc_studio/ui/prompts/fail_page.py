"""The error that a person has a call fail with."""

from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from ptc_studio.core.answering.named_errors import error_names
from ptc_studio.core.permissions import Reply
from ptc_studio.ui.tokens import SPACE


class FailPage(QWidget):
    """Type and message; the script catches it as if the tool had raised it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = QComboBox()
        self.kind.addItems(error_names())
        self.kind.setAccessibleName("Type of the error")
        self.message = QLineEdit()
        self.message.setPlaceholderText("What the script is told")
        self.message.setAccessibleName("Message of the error")
        form = QFormLayout(self)
        form.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        form.setSpacing(2 * SPACE)
        form.addRow("Error", self.kind)
        form.addRow("Message", self.message)

    def reply(self) -> Reply:
        return Reply(error=self.kind.currentText(), message=self.message.text())
