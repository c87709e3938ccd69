"""What every field of a form can do; mixed into the widget that it is."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from PySide6.QtWidgets import QWidget

from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import ABSENT, FieldError, Path, Step
from ptc_studio.ui.stylesheet import set_property

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
