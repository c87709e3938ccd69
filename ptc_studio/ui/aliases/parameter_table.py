"""Every parameter of the tool, and what the alias does with each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from ptc_studio.core.json_schema import part_of
from ptc_studio.core.tools import ToolSpec
from ptc_studio.ui.forms import ParameterField, field_for, one_line
from ptc_studio.ui.forms.controls import QuietCombo, field_height, help_font
from ptc_studio.ui.forms.schema.shapes import ABSENT
from ptc_studio.ui.forms.schema.shaping import shape_of, summary_of
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import discard, filled, rule, scroll_into_view

How = Literal["as_is", "preset", "default", "hidden"]
WAYS: tuple[How, ...] = ("as_is", "preset", "default", "hidden")
WORDS: dict[How, str] = {"as_is": "As is", "preset": "Preset", "default": "Default", "hidden": "Hidden"}


@dataclass(frozen=True, slots=True)
class Treatment:
    """What is done with one parameter."""

    how: How = "as_is"
    value: Any = ABSENT
    """Of a preset or a default; `ABSENT` while there is none yet."""


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """A parameter of the tool, or one that only the alias speaks of."""

    name: str
    schema: Any = field(default_factory=dict)
    required: bool = False
    is_known: bool = True
    """Whether the tool has it."""
    is_taken: bool = True
    """Whether the tool takes it at all."""


def parameters_of(spec: ToolSpec | None, entry: Mapping[str, Any]) -> tuple[ParameterInfo, ...]:
    """Those of the tool in their order, then what the entry names beyond them."""
    schema: Mapping[str, Any] = spec.parameters if spec is not None else {}
    properties: Mapping[str, Any] = schema.get("properties", {})
    required = schema.get("required", ())
    signature = [parameter.name for parameter in spec.signature] if spec is not None else []
    names = dict.fromkeys([*(name for name in signature if name in properties), *properties])
    known = [ParameterInfo(name, properties[name], name in required) for name in names]
    open_ended = spec is None or schema.get("additionalProperties") is not False
    more = [name for name in treatments_of(entry) if name not in names]
    return (*known, *(ParameterInfo(name, True, is_known=False, is_taken=open_ended) for name in more))


def treatments_of(entry: Mapping[str, Any]) -> dict[str, Treatment]:
    """What an entry of the file does, by parameter; what it does not name stays as it is."""
    return {
        **{name: Treatment("default", value) for name, value in (entry.get("defaults") or {}).items()},
        **{name: Treatment("hidden") for name in entry.get("hidden") or ()},
        **{name: Treatment("preset", value) for name, value in (entry.get("preset") or {}).items()},
    }


def values_in_file(treatments: Iterable[tuple[str, Treatment]]) -> dict[str, Any]:
    """The keys of an entry for these; keys that would be empty are left out."""
    found: dict[str, Any] = {"preset": {}, "defaults": {}, "hidden": []}
    for name, treatment in treatments:
        if treatment.how == "hidden":
            found["hidden"].append(name)
        elif treatment.how != "as_is" and treatment.value is not ABSENT:
            found["preset" if treatment.how == "preset" else "defaults"][name] = treatment.value
    return {key: value for key, value in found.items() if value}


NAME_WIDTH, WAY_WIDTH = 150, 116
CANNOT_HIDE = "The tool requires it: preset it instead"
UNKNOWN = "The tool has no such parameter any more: choose As is to drop it."
_HIDDEN = WAYS.index("hidden")


class ParameterLine(QWidget):
    """A line of the table; the editor is made when it is first wanted.

    Signals: changed: something is another.
    """

    changed = Signal()

    def __init__(self, info: ParameterInfo, root: Any, treatment: Treatment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.info = info
        self._root = root
        self._field: ParameterField | None = None
        self._row = QHBoxLayout()
        self._name, self._word = PlainLabel(), PlainLabel()
        self._default = info.schema.get("default", ABSENT) if isinstance(info.schema, dict) else ABSENT
        self.way = self._make_way()
        self._lay_out()
        self.set_treatment(treatment)
        self.way.currentIndexChanged.connect(self._on_way_chosen)

    @property
    def how(self) -> How:
        return WAYS[max(self.way.currentIndex(), 0)]

    @property
    def field(self) -> ParameterField | None:
        """The editor, once there was something to edit."""
        return self._field

    def treatment(self) -> Treatment:
        if self._field is None or self.how not in ("preset", "default"):
            return Treatment(self.how)
        return Treatment(self.how, self._field.value())

    def set_treatment(self, treatment: Treatment) -> None:
        """Shows what is done; says nothing."""
        blocked = self.way.blockSignals(True)
        self.way.setCurrentIndex(WAYS.index(treatment.how))
        self.way.blockSignals(blocked)
        if treatment.how in ("preset", "default"):
            editor = self._editor()
            if treatment.value is not ABSENT:
                editor.set_value(treatment.value)
        self._show()

    def problem(self) -> str:
        """What is wrong, in a sentence that names the parameter; empty if nothing is."""
        how = self.how
        if how == "as_is":
            return ""
        if not self.info.is_taken:
            return f"The tool takes no {self.info.name!r}: choose As is to drop it."
        if how == "hidden":
            return f"{self.info.name!r} cannot be hidden: the tool requires it." if self.info.required else ""
        errors = [error for error in self._editor().faults() if not error.advice]
        if not errors:
            return ""
        if self._editor().value() is ABSENT and errors[0].rule == "required":
            return f"{self.info.name!r} has no {'preset' if how == 'preset' else 'default'} yet."
        return f"{self.info.name!r}: {errors[0].message}"

    def reveal(self) -> None:
        """Shows what is wrong at the field, and goes there."""
        if self._field is not None and self.how in ("preset", "default"):
            self._field.reveal_faults()
            self._field.setFocus()
        else:
            self.way.setFocus()
        scroll_into_view(self)

    def _make_way(self) -> QuietCombo:
        way = QuietCombo()
        way.setFixedWidth(theme().pixels(WAY_WIDTH))
        way.addItems([WORDS[how] for how in WAYS])
        way.setAccessibleName(f"What is done with {self.info.name}")
        if self.info.required:
            model = way.model()
            assert isinstance(model, QStandardItemModel)
            model.item(_HIDDEN).setEnabled(False)
            model.item(_HIDDEN).setToolTip(CANNOT_HIDE)
        return way

    def _lay_out(self) -> None:
        edge, gap = theme().pixels(4 * SPACE), theme().pixels(SPACE)
        row = self._row
        row.setContentsMargins(edge, gap, edge, gap)
        row.setSpacing(theme().pixels(2 * SPACE + 2))
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self._name_label(), 0, top)
        row.addWidget(self.way, 0, top)
        row.addWidget(self._word, 1)
        self._word.setWordWrap(True)
        self._word.setMinimumHeight(field_height())
        self._word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._word.setProperty("role", "muted")
        self._word.setStyleSheet(f"font-size: {help_font().pixelSize()}px;")
        filled(QVBoxLayout(self), row, rule(), margins=0, spacing=0)

    def _name_label(self) -> QLabel:
        label = self._name
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setFont(theme().code_font())
        label.setFixedWidth(theme().pixels(NAME_WIDTH))
        label.setFixedHeight(field_height())
        self._show_name()
        theme().changed.connect(self._show_name)
        about = self.info.schema.get("description", "") if isinstance(self.info.schema, dict) else ""
        label.setToolTip(plain_tip("\n".join(filter(None, (self.info.name, about if isinstance(about, str) else "")))))
        label.setAccessibleName(f"{self.info.name}{', required' if self.info.required else ''}")
        label.setBuddy(self.way)
        return label

    def _show_name(self) -> None:
        star = f" <span style='color:{theme().colours.error}'>*</span>" if self.info.required else ""
        name = self._name.fontMetrics().elidedText(
            self.info.name, Qt.TextElideMode.ElideMiddle, theme().pixels(NAME_WIDTH - 20)
        )
        self._name.setText(f"<span>{escape(name)}</span>{star}")

    def _editor(self) -> ParameterField:
        if self._field is None:
            self._field = field_for(self.info.schema, self._root, name=self.info.name, required=True)
            self._field.changed.connect(self.changed)
            self._row.addWidget(self._field, 1)
        return self._field

    def _on_way_chosen(self) -> None:
        if self.how in ("preset", "default"):
            self._editor()
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        edits = self.how in ("preset", "default")
        if not edits:
            self._word.setText(self._words())
        self._word.setVisible(not edits)
        if self._field is not None:
            self._field.setVisible(edits)

    def _words(self) -> str:
        if not self.info.is_known:
            return UNKNOWN if not self.info.is_taken else "any value · the script may give it"
        if self.how == "hidden":
            return f"the tool's own, {one_line(self._default)}" if self._default is not ABSENT else "left to the tool"
        summary = summary_for(self.info.schema, self._root)
        return f"{summary} · the script gives it" if self.info.required else summary


def summary_for(schema: Any, root: Any) -> str:
    """Such as `integer, 1 to 500 · default 100`."""
    return summary_of(shape_of(part_of(schema, root)))


NO_TOOL = "Choose a tool first: its parameters are listed here."
NOTHING = "The tool takes no arguments."


class ParameterTable(QWidget):
    """A line for each parameter; another tool keeps what was said of parameters that it has, too.

    Signals: changed: something is another.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("aliasParameters")
        self.setAccessibleName("Parameters")
        self.lines: dict[str, ParameterLine] = {}
        self._spec: ToolSpec | None = None
        self._said: dict[str, Treatment] = {}
        """What is done with each, also with those that the tool of the moment does not have."""
        self._own: frozenset[str] = frozenset()
        """Those that the file itself speaks of: they are shown whatever the tool has."""
        self._empty = PlainLabel(NO_TOOL, role="muted")
        self._empty.setFixedHeight(field_height())
        self._empty.setContentsMargins(theme().pixels(4 * SPACE), 0, 0, 0)
        self._column = filled(QVBoxLayout(self), rule(), self._empty, margins=0, spacing=0)

    def set_entry(self, entry: Mapping[str, Any]) -> None:
        """What the file says of the parameters."""
        self._said = treatments_of(entry)
        self._own = frozenset(self._said)
        self._draw()

    def set_tool(self, spec: ToolSpec | None) -> None:
        """The tool whose parameters these are."""
        same = _face(spec) == _face(self._spec)
        if same:
            self._spec = spec
            return
        self._remember()
        self._spec = spec
        self._draw()

    @property
    def has_tool(self) -> bool:
        return self._spec is not None

    def values(self) -> dict[str, Any]:
        """`preset`, `defaults` and `hidden` as the file will have them."""
        return values_in_file((name, line.treatment()) for name, line in self.lines.items())

    def problem(self) -> str:
        """The first thing that is wrong; empty if nothing is."""
        return next((problem for line in self.lines.values() if (problem := line.problem())), "")

    def reveal(self) -> None:
        """Goes to what is wrong."""
        wrong = next((line for line in self.lines.values() if line.problem()), None)
        if wrong is not None:
            wrong.reveal()

    def _remember(self) -> None:
        self._said |= {name: line.treatment() for name, line in self.lines.items()}

    def _draw(self) -> None:
        for line in self.lines.values():
            discard(self._column, line)
        self.lines = {}
        spoken = {name: treatment for name, treatment in self._said.items() if name in self._own}
        entry = values_in_file(spoken.items())
        root = self._spec.parameters if self._spec is not None else True
        for info in parameters_of(self._spec, entry):
            treatment = self._said.get(info.name, Treatment())
            if info.required and treatment.how == "hidden":
                treatment = Treatment()
            line = ParameterLine(info, root, treatment)
            line.changed.connect(self.changed)
            self.lines[info.name] = line
            self._column.addWidget(line)
        self._empty.setText(NO_TOOL if self._spec is None else NOTHING)
        self._empty.setVisible(not self.lines)


def _face(spec: ToolSpec | None) -> Any:
    """What of a tool the table shows."""
    return (spec.parameters, [parameter.name for parameter in spec.signature]) if spec is not None else None
