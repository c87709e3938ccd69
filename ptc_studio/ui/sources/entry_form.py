"""The form of one source: the ways to describe it, its fields, the rare ones, and what is offered once it is there."""

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ptc_studio.core.registry import identifier
from ptc_studio.sources.kinds import KINDS
from ptc_studio.sources.openapi.key_parts import Schemes, key_parts, key_texts, keys_schema
from ptc_studio.storage.yaml_with_lines import EXPECTED
from ptc_studio.ui.forms import SchemaForm
from ptc_studio.ui.forms.controls import Segments, apply_form_style
from ptc_studio.ui.forms.row import header_button, show_opened
from ptc_studio.ui.forms.schema.shapes import FieldError
from ptc_studio.ui.sources.entry_schema import (
    NoWords,
    Roles,
    as_lines,
    as_lists,
    can_be_lines,
    form_schema,
    kind_for,
    list_of,
)
from ptc_studio.ui.sources.pasted_lines import taken_apart
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import discard, filled
from ptc_studio.ui.workspace_edits import PermissionEdits

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.ui.context import Context


_UNFIT = re.compile(r"[\s*?\[\]{}$/\\:,'\"]")
_EMPTY_PARTS = re.compile(r"^\.|\.\.|\.$")


def name_errors(name: Any, taken: Collection[str]) -> Iterator[FieldError]:
    """What is wrong with the name, said while it is typed."""
    if not isinstance(name, str) or not name:
        return
    if name in taken:
        yield FieldError(("name",), f"There is already a source {name!r}: choose another name.", "name")
    elif found := _UNFIT.search(name):
        what = "a blank" if found[0].isspace() else f"{found[0]!r}"
        yield FieldError(("name",), f"A name cannot have {what} in it: write {_mended(name)!r}.", "name")
    elif _EMPTY_PARTS.search(name):
        yield FieldError(("name",), "A dot stands between two names.", "name")
    elif identifier(name) != name:
        yield FieldError(("name",), f"In scripts it is also {identifier(name)!r}.", "name", advice=True)


def line_errors(values: Mapping[str, Any], roles: Roles) -> Iterator[FieldError]:
    """Lines of words that cannot be taken apart."""
    for field, value in values.items():
        if roles.get(field) == "words" and isinstance(value, str):
            try:
                list_of("words", value)
            except NoWords as error:
                yield FieldError((field,), str(error), "words")


def entry_errors(kind: str, values: Mapping[str, Any], needed: Sequence[str]) -> Iterator[FieldError]:
    """What the entry itself says; of the whole only once everything that is needed is there."""
    try:
        KINDS[kind].entry.model_validate(values)
    except ValidationError as error:
        for found in error.errors(include_url=False):
            path = _without_tags(tuple(found["loc"]), values) or _field_meant(found["msg"], values)
            if len(path) > 1 and found["type"] == "missing":
                # The field says so itself, once it was looked at.
                continue
            if path or all(values.get(field) for field in needed):
                yield FieldError(path, _sentence(found, whole=not path), found["type"])


def _without_tags(path: tuple[Any, ...], values: Any) -> tuple[Any, ...]:
    """The path without the names of alternatives, which are no part of the values."""
    kept: list[Any] = []
    for step in path:
        if isinstance(values, Mapping) and step not in values and step == values.get("type"):
            continue
        kept.append(step)
        values = values.get(step) if isinstance(values, Mapping) else None
    return tuple(kept)


