"""Fields that consist of rows, with a button that adds one: their base, and the field for lists."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ptc_studio.core.json_schema import Part, same
from ptc_studio.ui.forms.field import FormContext, FormField
from ptc_studio.ui.forms.row import FormRow
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError, Path, Shape, Step
from ptc_studio.ui.forms.schema.shaping import fresh_value_of, shape_of
from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import plain_tip
from ptc_studio.ui.widgets.layout import discard, filled

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


class ItemRow(FormRow):
    """Its label is its number.

    Signals: remove_wanted: it is to go. move_wanted(step): it is to go up (-1) or down (1).
    """

    remove_wanted = Signal()
    move_wanted = Signal(int)

    def __init__(
        self, position: int, shape: Shape, context: FormContext, *, opened: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            shape,
            context,
            label=str(position + 1),
            required=True,
            name=f"item {position + 1}",
            opened=opened,
            parent=parent,
        )
        self.starred = False
        self.up_button = flat_button("chevron-up", "Move up", lambda: self.move_wanted.emit(-1))
        self.down_button = flat_button("chevron-down", "Move down", lambda: self.move_wanted.emit(1))
        self.remove_button = flat_button("close", "Remove", self.remove_wanted.emit)
        for button in (self.up_button, self.down_button, self.remove_button):
            self.add_trailing(button)

    def set_place(
        self, position: int, *, up: bool, down: bool, movable: bool, removable: bool, read_only: bool
    ) -> None:
        """Where it stands, and so what can be done with it."""
        self.label, self.name = str(position + 1), f"item {position + 1}"
        if self.header is not None:
            self.header.setText(self.label)
            self.header.setAccessibleName(self.name)
        if self.field is not None:
            self.field.set_names(self.name, self.help.text)
        for button, usable in ((self.up_button, up), (self.down_button, down)):
            button.setVisible(movable)
            button.setEnabled(usable and not read_only)
            button.setAccessibleName(f"{button.toolTip()} {self.name}")
        self.remove_button.setEnabled(removable and not read_only)
        self.remove_button.setAccessibleName(f"Remove {self.name}")
        self.replan()

    def label_hint(self) -> int:
        return 0


LABEL = 22
MOST_OPEN = 8


class ArrayField(RowsField):
    """Items of a tuple have their places; all others can be moved.

    Signals: edited: the value is another.
    """

    added = "item"

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(shape, context, required=required, parent=parent)
        self._rows: list[ItemRow] = []
        self._shapes: dict[int, Shape] = {}
        self.add_button = self._made_add_button(self.add_item)
        for keys, step in (("Alt+Up", -1), ("Alt+Down", 1)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self._move_focused(step))

    def value(self) -> list[Any]:
        values = [row.value() for row in self._rows]
        return [None if value is ABSENT else value for value in values]

    def set_value(self, value: Any) -> None:
        given: list[Any] = [] if value is ABSENT else value
        while len(self._rows) > len(given):
            self._drop(self._rows[-1])
        for position, item in enumerate(given):
            if position == len(self._rows):
                self._append(opened=len(given) <= MOST_OPEN)
            self._put(self._rows[position], item)
        self._renumber()

    def set_read_only(self, read_only: bool) -> None:
        self._read_only = read_only
        for row in self._rows:
            row.set_read_only(read_only)
        self._renumber()

    def mistakes(self) -> Iterator[FieldError]:
        for position, row in enumerate(self._rows):
            if row.value() is ABSENT:
                yield FieldError((position,), "Fill it in, or remove the item.", "required")
            for error in row.mistakes():
                yield error.within(position)

    def chosen(self) -> Iterator[tuple[Path, tuple[str, int]]]:
        for position, row in enumerate(self._rows):
            yield from (((position, *path), choice) for path, choice in row.chosen())

    def rows(self) -> Mapping[Step, FormRow]:
        return dict(enumerate(self._rows))

    def labelled_rows(self) -> Iterable[FormRow]:
        return self._rows

    def align(self) -> None:
        for row in self._rows:
            row.set_label_width(theme().pixels(LABEL))

    def target(self) -> QWidget:
        return self.add_button

    def add_item(self) -> None:
        """Adds an item at the end and goes there."""
        row = self._append(opened=True)
        row.set_value(fresh_value_of(row.shape))
        self._renumber()
        self.edited.emit()
        if row.field is not None:
            row.field.target().setFocus()

    def remove_item(self, row: ItemRow) -> None:
        """Removes an item; the focus goes to the next one's button."""
        location = self._rows.index(row)
        self._drop(row)
        self._renumber()
        self.edited.emit()
        near = self._rows[min(location, len(self._rows) - 1)].remove_button if self._rows else self.add_button
        near.setFocus()

    def move_item(self, row: ItemRow, step: int) -> None:
        """Moves an item up or down by one place."""
        location = self._rows.index(row)
        goal = location + step
        if not len(self.shape.prefix) <= min(location, goal) or goal >= len(self._rows):
            return
        self._rows.insert(goal, self._rows.pop(location))
        self.layout_.removeWidget(row)
        self.layout_.insertWidget(goal, row)
        self._renumber()
        self.edited.emit()

    def _part_at(self, position: int) -> Part:
        return self.shape.prefix[position] if position < len(self.shape.prefix) else self.shape.items or ()

    def _shape_at(self, position: int) -> Shape:
        key = min(position, len(self.shape.prefix))
        if key not in self._shapes:
            self._shapes[key] = shape_of(self._part_at(position))
        return self._shapes[key]

    def _append(self, *, opened: bool) -> ItemRow:
        position = len(self._rows)
        row = ItemRow(position, self._shape_at(position), self.context, opened=opened, parent=self)
        row.edited.connect(self._on_edited)
        row.remove_wanted.connect(lambda: self.remove_item(row))
        row.move_wanted.connect(lambda step: self.move_item(row, step))
        row.set_read_only(self._read_only)
        row.set_label_width(theme().pixels(LABEL))
        self._rows.append(row)
        self.layout_.insertWidget(position, row)
        row.show()
        return row

    def _drop(self, row: ItemRow) -> None:
        self._rows.remove(row)
        discard(self.layout_, row)

    def _renumber(self) -> None:
        fixed, count = len(self.shape.prefix), len(self._rows)
        for position, row in enumerate(self._rows):
            row.set_place(
                position,
                up=position > fixed,
                down=fixed <= position < count - 1,
                movable=position >= fixed,
                removable=position >= fixed or position == count - 1,
                read_only=self._read_only,
            )
        most = self.shape.keywords.get("maxItems")
        full = isinstance(most, int) and count >= most
        self.add_button.setVisible(not (self.shape.closed and count >= fixed))
        self.add_button.setEnabled(not full and not self._read_only)
        self.add_button.setToolTip(plain_tip(f"There may be {most} at most" if full else ""))

    def _move_focused(self, step: int) -> None:
        for row in self._rows:
            if row.isAncestorOf(self.focusWidget()):
                self.move_item(row, step)
                return
