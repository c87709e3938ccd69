"""The fields that only forms of sources have: paths of the workspace, secrets, functions, a list to tick."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QWidget

from ptc_studio.core.json_schema import flatten
from ptc_studio.ui.forms.array_field import ArrayField
from ptc_studio.ui.forms.factory import kind_for as usual_kind_for
from ptc_studio.ui.forms.field import FormContext, FormField
from ptc_studio.ui.forms.line_field import ButtonField, LineField
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import ABSENT
from ptc_studio.ui.sources.entry_schema import FIELD, line_of, list_of
from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE


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
