"""What every field of a form can do, and the field of one line, base of all that is typed as text."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from ptc_studio.ui.forms.controls import suggest
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError, Path, Shape, Step, now_as
from ptc_studio.ui.forms.schema.shaping import placeholder_of
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.layout import filled

if TYPE_CHECKING:
    from ptc_studio.ui.forms.row import FormRow


Labels = Literal["names", "titles"]
Mark = Literal["", "fault", "advice"]
NO_ROWS: Mapping[Step, "FormRow"] = {}


@dataclass(frozen=True, slots=True)
class FormContext:
    """What all fields of one form share."""

    checker: Checker
    kind_for: "KindFor"
    """The kind of field that can show a value exactly."""
    labels: Labels = "names"
    """Whether fields are called by their keys, as scripts know them, or by their titles."""
    depth: int = 0
    """How many groups are around."""

    def deeper(self) -> "FormContext":
        """For what is inside a group."""
        return replace(self, depth=self.depth + 1)


KindFor = Callable[[Shape, Any, FormContext], "type[FormField]"]


class FormField:
    """One value on the screen, exactly as it is; `ABSENT` where it is left out.

    Signals of each: edited: the user changed the value.
    """

    is_block: ClassVar[bool] = False
    """Whether it stands below its label, as a group."""
    is_line: ClassVar[bool] = False
    """Whether it is as high as one line, whatever it holds."""
    edited: Any

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        del parent
        self.shape = shape
        self.context = context
        self.required = required

    def value(self) -> Any:
        """The exact value."""
        return ABSENT

    def set_value(self, value: Any) -> None:
        """Shows another value; says nothing."""
        raise NotImplementedError

    def set_read_only(self, read_only: bool) -> None:
        """Whether the value can only be looked at."""
        self.widget().setEnabled(not read_only)

    def mistakes(self) -> Iterator[FieldError]:
        """What the user wrote that is no value at all."""
        yield from ()

    def chosen(self) -> Iterator[tuple[Path, tuple[str, int]]]:
        """The alternatives that the user chose, at their places."""
        yield from ()

    def rows(self) -> Mapping[Step, "FormRow"]:
        """The rows of the values inside."""
        return NO_ROWS

    def set_mark(self, mark: Mark) -> None:
        """Shows that something is wrong here, or could be."""
        set_property(self.target(), "mark", mark)

    def set_names(self, name: str, description: str) -> None:
        """What a screen reader says."""
        self.target().setAccessibleName(name)
        self.target().setAccessibleDescription(description)

    def set_null(self, null: bool) -> None:
        """Shows that null stands in for any value."""
        self.widget().setEnabled(not null)

    def widget(self) -> QWidget:
        """Itself, as the widget that it is."""
        assert isinstance(self, QWidget)
        return self

    def target(self) -> QWidget:
        """What takes the keys."""
        return self.widget()


_NEVER_EMPTY = ("format", "pattern")


class LineField(FormField, QLineEdit):
    """Empty means left out; where the text is required and may be empty, it means the empty text.

    Signals: edited: the value is another. outgrown: a text of several lines was pasted. left: the focus went on.
    """

    is_line = True
    edited = Signal()
    outgrown = Signal()
    left = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        QLineEdit.__init__(self, parent)
        self._value: Any = ABSENT
        self._setting = False
        self._hint = placeholder_of(shape)
        self.setPlaceholderText(self._hint)
        self.textChanged.connect(self._on_text_changed)

    def value(self) -> Any:
        return self._value

    def set_value(self, value: Any) -> None:
        self._setting = True
        self.setText("" if value is ABSENT else self.text_of(value))
        self.setCursorPosition(0)
        self._setting = False
        self._take(value)

    def set_read_only(self, read_only: bool) -> None:
        self.setReadOnly(read_only)

    def set_null(self, null: bool) -> None:
        self.setEnabled(not null)
        self.setPlaceholderText("null" if null else self._hint)

    def text_of(self, value: Any) -> str:
        """How a value is written."""
        return value

    def value_of(self, text: str) -> Any:
        """The value that the text stands for."""
        return text if text or self._may_be_empty() else ABSENT

    def _may_be_empty(self) -> bool:
        return self.required and not any(key in self.shape.keywords for key in _NEVER_EMPTY)

    def _take(self, value: Any) -> None:
        self._value = value
        if not self.required and value is not ABSENT and not self.isClearButtonEnabled():
            self.setClearButtonEnabled(True)
        self.setPlaceholderText("empty text" if value == "" and not self.required else self._hint)

    def _on_text_changed(self, text: str) -> None:
        if self._setting:
            return
        self._take(self.value_of(text))
        self.edited.emit()
        if "\n" in text or "\r" in text:
            self.outgrown.emit()

    def _suggest(self) -> None:
        """Offers the schema's examples; made at the first focus, for most fields never get it."""
        texts = [self.text_of(example) for example in self.shape.examples if self.can_write(example)]
        if texts and self.completer() is None:
            suggest(self, texts)

    def can_write(self, value: Any) -> bool:
        """Whether an example can be typed here."""
        return isinstance(value, str) and "\n" not in value

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._suggest()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.left.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        if self.shape.kind == "text" and not self.isReadOnly():
            menu.addSeparator()
            menu.addAction(self._empty_action())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _empty_action(self) -> QAction:
        action = QAction("Set to the empty text", self)
        action.triggered.connect(self.set_empty)
        return action

    def set_empty(self) -> None:
        """Makes the value the empty text, which is not the same as leaving it out."""
        self.set_value("")
        self.edited.emit()


class ButtonField(FormField, QWidget):
    """The line is the field; the button writes into it.

    Signals: edited: the value is another. outgrown, left: as of the line.
    """

    is_line = True
    edited = Signal()
    outgrown = Signal()
    left = Signal()
    button_text = ""

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        QWidget.__init__(self, parent)
        self.line = LineField(shape, context, required=required, parent=self)
        self.button = QPushButton(self.text_of_button(), self)
        self.button.setAutoDefault(False)
        filled(QHBoxLayout(self), (self.line, 1), self.button, margins=0, spacing=2 * SPACE)
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

    def mistakes(self) -> Iterator[FieldError]:
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

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(shape, context, required=required, parent=parent)
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.button.setCheckable(True)

    def help_out(self) -> None:
        shown = self.button.isChecked()
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self.button.setText("Hide" if shown else "Show")
