"""One parameter by itself, for those who lay out a form of their own."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ptc_studio.ui.forms.factory import new_context
from ptc_studio.ui.forms.fault_places import FaultPlaces
from ptc_studio.ui.forms.looks import dress_form
from ptc_studio.ui.forms.row import Row
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.faults import Fault
from ptc_studio.ui.forms.schema.parts import part_of
from ptc_studio.ui.forms.schema.shaping import shape_of
from ptc_studio.ui.forms.schema.skeleton import fresh_value_of
from ptc_studio.ui.forms.schema.summaries import summary_of
from ptc_studio.ui.forms.schema.values import ABSENT


class ParameterField(QWidget):
    """The field of one value, without a label; what is wrong stands below it.

    Signals: changed: the user changed the value.
    """

    changed = Signal()

    def __init__(self, schema: Any, root: Any, *, name: str, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._part = part_of(schema, root)
        self._checker = Checker(root)
        shape = shape_of(self._part)
        dress_form(self)
        self.summary = summary_of(shape)
        """Such as `integer, 1 to 500 · default 100`."""
        self.row = Row(shape, new_context(self._checker), required=required, bare=True, name=name, parent=self)
        self._places = FaultPlaces(self.row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.row)
        assert self.row.field is not None
        self.setFocusProxy(self.row.field.target())
        self.row.edited.connect(self._on_edited)
        if required:
            self.set_value(fresh_value_of(shape))

    def value(self) -> Any:
        """The exact value; `ABSENT` where there is none."""
        return self.row.value()

    def set_value(self, value: Any) -> None:
        """Shows another value; says nothing."""
        self.row.set_value(value)
        self._check()

    def faults(self) -> list[Fault]:
        """All that is wrong with the value."""
        mistakes, value = list(self.row.mistakes()), self.row.value()
        if value is ABSENT:
            return [*mistakes, *([Fault((), "Required.", "required")] if self.row.required else [])]
        return mistakes + self._checker.faults(value, dict(self.row.chosen()), self._part)

    def is_valid(self) -> bool:
        """Whether nothing is wrong; advice aside."""
        return all(fault.advice for fault in self.faults())

    def reveal_faults(self) -> None:
        """Says everything that is wrong, also if nobody has touched the field."""
        self._places.show(self.faults(), revealed=True)

    def set_read_only(self, read_only: bool) -> None:
        """Whether the value can only be looked at."""
        self.row.set_read_only(read_only)

    def _check(self) -> None:
        self._places.show(self.faults(), revealed=False)

    def _on_edited(self) -> None:
        self._check()
        self.changed.emit()


def field_for(schema: Any, root: Any = True, *, name: str = "", required: bool = False) -> ParameterField:
    """A field for one part of a schema; `root` is the document that its references lead into."""
    return ParameterField(schema, root, name=name, required=required)
