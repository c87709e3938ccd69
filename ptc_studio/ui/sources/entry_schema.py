"""What the form of a source is drawn from: its JSON Schema, and the fields that only such forms have.

What each field holds comes from its kind: lists become lines of text where a line can say the same.
"""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QWidget

from ptc_studio.core.json_schema import flatten
from ptc_studio.sources.entry_fields import PATHS, Role
from ptc_studio.sources.kinds import KINDS, Kind
from ptc_studio.ui.forms.factory import kind_for as usual_kind_for
from ptc_studio.ui.forms.field import ButtonField, FormContext, FormField, LineField
from ptc_studio.ui.forms.rows_field import ArrayField
from ptc_studio.ui.forms.schema.shapes import ABSENT, Shape
from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE

LISTS: tuple[Role, ...] = ("words", "items", "functions")
"""Lists that are lines where they can be: words as in a terminal, the others with commas between."""
Roles = Mapping[str, Role]
_PLAIN = re.compile(r"[^\s'\"\\]+")
_NUMBER = re.compile(r"-?\d{1,9}")


class NoWords(ValueError):
    """The line cannot be taken apart; the message says why."""


def line_of(role: Role | None, value: Any) -> str | None:
    """The list as one line, or None if a line cannot say the same."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    if role == "words":
        fits = all(isinstance(word, str) and "\n" not in word for word in value)
        return " ".join(map(_quoted, value)) if fits else None
    texts = [str(item) for item in value if isinstance(item, str | int) and not isinstance(item, bool)]
    line = ", ".join(texts)
    return line if len(texts) == len(value) and _items(line) == list(value) else None


def list_of(role: Role | None, line: str) -> list[Any]:
    """The list that the line stands for; raises NoWords."""
    if role != "words":
        return _items(line)
    try:
        return shlex.split(line)
    except ValueError:
        raise NoWords("A quotation mark is not closed.") from None


def as_lines(values: Mapping[str, Any], roles: Roles, lined: Mapping[str, bool]) -> dict[str, Any]:
    """The values with those lists as lines that `lined` says are."""

    def as_line(name: str, value: Any) -> Any:
        if roles.get(name) == "entries" and isinstance(value, list):
            return [as_lines(item, roles, lined) if isinstance(item, Mapping) else item for item in value]
        return line_of(roles[name], value) if roles.get(name) in LISTS and lined.get(name) else value

    return {name: as_line(name, value) for name, value in values.items()}


def as_lists(values: Mapping[str, Any], roles: Roles) -> dict[str, Any]:
    """The values with all lines as lists again; raises NoWords."""

    def as_list(name: str, value: Any) -> Any:
        if roles.get(name) == "entries" and isinstance(value, list):
            return [as_lists(item, roles) if isinstance(item, Mapping) else item for item in value]
        return list_of(roles[name], value) if roles.get(name) in LISTS and isinstance(value, str) else value

    return {name: as_list(name, value) for name, value in values.items()}


def can_be_lines(values: Mapping[str, Any], roles: Roles) -> dict[str, bool]:
    """For each list whether it can be a line, also in the entries within; for a query, whether it is all texts."""
    nested = [values.get(name, ()) for name, role in roles.items() if role == "entries"]
    holders = [values, *(item for items in nested for item in items if isinstance(item, Mapping))]

    def fits(role: Role, value: Any) -> bool:
        if role == "query":
            return all(isinstance(text, str) for text in value.values())
        return line_of(role, value) is not None

    return {
        name: all(fits(role, holder[name]) for holder in holders if name in holder)
        for name, role in roles.items()
        if role in (*LISTS, "query")
    }


def _items(line: str) -> list[Any]:
    parts = [part.strip() for part in line.split(",")]
    return [int(part) if _NUMBER.fullmatch(part) else part for part in parts if part]


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else shlex.quote(word)


FIELD = "x-field"
"""The keyword that asks for a field of ours."""
FOLDERS: tuple[Role, ...] = ("folder", "code folder")


def form_schema(
    kind_id: str, fields: Sequence[str], needed: Sequence[str] = (), lined: Mapping[str, bool] | None = None
) -> dict[str, Any]:
    """A schema of these fields in this order; where `lined` says so, a list is one line of text."""
    kind = KINDS[kind_id]
    whole = deepcopy(kind.entry.model_json_schema())
    lines = can_be_lines({}, kind.roles) if lined is None else lined
    required = {*whole.get("required", ()), *needed}
    definitions = whole.get("$defs", {})
    for definition in definitions.values():
        if "properties" in definition:
            inner = definition["properties"]
            names = dict.fromkeys((*(name for name in kind.form.first if name in inner), *inner))
            definition["properties"] = _eased(kind, {name: inner[name] for name in names}, lines)
            definition.pop("description", None)
    properties = {name: whole["properties"][name] for name in fields if name in whole["properties"]}
    return {
        "type": "object",
        "properties": _eased(kind, properties, lines),
        "required": [name for name in properties if name in required],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _eased(kind: Kind, properties: Mapping[str, Any], lines: Mapping[str, bool]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, schema in properties.items():
        made[name] = field = _field(kind.roles.get(name), _without_null(schema), lined=bool(lines.get(name)))
        if example := kind.examples.get(name):
            field["examples"] = [example]
        if text := kind.form.help.get(name, field.get("description")):
            field["description"] = text.replace("`", "")
    return made


def _field(role: Role | None, schema: dict[str, Any], *, lined: bool) -> dict[str, Any]:
    if role == "checklist":
        return {**schema, FIELD: "checklist"}
    if role in LISTS and lined:
        return _one_line(role, schema)
    if role in PATHS:
        return {**schema, "format": "", FIELD: "folder" if role in FOLDERS else "file"}
    if role == "query" and lined:
        return {**schema, "additionalProperties": {"type": "string"}}
    if role == "secret":
        return {**schema, FIELD: "secret"}
    if role == "secrets":
        return {**schema, "additionalProperties": {"type": "string", FIELD: "secret"}}
    return {**schema, "format": "multiline"} if role == "prose" else schema


def _one_line(role: Role | None, schema: dict[str, Any]) -> dict[str, Any]:
    """Text in place of a list, which may not be empty where the list may not."""
    line: dict[str, Any] = {"type": "string", **{key: schema[key] for key in ("title", "description") if key in schema}}
    if usual := schema.get("default"):
        line["default"] = ", ".join(map(str, usual))
    if role == "functions":
        line[FIELD] = "functions"
    return line


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Leaving a field empty is all that null, or an empty default, means here."""
    schema = dict(schema)
    if schema.get("default", ...) in (None, "", [], {}):
        del schema["default"]
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return schema
    real = [option for option in options if option.get("type") != "null"]
    if len(real) > 1:
        return {**schema, "anyOf": real}
    del schema["anyOf"]
    return {**real[0], **schema}


