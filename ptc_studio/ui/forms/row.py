"""One value of a form: its field, its label, and all that is to be said of it; and how Tab goes through them."""

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QToolButton, QWidget

from ptc_studio.ui.forms.field import FormContext, FormField, Mark
from ptc_studio.ui.forms.row_frame import HELP_LINES, RowFrame, WrappedText
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError, Path, Shape, Step
from ptc_studio.ui.forms.schema.shaping import fresh_value_of, is_group, preview_of
from ptc_studio.ui.theme import set_icon
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import plain_tip

SMALL = 8
LATER = frozenset({"required", "minItems", "minProperties"})
"""What is wrong with a form that nobody has touched is not said before its time."""


def due(errors: Sequence[FieldError], *, touched: bool) -> list[FieldError]:
    """The faults to say now."""
    return [error for error in errors if touched or error.rule not in LATER]


def help_of(shape: Shape) -> str:
    """What is to be known of the field."""
    notes = ["Deprecated."] if shape.deprecated else []
    notes += ["Read only."] if shape.read_only else []
    why = f"As JSON, because {shape.problem}." if shape.problem else ""
    return " ".join(filter(None, (*notes, shape.description, why)))


def is_small(value: Any) -> bool:
    """Whether a value is short enough to be seen at once."""
    return isinstance(value, dict | list) and 0 < len(value) <= SMALL


def tip_of(shape: Shape, label: str) -> str:
    """What may be cut in the row, whole."""
    return shape.description if len(shape.description) > 120 else label if len(label) > 24 else ""


def header_button(parent: QWidget, text: str, name: str, description: str, *, opened: bool) -> QToolButton:
    """Title and chevron of a group."""
    button = QToolButton(parent)
    button.setProperty("header", True)
    button.setCheckable(True)
    button.setChecked(opened)
    button.setText(text)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAccessibleName(name)
    button.setAccessibleDescription(description)
    show_opened(button, opened)
    return button


def show_opened(button: QToolButton, opened: bool) -> None:
    """Turns the chevron."""
    set_icon(button, "chevron-down" if opened else "chevron-right", "muted")


def null_button(name: str) -> QToolButton:
    """On while null stands in for a value."""
    button = QToolButton()
    button.setText("null")
    button.setProperty("flat", True)
    button.setCheckable(True)
    button.setToolTip("Null instead of a value")
    button.setAccessibleName(f"{name}: null")
    return button


DEEPEST_OPEN = 2
"""Groups down to this depth open by themselves for a small value."""
_HANDLE_NULL = ("boolean", "choice", "null", "json", "variants")


