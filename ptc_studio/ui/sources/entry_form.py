"""The form of one source: the ways to describe it, its fields, and the rare ones under "More"."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ptc_studio.ui.forms import Fault, SchemaForm
from ptc_studio.ui.forms.looks import dress_form
from ptc_studio.ui.forms.row_buttons import header_button, show_opened
from ptc_studio.ui.forms.segments import Segments
from ptc_studio.ui.sources.entry_checks import entry_faults, line_faults, name_faults
from ptc_studio.ui.sources.entry_layout import layout_of, rare_fields
from ptc_studio.ui.sources.entry_schema import form_schema
from ptc_studio.ui.sources.entry_texts import NoWords, as_lines, as_lists, can_be_lines
from ptc_studio.ui.sources.form_fields import kind_for
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.discarding import discard
from ptc_studio.ui.widgets.plain_text import PlainLabel

_OPEN = ("tools", "requests", "commands")
"""Groups that are what the form is about."""


class EntryForm(QScrollArea):
    """Holds the values of an entry.

    Signals: changed: the user changed something. functions_asked(chosen, done), secret_asked(beside, value, done): a
    field wants the user to choose.
    """

    changed = Signal()
    functions_asked = Signal(object, object)
    secret_asked = Signal(object, str, object)

    def __init__(
        self,
        kind: str,
        values: Mapping[str, Any] | None = None,
        *,
        folder: Path,
        taken: Collection[str] = (),
        suggestions: Mapping[str, Sequence[str]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`taken` are names that other sources have; `suggestions` are offered while a field is typed into."""
        super().__init__(parent)
        self.kind = kind
        self.folder = folder
        self._taken = taken
        self._suggestions = suggestions or {}
        self._layout = layout_of(kind)
        self._held: dict[str, Any] = {key: value for key, value in (values or {}).items() if key != "kind"}
        """The values as they were when the way was chosen, also those of other ways."""
        self._way = self._layout.way_of(self._held)
        self.main: SchemaForm
        self.rare: SchemaForm
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lay_out()
        self._fill()

    @property
    def way(self) -> int:
        """Which of the ways is chosen."""
        return self._way

    def values(self) -> dict[str, Any]:
        """The entry, without what was left out; raises NoWords."""
        return {"kind": self.kind, **as_lists({**self.main.value(), **self.rare.value()})}

    def is_valid(self) -> bool:
        """Whether it can be tried and saved."""
        return self.main.is_valid() and self.rare.is_valid()

    def reveal_faults(self) -> None:
        """Says everything that is wrong, and goes to the first of it."""
        if not self.rare.is_valid():
            self.more.setChecked(True)
            self.rare.reveal_faults()
        self.main.reveal_faults()

    def choose_way(self, way: int) -> None:
        """Shows the fields of another way; what was filled in is kept for the way back."""
        if way == self._way:
            return
        self._hold()
        self._way = way
        self._fill()
        self.main.setFocus()
        self.changed.emit()

    def choose_functions(self, chosen: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        self.functions_asked.emit(list(chosen), done)

    def choose_secret(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        self.secret_asked.emit(beside, value, done)

    def begin(self) -> None:
        """Puts the keyboard into the first field."""
        first = next(iter(self._layout.ways[self._way].fields))
        self.main.field(first).target().setFocus()

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        dress_form(inside)
        self._column = QVBoxLayout(inside)
        edge = theme().pixels(4 * SPACE)
        self._column.setContentsMargins(edge, edge, edge, edge)
        self._column.setSpacing(theme().pixels(3 * SPACE))
        if len(self._layout.ways) > 1:
            self._column.addLayout(self._ways_row())
        self.more = header_button(inside, "More", "More fields", "Fields that are rarely needed", opened=False)
        self.more.toggled.connect(self._on_more_toggled)
        self._column.addWidget(self.more)
        self._column.addStretch(1)
        self.setWidget(inside)

    def _ways_row(self) -> QHBoxLayout:
        self.ways = Segments([way.label for way in self._layout.ways])
        self.ways.set_current(self._way)
        self.ways.picked.connect(self.choose_way)
        title = PlainLabel(self._layout.choice)
        title.setProperty("role", "title")
        row = QHBoxLayout()
        row.setSpacing(theme().pixels(3 * SPACE))
        row.addWidget(title)
        row.addWidget(self.ways, 1)
        return row

    def _fill(self) -> None:
        """Draws the fields of the way."""
        way = self._layout.ways[self._way]
        lined = can_be_lines(self._held)
        if self.kind == "builtin":
            lined["tools"] = False
        rare = rare_fields(self.kind, self._way)
        former = [getattr(self, name, None) for name in ("main", "rare")]
        self.main = self._form(form_schema(self.kind, way.fields, way.needed, lined), way.fields, lined)
        self.rare = self._form(form_schema(self.kind, rare, (), lined), rare, lined)
        for form in filter(None, former):
            discard(self._column, form)
        self._column.insertWidget(self._column.indexOf(self.more), self.main)
        self._column.insertWidget(self._column.indexOf(self.more) + 1, self.rare)
        for field in set(_OPEN) & set(way.fields):
            self.main.row(field).set_open(True)
        self.more.setChecked(self.more.isChecked() or any(field in self._held for field in rare))
        self.rare.setVisible(self.more.isChecked())

    def _form(self, schema: Any, fields: Sequence[str], lined: Mapping[str, bool]) -> SchemaForm:
        value = as_lines({key: self._held[key] for key in fields if key in self._held}, lined)
        for name in self._suggestions.keys() & schema["properties"].keys():
            schema["properties"][name]["examples"] = list(self._suggestions[name])
        form = SchemaForm(
            schema,
            value,
            labels="titles",
            scrolls=False,
            kinds=kind_for,
            also=lambda value: self._also(value, fields),
        )
        form.bar.hide()
        form.changed.connect(self.changed)
        return form

    def _also(self, value: Any, fields: Sequence[str]) -> list[Fault]:
        """What is wrong with these fields, where the whole entry has to be looked at."""
        if not isinstance(value, dict):
            return []
        faults = [*name_faults(value.get("name"), self._taken), *line_faults(value)]
        if any(not fault.advice for fault in faults):
            return faults
        rest = self._rest(fields)
        entry = {"kind": self.kind, **rest, **as_lists(value)}
        way = self._layout.ways[self._way]
        # What is wrong with the whole is told once, where the name is.
        whole = "name" in fields
        found = entry_faults(self.kind, entry, way.needed)
        return [*faults, *(fault for fault in found if (fault.path[0] in fields if fault.path else whole))]

    def _rest(self, fields: Sequence[str]) -> dict[str, Any]:
        """What the other form holds."""
        other = getattr(self, "rare" if tuple(fields) == self._layout.ways[self._way].fields else "main", None)
        try:
            value = other.value() if isinstance(other, SchemaForm) else {}
            return as_lists(value) if isinstance(value, dict) else {}
        except NoWords:
            return {}

    def draft(self) -> dict[str, Any]:
        """All that was filled in, in every way, whether it can be saved or not."""
        self._hold()
        return dict(self._held)

    def _hold(self) -> None:
        for form in (self.main, self.rare):
            drawn = form.root.shape.properties
            self._held = {key: value for key, value in self._held.items() if key not in drawn}
            for key, value in form.value().items():
                # A line that cannot be taken apart yet cannot be kept as a list either.
                with suppress(NoWords):
                    self._held |= as_lists({key: value})

    def _on_more_toggled(self, opened: bool) -> None:
        show_opened(self.more, opened)
        self.rare.setVisible(opened)