class FormHost(Protocol):
    """The form that a field is in."""

    @property
    def folder(self) -> Path:
        """The workspace's folder, from which paths are seen."""
        ...

    def choose_functions(self, chosen: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        """Has the user choose from the functions of the folder."""
        ...

    def choose_secret(self, beside: QWidget, value: str, done: Callable[[str], None]) -> None:
        """Has the user choose a secret, or make one, with the value as a beginning; `done` gets its name."""
        ...


def form_host(field: QWidget) -> FormHost:
    """The form around a field."""
    widget: QWidget | None = field
    while widget is not None and not hasattr(widget, "choose_functions"):
        widget = widget.parentWidget()
    assert widget is not None
    return widget  # type: ignore[return-value]


def seen_from(folder: Path, path: Path) -> str:
    """The path as the workspace file has it: relative where it is inside the folder."""
    try:
        inside = path.resolve().relative_to(folder.resolve())
    except (ValueError, OSError):
        return str(path)
    return inside.as_posix()


COLUMNS = 3


class WorkspaceFileField(ButtonField):
    """A file, written as seen from the workspace."""

    button_text = "Browse…"
    mode = QFileDialog.FileMode.ExistingFile

    def help_out(self) -> None:
        folder = form_host(self).folder
        start = folder / self.line.text()
        begin = start if start.is_dir() else start.parent if start.parent.is_dir() else folder
        dialog = QFileDialog(self, self.line.accessibleName(), str(begin))
        dialog.setFileMode(self.mode)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.take(Path(name)))
        dialog.open()

    def take(self, path: Path) -> None:
        """Writes the path that was chosen."""
        self.line.setText(seen_from(form_host(self).folder, path))


