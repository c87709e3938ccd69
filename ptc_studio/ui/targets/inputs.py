"""What a script is given beside its tools: a form for its inputs and the variables of its environment."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ptc_studio.ui.dialogs.framed_dialog import FramedDialog
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from ptc_studio.targets import Given
    from ptc_studio.ui.language.target_problems import Missing

Kind = Literal["input", "env"]
TITLES = {"input": "Inputs: variables of the script", "env": "Environment of the script"}
ADD = {"input": "+ Input", "env": "+ Variable"}
HINTS = {"input": 'JSON, such as 3 or ["a", "b"]; other words are a text', "env": "text"}
NAME_WIDTH = 180


def read_value(text: str) -> Any:
    """What is meant by what was typed: JSON, or a text where it is none and does not look like any."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] in ("{", "[", '"'):
            raise ValueError(f"is not JSON: {error}") from None
        return text


def write_value(value: Any) -> str:
    """The value as somebody would type it."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return json.dumps(value, ensure_ascii=False) if value[:1] in ("{", "[", '"', "") else value
    return json.dumps(value, ensure_ascii=False)


@dataclass(eq=False, slots=True)
class GivenRow:
    """One line of the form."""

    kind: Kind
    name: QLineEdit
    value: QLineEdit
    widget: QWidget


class InputsDialog(FramedDialog):
    """Two lists of names and values; what is not filled in is not given."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        given: "Given",
        missing: "Sequence[Missing]",
        save: "Callable[[Given, bool], object]",
    ) -> None:
        """`save` is given what was filled in, and whether the script is to run then."""
        super().__init__(parent, f"Inputs and environment of {title}", 640, 460)
        self.setObjectName("inputsDialog")
        self._save = save
        self.rows: list[GivenRow] = []
        self._columns: dict[Kind, QVBoxLayout] = {}
        body = QVBoxLayout()
        for kind, values in _lists(given):
            body.addLayout(self._section(kind))
            for name, value in values.items():
                self.add(kind, name, write_value(value) if kind == "input" else value)
        for each in missing:
            self.add(each.kind, each.name)
        for kind in self._columns:
            if not any(row.kind == kind for row in self.rows):
                self.add(kind)
        body.addStretch(1)
        page = QWidget()
        edge = theme().pixels(4 * SPACE)
        body.setContentsMargins(edge, edge, edge, edge)
        page.setLayout(body)
        self.set_body(page)
        self.say(_asked(missing) if missing else "Kept beside the script, in a file of its own")
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Save", lambda: self._finish(run=False))
        self.run_button = self.add_button("Save and run", lambda: self._finish(run=True), default=True)
        first = next((row for row in self.rows if not row.value.text()), None)
        if first is not None:
            (first.value if first.name.text() else first.name).setFocus()

    def add(self, kind: Kind, name: str = "", value: str = "") -> GivenRow:
        """One more line."""
        name_field, value_field = QLineEdit(name), QLineEdit(value)
        name_field.setPlaceholderText("name" if kind == "input" else "NAME")
        name_field.setAccessibleName("Name of the input" if kind == "input" else "Name of the variable")
        name_field.setFixedWidth(theme().pixels(NAME_WIDTH))
        value_field.setPlaceholderText(HINTS[kind])
        value_field.setAccessibleName(f"Value of {name}" if name else "Value")
        widget = QWidget()
        line = QHBoxLayout(widget)
        line.setContentsMargins(0, 0, 0, 0)
        row = GivenRow(kind, name_field, value_field, widget)
        line.addWidget(name_field)
        line.addWidget(value_field, 1)
        line.addWidget(flat_button("close", "Remove", lambda: self._remove(row)))
        self._columns[kind].addWidget(widget)
        self.rows.append(row)
        return row

    def given(self) -> "Given":
        """What is filled in; raises ValueError naming the line that makes no sense."""
        from ptc_studio.storage.saved_inputs import check_input_name, check_variable_name
        from ptc_studio.targets import Given

        found: dict[Kind, dict[str, Any]] = {"input": {}, "env": {}}
        for row in self.rows:
            name, value = row.name.text().strip(), row.value.text()
            if not name and not value:
                continue
            (check_input_name if row.kind == "input" else check_variable_name)(name)
            if name in found[row.kind]:
                raise ValueError(f"{name!r} is there twice")
            if row.kind == "env":
                found["env"][name] = value
            elif value.strip():
                try:
                    found["input"][name] = read_value(value)
                except ValueError as error:
                    raise ValueError(f"{name!r} {error}") from None
        return Given(found["input"], found["env"])

    def _finish(self, *, run: bool) -> None:
        try:
            given = self.given()
            self._save(given, run)
        except ValueError as error:
            self.say_failed(f"{error}.")
        except OSError as error:
            self.say_failed(f"It cannot be kept beside the script: {error.strerror or error}.")
        else:
            self.accept()

    def _remove(self, row: GivenRow) -> None:
        self.rows.remove(row)
        row.widget.hide()
        row.widget.deleteLater()

    def _section(self, kind: Kind) -> QVBoxLayout:
        head = QHBoxLayout()
        title = PlainLabel(TITLES[kind])
        title.setProperty("role", "title")
        head.addWidget(title, 1)
        more = QPushButton(ADD[kind])
        more.setAutoDefault(False)
        more.clicked.connect(lambda: self.add(kind).name.setFocus())
        head.addWidget(more)
        self._columns[kind] = column = QVBoxLayout()
        column.setSpacing(theme().pixels(SPACE))
        whole = QVBoxLayout()
        whole.addLayout(head)
        whole.addLayout(column)
        whole.addSpacing(theme().pixels(3 * SPACE))
        return whole


def _lists(given: "Given") -> "list[tuple[Kind, Mapping[str, Any]]]":
    return [("input", given.inputs), ("env", given.environment)]


def _asked(missing: "Sequence[Missing]") -> str:
    names = ", ".join(each.name for each in missing)
    return f"The script needs {names}, and nobody gave {'it' if len(missing) == 1 else 'them'}"
