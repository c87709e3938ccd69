"""Adds a breakpoint, or changes one."""

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QLineEdit

from ptc_studio.core.errors import ExpressionError, ToolNotFound
from ptc_studio.core.registry import EVERYTHING
from ptc_studio.core.responders.breakpoints import Breakpoint
from ptc_studio.core.responders.expressions import Expression
from ptc_studio.ui.breakpoints_and_mocks.breakpoints import BreakpointList, BreakpointRow, script_of
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog
from ptc_studio.ui.forms import FieldError, SchemaForm
from ptc_studio.ui.forms.controls import suggest
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptc_studio.app import Studio
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.context import Context


def names_of(studio: "Studio") -> list[str]:
    """Aliases and tools first, then a pattern for each source."""
    targets = studio.registry.targets(EVERYTHING)
    patterns = sorted({f"{target.spec.source}.*" for target in targets if target.alias is None})
    return [*(target.spec.name for target in targets), *patterns]


def offer_names(form: "SchemaForm", studio: "Studio") -> None:
    """Has the form's name offer them while one types."""
    line = form.field("name").target()
    if isinstance(line, QLineEdit):
        suggest(line, names_of(studio))
        line.setPlaceholderText("Type to search; shop.* means all of shop")


def target_of(studio: "Studio", name: str) -> "Target | None":
    """What the name leads to; None for a pattern, and for what is not there."""
    try:
        return studio.registry.resolve(name)
    except ToolNotFound:
        return None


WIDTH, HEIGHT = 560, 380
NAME = {
    "type": "string",
    "title": "Calls of",
    "description": "A tool or an alias, or a pattern such as shop.*; empty for whatever is called.",
}
LINE = {
    "type": "integer",
    "minimum": 1,
    "title": "From line",
    "description": "Of the script, which makes the call itself.",
}
CONDITION = {
    "type": "string",
    "title": "Only if",
    "description": 'An expression over the arguments, such as qty > 3 and currency == "EUR".',
}


class BreakpointDialog(FramedDialog):
    """The form, and what becomes of it."""

    def __init__(self, context: "Context", book: BreakpointList, entry: BreakpointRow | None = None) -> None:
        super().__init__(context.window, "New breakpoint" if entry is None else "Breakpoint", WIDTH, HEIGHT)
        self.setObjectName("breakpointDialog")
        self._book, self._entry = book, entry
        self._script = self._script_meant(context)
        self.form = SchemaForm(self._schema(), self._values(), labels="titles", also=_faults)
        edge = theme().pixels(4 * SPACE)
        self.form.setContentsMargins(edge, edge, edge, edge)
        self.form.bar.hide()
        self.set_body(self.form)
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Save" if entry else "Add", self.save, default=True)
        if "name" in self._schema()["properties"]:
            offer_names(self.form, context.workbench.studio)
        self.say(f"Lines are those of {book.title_of(self._script)}." if self._script else "")
        next(iter(self.form.field(key) for key in self._schema()["properties"])).target().setFocus()
        context.workbench.closed.connect(self.reject)

    def save(self) -> None:
        """Takes it over, if it is right."""
        if not self.form.is_valid():
            self.form.reveal_faults()
            return
        values = self.form.value()
        enabled = self._entry.one.enabled if self._entry else True
        one = Breakpoint(
            str(values.get("name", "")).strip(), values.get("line"), values.get("condition", "").strip(), enabled
        )
        made = BreakpointRow(one, self._script if one.line else "")
        if self._entry is None:
            self._book.add(made)
        else:
            self._book.replace(self._entry, made)
        self.accept()

    def _script_meant(self, context: "Context") -> str:
        if self._entry is not None:
            return self._entry.script
        page = context.editors.current()
        return script_of(page) if page is not None else ""

    def _schema(self) -> dict[str, Any]:
        """A breakpoint on a line is on that line, and one on a tool may become one of a line."""
        on_line = self._entry is not None and bool(self._entry.script)
        properties = {"line": LINE} if on_line else {"name": NAME, **({"line": LINE} if self._script else {})}
        required = ["line"] if on_line else []
        return {"type": "object", "properties": {**properties, "condition": CONDITION}, "required": required}

    def _values(self) -> dict[str, Any]:
        if self._entry is None:
            return {}
        one = self._entry.one
        given = {"name": one.name, "line": one.line, "condition": one.condition}
        return {key: value for key, value in given.items() if value}


def _faults(values: Any) -> "Sequence[FieldError]":
    if not isinstance(values, dict):
        return ()
    if values.get("name") and values.get("line"):
        return [FieldError(("line",), "Leave one of the two empty: a line stops at all its calls.", "both")]
    try:
        if values.get("condition", "").strip():
            Expression(values["condition"])
    except ExpressionError as error:
        return [FieldError(("condition",), str(error), "expression")]
    return ()