class FormRow(RowFrame):
    """Holds any value whatever the schema says: what its field cannot show, JSON can.

    Signals: edited: the user changed the value.
    """

    edited = Signal()

    def __init__(
        self,
        shape: Shape,
        context: FormContext,
        *,
        label: str = "",
        required: bool = False,
        bare: bool = False,
        name: str = "",
        opened: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(label, required=required, parent=parent)
        self.shape = shape
        self.context = context
        self.name = name or label
        """What a screen reader calls it."""
        self.field: FormField | None = None
        self._held: Any = ABSENT
        """The value while there is no field for it."""
        self._explicit = False
        """Whether an empty group was set on purpose, and is not just not filled in."""
        self._null = False
        self._before_null: Any = ABSENT
        self._read_only = False
        self._touched = False
        self._faults: tuple[FieldError, ...] = ()
        self._inside = 0
        self._revealed = False
        self.null_button: QToolButton | None = None
        self.set_button: QToolButton | None = None
        self._group = is_group(shape)
        self.help = WrappedText(help_of(shape), HELP_LINES) if not bare else WrappedText()
        if self._group and not bare:
            self._make_header(opened)
        if shape.nullable and shape.kind not in _HANDLE_NULL:
            self._make_null_button()
        if self.header is None or opened:
            self._build(ABSENT)
        self.setToolTip(plain_tip(tip_of(shape, label)))
        self.refresh()

    @property
    def is_open(self) -> bool:
        """Whether what is inside can be seen."""
        return self.header is None or self.header.isChecked()

    def set_open(self, opened: bool) -> None:
        """Shows or hides what is inside."""
        if self.header is not None and self.header.isChecked() != opened:
            self.header.setChecked(opened)

    def value(self) -> Any:
        """The exact value, or `ABSENT`."""
        if self._null:
            return None
        if self.field is None:
            return self._held
        value = self.field.value()
        if not self._explicit and self.field.is_block and isinstance(value, dict | list) and not value:
            return ABSENT
        return value

    def set_value(self, value: Any) -> None:
        """Shows another value; says nothing."""
        self._explicit = value is not ABSENT
        self._touched = False
        self._show_null(value is None and self.null_button is not None)
        shown = ABSENT if self._null else value
        if self.field is None and self.context.depth <= DEEPEST_OPEN and is_small(value):
            self.set_open(True)
        if self.field is None and not self.is_open:
            self._held = shown
        else:
            self._build(shown)
        self.refresh()

    def set_read_only(self, read_only: bool) -> None:
        """Whether the value can only be looked at."""
        self._read_only = read_only
        if self.field is not None:
            self.field.set_read_only(read_only or self.shape.read_only)
        for button in (self.null_button, self.set_button, *self.trailing):
            if button is not None:
                button.setEnabled(not read_only)
        if self.label_widget is not None:
            self.label_widget.setEnabled(not read_only)

    def child(self, step: Step) -> "FormRow | None":
        """The row of a value inside, if it has been drawn."""
        return self.field.rows().get(step) if self.field is not None else None

    def mistakes(self) -> Iterator[FieldError]:
        """What the user wrote that is no value at all."""
        if self.field is not None and not self._null:
            yield from self.field.mistakes()

    def chosen(self) -> Iterator[tuple[Path, tuple[str, int]]]:
        """The alternatives that the user chose."""
        if self.field is not None:
            yield from self.field.chosen()

    def show_faults(self, errors: Sequence[FieldError], inside: int = 0, *, revealed: bool = False) -> None:
        """Says what is wrong here, and how much is inside."""
        self._faults, self._inside = tuple(errors), inside
        self._revealed = self._revealed or revealed
        self._say()

    def touch(self) -> None:
        """From now on everything that is wrong is said."""
        if not self._touched:
            self._touched = True
            self._say()

    def refresh(self) -> None:
        """Brings the line of a group up to date."""
        if self.header is None:
            return
        value = self.value()
        hidden = f"✕ {self._inside} to correct inside · " if self._inside and not self.is_open else ""
        self.summary = hidden + ("" if self._shows_all() else "null" if value is None else preview_of(value))
        if self.set_button is not None:
            absent = value is ABSENT
            # What is required cannot be left out, but an empty one can be given.
            self.set_button.setVisible(not self._null and (absent or not self.required))
            text = f"Set {self.name}" if absent else f"Leave {self.name} out"
            if self.set_button.toolTip() != text:
                set_icon(self.set_button, "plus" if absent else "close", "muted")
                self.set_button.setToolTip(plain_tip(text))
                self.set_button.setAccessibleName(text)
        self.replan()

    def _shows_all(self) -> bool:
        return self.is_open and self.shape.kind != "array" and (self.value() or self.shape.kind == "variants")

    def _make_header(self, opened: bool) -> None:
        self.header = header_button(self, self.label, self.name, self.help.text, opened=opened)
        self.header.toggled.connect(self._on_toggled)
        if self.shape.kind != "variants":
            self.set_button = flat_button("plus", f"Set {self.name}", self._on_set_pressed)
            self.add_trailing(self.set_button)

    def _make_null_button(self) -> None:
        self.null_button = null_button(self.name)
        self.null_button.clicked.connect(self._on_null_clicked)
        self.add_trailing(self.null_button)

    def _build(self, value: Any) -> None:
        """Has the value shown by the field that can."""
        kind = self.context.kind_for(self.shape, value, self.context)
        if type(self.field) is not kind:
            self._replace_field(kind(self.shape, self.context, required=self.required, parent=self))
        assert self.field is not None
        self._held = ABSENT
        self.field.set_value(value)
        self.field.set_null(self._null)

    def _replace_field(self, made: FormField) -> None:
        if self.field is not None:
            self.field.widget().hide()
            self.field.widget().deleteLater()
        self.field, widget = made, made.widget()
        self.is_line = made.is_line
        self.content = widget
        if self.isVisible() or not self.is_open:
            widget.setVisible(self.is_open)
        made.set_names(self.name, self.help.text)
        if self._read_only or self.shape.read_only:
            made.set_read_only(True)
        made.edited.connect(self._on_edited)
        for name, act in (("left", self.touch), ("outgrown", self._on_outgrown)):
            if hasattr(made, name):
                getattr(made, name).connect(act)
        self.replan()

    def _show_null(self, null: bool) -> None:
        self._null = null
        if self.null_button is not None:
            self.null_button.setChecked(null)
        if self.field is not None:
            self.field.set_null(null)

    def _say(self) -> None:
        said = due(self._faults, touched=self._touched or self._revealed)
        mark: Mark = "" if not said else "advice" if said[0].advice else "fault"
        text = said[0].message if said else ""
        if text != self.fault.text or mark != self.mark:
            self.fault, self.mark = WrappedText(text), mark
            if self.field is not None and not self.field.is_block:
                self.field.set_mark(mark)
                self.field.set_names(self.name, " ".join(filter(None, (text, self.help.text))))
            self.replan()
        self.refresh()

    def _on_edited(self) -> None:
        self._touched = True
        if self.shape.kind == "array":
            self._explicit = True
        self.refresh()
        self.edited.emit()

    def _on_outgrown(self) -> None:
        self._build(self.value())
        if self.field is not None:
            self.field.target().setFocus()

    def _on_toggled(self, opened: bool) -> None:
        assert self.header is not None
        show_opened(self.header, opened)
        if opened and self.field is None:
            self._build(self._held)
        if self.content is not None:
            self.content.setVisible(opened)
        self.refresh()

    def _on_set_pressed(self) -> None:
        if self.value() is ABSENT:
            self.set_value(fresh_value_of(self.shape))
            self.set_open(True)
        else:
            self.set_value(ABSENT)
        self._on_edited_by_button()

    def _on_null_clicked(self, null: bool) -> None:
        if null:
            self._before_null = self.value()
            self.set_value(None)
        else:
            self.set_value(self._before_null)
        self._on_edited_by_button()

    def _on_edited_by_button(self) -> None:
        self._touched = True
        self.edited.emit()


def focusable(root: QWidget) -> list[QWidget]:
    """What takes the focus with Tab, in order."""
    return [widget for widget in _walk(root) if _takes_tab(widget)]


def neighbour(root: QWidget, current: QWidget, *, forward: bool) -> QWidget | None:
    """Where Tab leads from a widget inside; None when it leads out."""
    order, context = focusable(root), current.parentWidget()
    while current not in order and context is not None and current is not root:
        current, context = context, context.parentWidget()
    if current not in order:
        return None
    location = order.index(current) + (1 if forward else -1)
    return order[location] if 0 <= location < len(order) else None


def go_to(widget: QWidget, *, forward: bool) -> None:
    """Gives it the focus, as Tab or its opposite does."""
    widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)


def _walk(widget: QWidget) -> Iterator[QWidget]:
    if not widget.isVisibleTo(widget.window()):
        return
    yield widget
    for child in _children(widget):
        yield from _walk(child)


def _children(widget: QWidget) -> list[QWidget]:
    if isinstance(widget, FormRow):
        parts = [widget.header, widget.label_widget, widget.content, *widget.trailing]
        return [part for part in parts if part is not None]
    layout = widget.layout()
    if layout is not None:
        return list(_laid_out(layout))
    return [child for child in widget.children() if isinstance(child, QWidget) and not child.isWindow()]


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    """The widgets of a layout and of those in it, in its order."""
    for position in range(layout.count()):
        item = layout.itemAt(position)
        widget, inner = (item.widget(), item.layout()) if item is not None else (None, None)
        if widget is not None:
            yield widget
        elif inner is not None:
            yield from _laid_out(inner)


def _takes_tab(widget: QWidget) -> bool:
    tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return tab and widget.isEnabled() and widget.focusProxy() is None
