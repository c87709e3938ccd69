"""Fields for objects, a row a property, and for values that follow one of several schemas."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QSizePolicy, QWidget

from ptc_studio.core.json_schema import Part, same
from ptc_studio.core.schema_patterns import is_match
from ptc_studio.ui.forms.controls import QuietCombo, suggest
from ptc_studio.ui.forms.field import FormContext, FormField, Labels
from ptc_studio.ui.forms.row import DEEPEST_OPEN, FormRow
from ptc_studio.ui.forms.rows_field import RowsField
from ptc_studio.ui.forms.schema.checking import Checker
from ptc_studio.ui.forms.schema.shapes import ABSENT, FieldError, Path, Shape, Step, Variant
from ptc_studio.ui.forms.schema.shaping import fresh_value_of, is_group, shape_of, variant_for
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.layout import discard


class KeyRow(FormRow):
    """Key and value, and a button that removes both.

    Signals: key_edited: the key is another. removed: the user wants it gone.
    """

    key_edited = Signal()
    removed = Signal()

    def __init__(
        self,
        key: str | None,
        shape: Shape,
        context: FormContext,
        hints: tuple[str, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(shape, context, required=True, name=key or "new key", opened=context.depth < 2, parent=parent)
        self.key = key
        """None until the user has given one; the empty text is a key, too."""
        self.hints = hints
        self.editor = QLineEdit(key or "", self)
        self.editor.setPlaceholderText("key")
        self.editor.setProperty("code", True)
        self.editor.setAccessibleName(f"Key {key}" if key else "Key")
        self.editor.setMinimumWidth(theme().pixels(60))
        if hints:
            suggest(self.editor, hints)
        self.label_widget = self.editor
        self.editor.textChanged.connect(self._on_key_changed)
        self.editor.editingFinished.connect(self.key_edited)
        self.add_trailing(flat_button("close", f"Remove {key}" if key else "Remove the key", self.removed.emit))

    def set_mistake(self, wrong: bool) -> None:
        """Marks a key that cannot be used."""
        self.editor.setProperty("mark", "fault" if wrong else "")
        self.editor.style().unpolish(self.editor)
        self.editor.style().polish(self.editor)

    def label_hint(self) -> int:
        return theme().pixels(120)

    def _on_key_changed(self, text: str) -> Any:
        self.key = text or None
        self.edited.emit()


def label_for(key: str, shape: Shape, labels: Labels) -> str:
    """The key, as scripts know it, or the title that was given to people."""
    if labels == "names":
        return key
    return shape.title or key.replace("_", " ").capitalize()


MOST_OPEN = 15
"""Required groups are open from the start, if they are no longer than this."""


class ObjectField(RowsField):
    """Keys that the schema does not know are kept and shown.

    Signals: edited: the value is another.
    """

    added = "key"

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(shape, context, required=required, parent=parent)
        self._rows: dict[str, FormRow] = {}
        self._extras: list[KeyRow] = []
        self._order: list[str] = []
        for name, part in shape.properties.items():
            self._add_known(name, shape_of(part))
        self.add_button = self._made_add_button(self._on_add_pressed)
        self.add_button.setVisible(shape.offers_keys)

    def value(self) -> dict[str, Any]:
        found = {name: row.value() for name, row in self._rows.items()}
        for row in self._extras:
            if row.key is not None and row.key not in found:
                found[row.key] = row.value()
        ordered = {key: found[key] for key in self._order if key in found} | found
        return {key: value for key, value in ordered.items() if value is not ABSENT}

    def set_value(self, value: Any) -> None:
        given: dict[str, Any] = {} if value is ABSENT else value
        self._order = list(given)
        for name, row in self._rows.items():
            self._put(row, given.get(name, ABSENT))
        for extra in list(self._extras):
            if extra.key not in given:
                self._drop(extra)
        here = {row.key: row for row in self._extras}
        for key in given:
            if key not in self._rows:
                row = here.get(key) or self._add_extra(key)
                self._put(row, given[key])

    def set_read_only(self, read_only: bool) -> None:
        self._read_only = read_only
        self.add_button.setEnabled(not read_only)
        for row in (*self._rows.values(), *self._extras):
            row.set_read_only(read_only)

    def mistakes(self) -> Iterator[FieldError]:
        taken = set(self._rows)
        for key, row in self._keyed():
            yield from (error.within(key) for error in row.mistakes())
        for row in self._extras:
            wrong = row.key in taken or (row.key is None and row.value() is not ABSENT)
            row.set_mistake(wrong)
            if wrong:
                text = f"The key {row.key!r} appears twice." if row.key is not None else "A value has no key yet."
                yield FieldError((), text, "key")
            taken.add(row.key or "")

    def chosen(self) -> Iterator[tuple[Path, tuple[str, int]]]:
        for key, row in self._keyed():
            yield from (((key, *path), choice) for path, choice in row.chosen())

    def rows(self) -> Mapping[Step, FormRow]:
        return {**{row.key: row for row in reversed(self._extras) if row.key is not None}, **self._rows}

    def labelled_rows(self) -> Iterable[FormRow]:
        return (*self._rows.values(), *self._extras)

    def target(self) -> QWidget:
        rows = list(self._rows.values())
        return rows[0].field.target() if rows and rows[0].field else self.add_button

    def hide_tag(self, name: str, value: Any) -> None:
        """Hides the row that only says which alternative this is, while it says that."""
        row = self._rows.get(name)
        if row is not None:
            row.setVisible(not same(row.value(), value))

    def _keyed(self) -> Iterator[tuple[str, FormRow]]:
        yield from self._rows.items()
        yield from ((row.key, row) for row in self._extras if row.key is not None)

    def _add_known(self, name: str, shape: Shape) -> None:
        required = name in self.shape.required
        small = len(shape.properties) <= MOST_OPEN
        row = FormRow(
            shape,
            self.context,
            label=label_for(name, shape, self.context.labels),
            required=required,
            name=label_for(name, shape, self.context.labels),
            opened=required and small and self.context.depth <= DEEPEST_OPEN,
            parent=self,
        )
        row.setObjectName(f"field-{name}")
        row.edited.connect(self._on_edited)
        self._rows[name] = row
        self.layout_.addWidget(row)

    def _part_for(self, key: str | None) -> Part:
        matching = [part for pattern, part in self.shape.patterns.items() if key and is_match(pattern, key)]
        if matching:
            return tuple(source for part in matching for source in part)
        if self.shape.additional is not None and not any(each.schema is False for each in self.shape.additional):
            return self.shape.additional
        first = next(iter(self.shape.patterns.values()), ())
        return first if key is None else ()

    def _add_extra(self, key: str | None) -> KeyRow:
        hints = tuple(hint for hint in self.shape.key_hints if hint not in self.rows())
        row = KeyRow(key, shape_of(self._part_for(key)), self.context, hints, parent=self)
        row.edited.connect(self._on_edited)
        row.removed.connect(lambda: self._on_removed(row))
        row.key_edited.connect(lambda: self._on_key_edited(row))
        row.set_read_only(self._read_only)
        self._extras.append(row)
        self.layout_.insertWidget(self.layout_.indexOf(self.add_button), row)
        row.show()
        self.align()
        return row

    def _drop(self, row: KeyRow) -> None:
        self._extras.remove(row)
        discard(self.layout_, row)

    def _on_add_pressed(self) -> None:
        row = self._add_extra(None)
        row.set_value(fresh_value_of(row.shape))
        row.editor.setFocus()
        self.edited.emit()

    def _on_removed(self, row: KeyRow) -> None:
        self._drop(row)
        self.add_button.setFocus()
        self.edited.emit()

    def _on_key_edited(self, row: KeyRow) -> None:
        """Another key can mean another kind of value."""
        part = self._part_for(row.key)
        if row in self._extras and part != row.shape.part and row.key:
            value, location = row.value(), self._extras.index(row)
            self._drop(row)
            made = self._add_extra(row.key)
            self._extras.insert(location, self._extras.pop())
            self.layout_.insertWidget(len(self._rows) + location, made)
            made.set_value(value)
            self.edited.emit()


class VariantsField(FormField, QWidget):
    """What was typed for another variant comes back when it is chosen again.

    Signals: edited: the value is another.
    """

    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        QWidget.__init__(self, parent)
        self.inner: FormRow | None = None
        self._name = ""
        self._position = -1
        self._remembered: dict[int, Any] = {}
        self._read_only = False
        self.chooser = QuietCombo(self)
        self.chooser.addItem("Choose…" if required else "Not set")
        self.chooser.addItems([variant.label for variant in shape.variants])
        self.chooser.activated.connect(lambda index: self.choose(index - 1))
        below = is_group(shape)
        direction = QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        self._layout = QBoxLayout(direction, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme().pixels(2 * SPACE))
        self._layout.addWidget(self.chooser, 0 if below else 2)
        if not below:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        self._show(-1)

    def value(self) -> Any:
        return self.inner.value() if self.inner is not None else ABSENT

    def set_value(self, value: Any) -> None:
        self._remembered.clear()
        position = -1 if value is ABSENT else variant_for(value, self.shape.variants, self.context.checker.fits)
        self._show(position)
        if self.inner is not None:
            self.inner.set_value(value)
            self._hide_tag()

    def choose(self, position: int) -> None:
        """Goes over to another variant, with all of the value that fits there."""
        if position == self._position:
            return
        old, self._remembered[self._position] = self.value(), self.value()
        self._show(position)
        if self.inner is not None:
            variant = self.shape.variants[position]
            kept = self._remembered.get(position, ABSENT)
            value = kept if kept is not ABSENT else _carried(old, self.inner.shape, variant, self.context.checker)
            self.inner.set_value(value)
            self._hide_tag()
        self.edited.emit()

    def set_read_only(self, read_only: bool) -> None:
        self._read_only = read_only
        self.chooser.setEnabled(not read_only)
        if self.inner is not None:
            self.inner.set_read_only(read_only)

    def mistakes(self) -> Iterator[FieldError]:
        if self.inner is not None:
            yield from self.inner.mistakes()

    def chosen(self) -> Iterator[tuple[Path, tuple[str, int]]]:
        if self.inner is not None:
            variant = self.shape.variants[self._position]
            if variant.keyword:
                yield (), (variant.keyword, variant.index)
            yield from self.inner.chosen()

    def rows(self) -> Mapping[Step, FormRow]:
        return self.inner.field.rows() if self.inner is not None and self.inner.field is not None else {}

    def set_names(self, name: str, description: str) -> None:
        self._name = name
        self.chooser.setAccessibleName(f"{name}: kind" if name else "Kind")
        self.chooser.setAccessibleDescription(description)
        if self.inner is not None and self.inner.field is not None:
            self.inner.field.set_names(name, description)

    def target(self) -> QWidget:
        return self.chooser

    def _show(self, position: int) -> None:
        """Makes the row of a variant; -1 is none."""
        self.chooser.setCurrentIndex(position + 1)
        set_property(self.chooser, "unset", position < 0)
        if position == self._position and (position < 0 or self.inner is not None):
            return
        self._position = position
        if self.inner is not None:
            discard(self._layout, self.inner)
            self.inner = None
        if position >= 0:
            shape = shape_of(self.shape.variants[position].part)
            self.inner = FormRow(shape, self.context, required=True, bare=True, name=self._name, parent=self)
            self.inner.set_read_only(self._read_only)
            self.inner.edited.connect(self.edited)
            self._layout.addWidget(self.inner, 3)
            self.inner.show()
        self.updateGeometry()

    def _hide_tag(self) -> None:
        variant, field = self.shape.variants[self._position], self.inner and self.inner.field
        if variant.tag is not None and isinstance(field, ObjectField):
            field.hide_tag(*variant.tag)


def _carried(old: Any, shape: Shape, variant: Variant, checker: Checker) -> Any:
    """What a variant begins with: its own beginnings, and what fits of the value before."""
    fresh = fresh_value_of(shape)
    if isinstance(old, dict) and isinstance(fresh, dict):
        fitting = {
            key: value
            for key, value in old.items()
            if key in shape.properties and checker.fits(value, shape.properties[key])
        }
        return fresh | fitting
    if old is not ABSENT and checker.fits(old, variant.alone):
        return old
    return fresh
