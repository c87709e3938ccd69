"""The base of fields for lists and objects: rows, and a button that adds one."""

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ptc_studio.core.json_schema import same
from ptc_studio.ui.forms.field import FormContext, FormField
from ptc_studio.ui.forms.row import FormRow
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.layout import filled

WIDE = 440
"""From this width on labels stand beside their fields."""
NARROWEST, WIDEST = 88, 200


class Column(QWidget):
    """The base of fields that consist of rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.layout_ = filled(QVBoxLayout(self), margins=0, spacing=theme().pixels(2 * SPACE + 2))
        self.wide = 0
        """The width of the column of labels; 0 where they stand above their fields."""
        theme().changed.connect(self._on_theme_changed)

    def labelled_rows(self) -> Iterable[FormRow]:
        """The rows whose labels form the column."""
        return ()

    def align(self) -> None:
        """Gives all labels one width."""
        if self.width() < theme().pixels(WIDE):
            wide = 0
        else:
            hints = [row.label_hint() for row in self.labelled_rows() if row.header is None]
            most = min(theme().pixels(WIDEST), int(self.width() * 0.36))
            wide = min(max([theme().pixels(NARROWEST), *hints]), most)
            wide = max(wide, self._outer_width())
        self.wide = wide
        for row in self.labelled_rows():
            row.set_label_width(wide)
            if isinstance(row.content, Column):
                row.content.align()

    def _outer_width(self) -> int:
        """The width that puts the fields in line with those of the form around."""
        around = self.parentWidget()
        while around is not None:
            if isinstance(around, Column) and around.wide:
                return around.wide - self.mapTo(around, QPoint()).x()
            around = around.parentWidget()
        return 0

    def _on_theme_changed(self) -> None:
        self.layout_.setSpacing(theme().pixels(2 * SPACE + 2))
        self.align()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.align()


class RowsField(FormField, Column):
    """Who derives from it makes the `add_button` where Tab is to come to it.

    Signals: edited: the value is another.
    """

    is_block = True
    edited = Signal()
    added = ""
    """What the button adds, in one word."""
    add_button: QPushButton

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context.deeper(), required=required)
        Column.__init__(self, parent)
        self._read_only = False

    def set_names(self, name: str, description: str) -> None:
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)
        self.add_button.setAccessibleName(f"{name}: add {self.added}" if name else f"Add {self.added}")

    def _made_add_button(self, act: Callable[[], None]) -> QPushButton:
        """The button, below the rows that there are."""
        button = QPushButton(f"Add {self.added}", self)
        button.setAutoDefault(False)
        button.setProperty("flat", True)
        set_icon(button, "plus", "muted")
        button.clicked.connect(act)
        self.layout_.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return button

    def _put(self, row: FormRow, value: Any) -> None:
        """Shows another value in the row; one that is the same stays as it was typed."""
        if not same(row.value(), value) or any(True for _ in row.mistakes()):
            row.set_value(value)

    def _on_edited(self) -> None:
        self.edited.emit()
