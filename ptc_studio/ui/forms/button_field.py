"""A line with a button that helps to fill it: a file to browse for, the time now, a password to look at."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from ptc_studio.ui.forms.field import Context, Field
from ptc_studio.ui.forms.line_field import LineField
from ptc_studio.ui.forms.schema.faults import Fault
from ptc_studio.ui.forms.schema.formats import now_as
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.tokens import SPACE


class ButtonField(Field, QWidget):
    """The line is the field; the button writes into it.

    Signals: edited: the value is another. outgrown, left: as of the line.
    """

    is_line = True
    edited = Signal()
    outgrown = Signal()
    left = Signal()
    button_text = ""

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        Field.__init__(self, shape, context, required=required)
        QWidget.__init__(self, parent)
        self.line = LineField(shape, context, required=required, parent=self)
        self.button = QPushButton(self.text_of_button(), self)
        self.button.setAutoDefault(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.button)
        self.setFocusProxy(self.line)
        self.button.clicked.connect(self.help_out)
        self.line.edited.connect(self.edited)
        self.line.outgrown.connect(self.outgrown)
        self.line.left.connect(self.left)

    def text_of_button(self) -> str:
        """What stands on it."""
        return self.button_text

    def help_out(self) -> None:
        """What the button does."""

    def value(self) -> Any:
        return self.line.value()

    def set_value(self, value: Any) -> None:
        self.line.set_value(value)

    def set_read_only(self, read_only: bool) -> None:
        self.line.set_read_only(read_only)
        self.button.setEnabled(not read_only)

    def set_null(self, null: bool) -> None:
        self.line.set_null(null)
        self.button.setEnabled(not null)

    def set_names(self, name: str, description: str) -> None:
        super().set_names(name, description)
        self.button.setAccessibleName(f"{name}: {self.button.text()}")

    def mistakes(self) -> Iterator[Fault]:
        return self.line.mistakes()

    def target(self) -> QWidget:
        return self.line


class FileField(ButtonField):
    """The path of a file."""

    button_text = "Browse…"
    mode = QFileDialog.FileMode.AnyFile

    def help_out(self) -> None:
        dialog = QFileDialog(self, self.line.accessibleName(), self.line.text())
        dialog.setFileMode(self.mode)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.line.setText)
        dialog.open()


class FolderField(FileField):
    """The path of a folder."""

    mode = QFileDialog.FileMode.Directory


class MomentField(ButtonField):
    """A date, a time, or both."""

    def text_of_button(self) -> str:
        return "Today" if self.shape.keywords.get("format") == "date" else "Now"

    def help_out(self) -> None:
        self.line.setText(now_as(str(self.shape.keywords.get("format")), datetime.now().astimezone()))


class PasswordField(ButtonField):
    """A text that is not shown until it is asked for."""

    button_text = "Show"

    def __init__(self, shape: Shape, context: Context, *, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(shape, context, required=required, parent=parent)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.button.setCheckable(True)

    def help_out(self) -> None:
        shown = self.button.isChecked()
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.button.setText("Hide" if shown else "Show")