def _field_meant(message: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Of what is wrong with the whole: the field whose text it quotes, if it quotes one."""
    quoted = (name for name, value in values.items() if isinstance(value, str) and value and repr(value) in message)
    return tuple(islice((name for name in quoted if name != "kind"), 1))


def _sentence(found: Any, *, whole: bool) -> str:
    if found["type"] in EXPECTED:
        return f"This must be {EXPECTED[found['type']]}."
    text = str(found["ctx"]["error"]) if found["type"] == "value_error" else found["msg"]
    text = f"It {text}" if whole and text[:1].islower() else text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


def _mended(name: str) -> str:
    return re.sub(r"_+", "_", _UNFIT.sub("_", name.strip())).strip("_") or "tools"


_OPEN = ("functions", "checklist", "entries")
"""What groups hold that the form is about."""
FEW_SCHEMES = 2
"""The fields of so many security schemes are shown at once; of more, their names."""


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
        schemes: Schemes | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`taken` are names that other sources have; `suggestions` are offered while a field is typed into; `schemes`
        are those of a document, for which keys are wanted."""
        super().__init__(parent)
        self.kind = kind
        self.folder = folder
        self._taken = taken
        self._suggestions = suggestions or {}
        self._schemes = schemes or {}
        self._kind = KINDS[kind]
        self._ways = self._kind.form.ways
        self._held: dict[str, Any] = {key: value for key, value in (values or {}).items() if key != "kind"}
        """The values as they were when the way was chosen, also those of other ways."""
        self._way = self._kind.form.way_of(self._held)
        self._last: dict[str, int] = {}
        """How long the fields were into which whole lines are pasted, before the last change."""
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
        return {"kind": self.kind, **self._as_lists({**self.main.value(), **self.rare.value()})}

    def is_valid(self) -> bool:
        """Whether it can be tried and saved."""
        return self.main.is_valid() and self.rare.is_valid()

    def reveal_faults(self) -> None:
        """Says everything that is wrong, and goes to the first of it."""
        if not self.rare.is_valid():
            self.more.setChecked(True)
            self.rare.reveal_faults()
        self.main.reveal_faults()

    def problem(self) -> str:
        """The first thing that is wrong, in a sentence; empty if it can be saved."""
        faults = (fault for form in (self.main, self.rare) for fault in form.faults() if not fault.advice)
        first = next(faults, None)
        if first is None:
            return ""
        title = self._titles().get(str(first.path[0]), str(first.path[0])) if first.path else ""
        return f"{title}: {first.message}" if title else first.message

    def _titles(self) -> dict[str, str]:
        return {name: field.title or name for name, field in self._kind.entry.model_fields.items()}

    def choose_way(self, way: int) -> None:
        """Shows the fields of another way; what was filled in is kept for the way back."""
        if way == self._way:
            return
        self._hold()
        self._way = way
        self._fill()
        self.main.setFocus()
        self.changed.emit()

    def _on_edited(self) -> None:
        """Takes apart what was pasted into one field and belongs into several."""
        value = self.main.value() or {}
        for field in ("url", "command", "argv"):
            words = _words(value.get(field))
            before, self._last[field] = self._last.get(field, 0), len("".join(words))
            line = words[0] if len(words) == 1 else shlex.join(words)
            # Typed, a text grows by a letter at a time.
            if self._last[field] - before > 1 and (found := taken_apart(self.kind, field, line)):
                self._hold()
                self._held = {key: value for key, value in self._held.items() if key != field} | found
                self._fill()
                self._last = {}
                # Its widget is another one now.
                self.main.field(field).target().setFocus()
                break
        self.changed.emit()

    def choose_functions(self, chosen: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        self.functions_asked.emit(list(chosen), done)

    def choose_secret(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        self.secret_asked.emit(beside, value, done)

    def begin(self) -> None:
        """Puts the keyboard into the first field."""
        self.main.field(self._ways[self._way].fields[0]).target().setFocus()

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        apply_form_style(inside)
        self._column = QVBoxLayout(inside)
        edge = theme().pixels(4 * SPACE)
        self._column.setContentsMargins(edge, edge, edge, edge)
        self._column.setSpacing(theme().pixels(3 * SPACE))
        if len(self._ways) > 1:
            self._column.addLayout(self._ways_row())
        self.more = header_button(inside, "More", "More fields", "Fields that are rarely needed", opened=False)
        self.more.toggled.connect(self._on_more_toggled)
        self._column.addWidget(self.more)
        self._column.addStretch(1)
        self.setWidget(inside)

    def _ways_row(self) -> QHBoxLayout:
        self.ways = Segments([way.label for way in self._ways])
        self.ways.set_current(self._way)
        self.ways.picked.connect(self.choose_way)
        title = PlainLabel(self._kind.form.choice, role="title")
        return filled(QHBoxLayout(), title, (self.ways, 1), spacing=theme().pixels(3 * SPACE))

    def _fill(self) -> None:
        """Draws the fields of the way."""
        way = self._ways[self._way]
        lined = can_be_lines(self._held, self._kind.roles)
        rare = self._kind.rare_fields(way)
        former = [getattr(self, name, None) for name in ("main", "rare")]
        self.main = self._form(form_schema(self.kind, way.fields, way.needed, lined), way.fields, lined)
        self.rare = self._form(form_schema(self.kind, rare, (), lined), rare, lined)
        for form in filter(None, former):
            discard(self._column, form)
        self._column.insertWidget(self._column.indexOf(self.more), self.main)
        self._column.insertWidget(self._column.indexOf(self.more) + 1, self.rare)
        for field in way.fields:
            if self._kind.roles.get(field) in _OPEN:
                self.main.row(field).set_open(True)
        if self._schemes and "auth" in way.fields:
            # The document says what it wants; who does not see it learns it by a 401.
            self.main.row("auth").set_open(True)
            for name in self._schemes if len(self._schemes) <= FEW_SCHEMES else ():
                self.main.row("auth", name).set_open(True)
        self.more.setChecked(self.more.isChecked() or any(field in self._held for field in rare))
        self.rare.setVisible(self.more.isChecked())

    def _form(self, schema: Any, fields: Sequence[str], lined: Mapping[str, bool]) -> SchemaForm:
        held = {key: self._held[key] for key in fields if key in self._held}
        for name in self._suggestions.keys() & schema["properties"].keys():
            schema["properties"][name]["examples"] = list(self._suggestions[name])
        if self._schemes and "auth" in schema["properties"]:
            schema["properties"]["auth"] = keys_schema(self._schemes)
            held |= {"auth": key_parts(self._schemes, held["auth"])} if "auth" in held else {}
        form = SchemaForm(
            schema,
            as_lines(held, self._kind.roles, lined),
            labels="titles",
            scrolls=False,
            kinds=kind_for,
            also=lambda value: self._also(value, fields),
        )
        form.bar.hide()
        form.changed.connect(self._on_edited)
        return form

    def _also(self, value: Any, fields: Sequence[str]) -> list[FieldError]:
        """What is wrong with these fields, where the whole entry has to be looked at."""
        if not isinstance(value, dict):
            return []
        errors = [*name_errors(value.get("name"), self._taken), *line_errors(value, self._kind.roles)]
        if any(not error.advice for error in errors):
            return errors
        rest = self._rest(fields)
        entry = {"kind": self.kind, **rest, **self._as_lists(value)}
        # What is wrong with the whole is told once, where the name is.
        whole = "name" in fields
        found = entry_errors(self.kind, entry, self._ways[self._way].needed)
        return [*errors, *(error for error in found if (error.path[0] in fields if error.path else whole))]

    def _rest(self, fields: Sequence[str]) -> dict[str, Any]:
        """What the other form holds."""
        other = getattr(self, "rare" if tuple(fields) == self._ways[self._way].fields else "main", None)
        try:
            value = other.value() if isinstance(other, SchemaForm) else {}
            return self._as_lists(value) if isinstance(value, dict) else {}
        except NoWords:
            return {}

    def _as_lists(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values as the file has them."""
        found = as_lists(values, self._kind.roles)
        if self._schemes and isinstance(found.get("auth"), Mapping):
            found["auth"] = key_texts(self._schemes, found["auth"])
            if not found["auth"]:
                del found["auth"]
        return found

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
                    self._held |= self._as_lists({key: value})

    def _on_more_toggled(self, opened: bool) -> None:
        show_opened(self.more, opened)
        self.rare.setVisible(opened)


def _words(value: Any) -> list[str]:
    """A text, or the words of a command; none for all else."""
    is_words = isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)
    return list(value) if is_words else [value] if isinstance(value, str) else []


NAMED = 3
"""So many tools are named in the offer."""
SETTLED = ("ready", "failed", "closed")


def offer_asking(context: "Context", names: Collection[str]) -> None:
    """Has the offer made when the new sources of these names have loaded; none where nothing is to be asked."""
    workbench, named = context.workbench, set(filter(None, names))

    def look() -> None:
        found = [each for each in workbench.studio.source_set.loaded_sources if each.name in named]
        # Those that were loaded before are told of again meanwhile.
        if {each.name for each in found if each.status.state in SETTLED} != named:
            return
        workbench.tools_loaded.disconnect(look)
        if tools := [name for each in found for name in destructive_tools(each)]:
            _offer(context, tools)

    if named:
        workbench.tools_loaded.connect(look)
        # A source may have been quicker than this.
        look()


def destructive_tools(loaded_source: "LoadedSource") -> list[str]:
    """The tools whose owner says that they may destroy something, and of which the workspace says nothing."""
    rules = loaded_source.offer().rules
    ruled = [rules.applied(tool).spec for tool in loaded_source.loaded.tools]
    return [
        spec.name for spec in ruled if spec.is_destructive and spec.permission == "allow" and not spec.permission_by
    ]


def _offer(context: "Context", tools: list[str]) -> None:
    more = len(tools) - NAMED
    listed = ", ".join(tools[:NAMED]) + (f" and {more} more" if more > 0 else "")
    one = len(tools) == 1
    text = f"{listed} may destroy something, {'its server says' if one else 'their server says'}."
    action = "Ask before it" if one else "Ask before each"
    context.messages.offer(text, action, partial(PermissionEdits(context).ask_before, tools))