class WorkspaceFolderField(WorkspaceFileField):
    """A folder, written as seen from the workspace."""

    mode = QFileDialog.FileMode.Directory


class SecretField(ButtonField):
    """A text with a button that puts a reference to a secret in it."""

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        super().__init__(shape, context, required=required, parent=parent)
        self.line.setPlaceholderText("value, or a secret →")
        self.button.setProperty("flat", True)
        self.button.setToolTip("Use a secret")
        set_icon(self.button, "key", "muted")

    def set_names(self, name: str, description: str) -> None:
        super().set_names(name, description)
        self.button.setAccessibleName(f"{name}: use a secret")

    def help_out(self) -> None:
        value = self.line.selectedText() or self.line.text()
        form_host(self).choose_secret(self.button, "" if "${" in value else value, self.insert)

    def insert(self, name: str) -> None:
        """Puts the reference where the value stood: what was selected, or all; beside another reference it is added."""
        if "${" in self.line.text() and not self.line.hasSelectedText():
            self.line.insert(f"${{secret:{name}}}")
            return
        if not self.line.hasSelectedText():
            self.line.selectAll()
        self.line.insert(f"${{secret:{name}}}")


class FunctionsField(ButtonField):
    """Functions of a folder, with commas between."""

    button_text = "Choose…"

    def help_out(self) -> None:
        chosen = [str(item) for item in list_of("functions", self.line.text())]
        form_host(self).choose_functions(chosen, self.take)

    def take(self, names: Sequence[str]) -> None:
        """Writes what was chosen."""
        self.line.setText(line_of("functions", list(names)) or "")


class ChecklistField(FormField, QWidget):
    """Values of a list of known ones, each to be ticked; the default is what there is without saying so, or else all.

    Signals: edited: the value is another.
    """

    is_block = True
    edited = Signal()

    def __init__(self, shape: Shape, context: FormContext, *, required: bool, parent: QWidget | None = None) -> None:
        FormField.__init__(self, shape, context, required=required)
        QWidget.__init__(self, parent)
        options: list[str] = flatten(shape.items).keywords.get("enum", []) if shape.items else []
        self.boxes = {option: QCheckBox(option, self) for option in options}
        self._usual = set(shape.keywords.get("default") or options)
        self._absent = True
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme().pixels(4 * SPACE))
        grid.setVerticalSpacing(0)
        for index, box in enumerate(self.boxes.values()):
            grid.addWidget(box, index // COLUMNS, index % COLUMNS)
            box.clicked.connect(self._on_clicked)
        grid.setColumnStretch(COLUMNS, 1)

    def value(self) -> Any:
        return ABSENT if self._absent else [name for name, box in self.boxes.items() if box.isChecked()]

    def set_value(self, value: Any) -> None:
        self._absent = value is ABSENT
        for name, box in self.boxes.items():
            box.setChecked(name in (self._usual if value is ABSENT else value))

    def target(self) -> QWidget:
        return next(iter(self.boxes.values()), self)

    def set_names(self, name: str, description: str) -> None:
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)

    def _on_clicked(self) -> None:
        self._absent = {name for name, box in self.boxes.items() if box.isChecked()} == self._usual
        self.edited.emit()


_LINES: dict[str, type[FormField]] = {
    "file": WorkspaceFileField,
    "folder": WorkspaceFolderField,
    "secret": SecretField,
    "functions": FunctionsField,
}


def kind_for(shape: Shape, value: Any, context: FormContext) -> type[FormField]:
    """The field that the schema asks for, where it can show the value; else the usual one."""
    usual = usual_kind_for(shape, value, context)
    wanted = shape.keywords.get(FIELD)
    if usual is LineField and wanted in _LINES:
        return _LINES[wanted]
    if usual is ArrayField and wanted == "checklist":
        return ChecklistField
    return usual
