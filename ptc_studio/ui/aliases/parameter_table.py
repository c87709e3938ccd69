"""Every parameter of the tool, and what the alias does with each."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ptc_studio.core.tools import ToolSpec
from ptc_studio.ui.aliases.parameter_line import ParameterLine
from ptc_studio.ui.aliases.parameters import Treatment, parameters_of, said_in_file, treatments_of
from ptc_studio.ui.forms.looks import field_height
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.discarding import discard
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.rule import rule

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
        self._empty = PlainLabel(NO_TOOL)
        self._empty.setProperty("role", "muted")
        self._empty.setFixedHeight(field_height())
        self._empty.setContentsMargins(theme().pixels(4 * SPACE), 0, 0, 0)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(rule())
        self._column.addWidget(self._empty)

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
        return said_in_file((name, line.treatment()) for name, line in self.lines.items())

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
        entry = said_in_file(spoken.items())
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
