"""The dialogs that add or change a breakpoint, or a mock: what it answers, how late, how often not."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from ptc_studio.core.errors import ExpressionError, PtcError, ToolNotFound
from ptc_studio.core.registry import EVERYTHING
from ptc_studio.core.responders.breakpoints import Breakpoint
from ptc_studio.core.responders.examples import example, fits
from ptc_studio.core.responders.expressions import Expression
from ptc_studio.core.responders.mocks import RUNTIME_ERROR, MockAnswer
from ptc_studio.storage.mock_store import MOCKS_FILE
from ptc_studio.ui.breakpoints_and_mocks.breakpoints import BreakpointList, BreakpointRow, script_of
from ptc_studio.ui.breakpoints_and_mocks.mocks import (
    KINDS,
    SAID,
    MockEdits,
    file_values,
    form_values,
    kind_of,
    schema_for,
)
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, will_be_saved_to
from ptc_studio.ui.forms import ABSENT, FieldError, SchemaForm, one_line, write_json
from ptc_studio.ui.forms.controls import JsonHighlighter, Segments, suggest
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import discard, filled, upright_rule

if TYPE_CHECKING:
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


BREAKPOINT_WIDTH, BREAKPOINT_HEIGHT = 560, 380
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
        super().__init__(
            context.window, "New breakpoint" if entry is None else "Breakpoint", BREAKPOINT_WIDTH, BREAKPOINT_HEIGHT
        )
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


GETS = "The script gets"
NO_TOOL = "Shown once the name is that of a tool or an alias."
NO_SCHEMA = "The tool does not say what it returns: the answer is null."
ODD = "▲ Does not match the output schema; the script gets it anyway:"
UNFIT = "▲ Does not match the schema in every point."


class MockPreview(QWidget):
    """A caption, and the answer as JSON."""

    def __init__(self, studio: "Studio", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.caption = PlainLabel(wordWrap=True, role="muted")
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setObjectName("mockPreview")
        self.text.setAccessibleName("The answer")
        self.text.setFont(theme().code_font())
        self._highlighter = JsonHighlighter(self.text.document())
        column = QVBoxLayout(self)
        edge = theme().pixels(3 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        title = PlainLabel("Preview", role="title")
        for widget in (title, self.caption):
            column.addWidget(widget)
        column.addWidget(self.text, 1)

    def show_answer(self, kind: MockAnswer, values: Mapping[str, Any]) -> None:
        """What a call would get."""
        text, shown = self._answer(kind, values)
        self.caption.setText(text)
        self.text.setPlainText(shown)

    def _answer(self, kind: MockAnswer, values: Mapping[str, Any]) -> tuple[str, str]:
        target = target_of(self._studio, str(values.get("name", "")).strip())
        output = target.tool.spec.output if target else None
        match kind:
            case "value":
                if "value" not in values:
                    return "Shown once there is a value.", ""
                value = values["value"]
                return GETS if output is None or fits(value, output) else ODD, write_json(value)
            case "schema":
                if target is None:
                    return NO_TOOL, ""
                if output is None:
                    return NO_SCHEMA, "null"
                made = example(output, int(values.get("seed") or 0))
                return GETS if made.fits else UNFIT, write_json(made.value)
            case "expression":
                return self._evaluated(str(values.get("expression", "")), target)
            case "error":
                parts = (values.get("error_type") or RUNTIME_ERROR, values.get("error_message"))
                return "The script can catch", ": ".join(filter(None, parts))
            case "tool":
                return "The tool answers, after the delay, except where a call fails.", ""

    def _evaluated(self, expression: str, target: Any) -> tuple[str, str]:
        if not expression.strip():
            return "", ""
        arguments: Any = example(target.tool.spec.parameters).value if target else {}
        try:
            value = Expression(expression).value(arguments or {})
        except ExpressionError as error:
            return f"✕ {error}" if target else NO_TOOL, ""
        text = f"For example, with {one_line(arguments)}, the script gets" if arguments else GETS
        return text, write_json(value)


MOCK_WIDTH, MOCK_HEIGHT = 940, 640
NOT_KEPT = "No folder is open to keep it in: the mock lasts as long as this window."


class MockDialog(FramedDialog):
    """Signals: none; the studio tells of its mocks."""

    def __init__(
        self, context: "Context", edits: MockEdits, values: Mapping[str, Any], index: int | None = None
    ) -> None:
        """With its place in the file a mock is changed, else a new one is added with these values to begin with."""
        super().__init__(
            context.window, "New mock" if index is None else f"Mock of {values['name']}", MOCK_WIDTH, MOCK_HEIGHT
        )
        self.setObjectName("mockDialog")
        self._context, self._edits, self._index = context, edits, index
        self._studio = context.workbench.studio
        self._enabled = bool(values.get("enabled", True))
        self.kind: MockAnswer = kind_of(values)
        self._filled: dict[str, Any] = form_values(values)
        self._lay_out()
        self._show_kind()
        saved = will_be_saved_to(self._studio.folder / MOCKS_FILE)
        self.say(saved if self._studio.has_workspace else NOT_KEPT)
        context.workbench.closed.connect(self.reject)

    def choose(self, kind: MockAnswer) -> None:
        """Another kind of answer; what was filled in is not lost."""
        self._filled |= self._value()
        self.kind = kind
        self._show_kind()

    def save(self) -> None:
        """Writes it, if it is right."""
        if not self.form.is_valid():
            self.form.reveal_faults()
            return
        self.start(self._context.workbench, self._save())

    def values(self) -> dict[str, Any]:
        """As the file will have it."""
        return file_values(self.kind, self._value(), self._enabled)

    def _lay_out(self) -> None:
        self.kinds = Segments(list(KINDS.values()))
        self.kinds.picked.connect(lambda at: self.choose(list(KINDS)[at]))
        self._said = PlainLabel(wordWrap=True, role="muted")
        left = QWidget()
        self._fields = QVBoxLayout(left)
        edge = theme().pixels(4 * SPACE)
        self._fields.setContentsMargins(edge, edge, edge, theme().pixels(2 * SPACE))
        self._fields.setSpacing(theme().pixels(2 * SPACE))
        top = QHBoxLayout()
        top.addWidget(self.kinds)
        self._fields.addLayout(top)
        self._fields.addWidget(self._said)
        self.preview = MockPreview(self._studio)
        sides = filled(QHBoxLayout(), (left, 5), upright_rule(), (self.preview, 3), margins=0, spacing=0)
        self.set_body(sides)
        self.form: SchemaForm = self._made_form()
        self.add_button("Cancel", self.reject)
        self.save_button = self.add_button("Save" if self._index is not None else "Add", self.save, default=True)
        self.save_button.setObjectName("saveMockButton")

    def _made_form(self) -> SchemaForm:
        schema = schema_for(self.kind)
        known = {key: value for key, value in self._filled.items() if key in schema["properties"]}
        form = SchemaForm(schema, known, labels="titles", also=self._faults)
        form.setObjectName("mockForm")
        form.bar.hide()
        form.changed.connect(self._on_changed)
        self._fields.addWidget(form, 1)
        return form

    def _show_kind(self) -> None:
        former, self.form = self.form, self._made_form()
        discard(self._fields, former)
        self.kinds.set_current(list(KINDS).index(self.kind))
        self._said.setText(SAID[self.kind])
        offer_names(self.form, self._studio)
        known = schema_for(self.kind)["properties"]
        first = next((key for key in ("name", self.kind) if key in known and not self._filled.get(key)), "name")
        self.form.field(first).target().setFocus()
        self._on_changed()

    def _value(self) -> dict[str, Any]:
        value = self.form.value()
        return dict(value) if isinstance(value, Mapping) and value is not ABSENT else {}

    def _on_changed(self) -> None:
        self.preview.show_answer(self.kind, self._value())

    def _faults(self, values: Any) -> Sequence[FieldError]:
        """What the schema cannot know: whether there is such a tool, and whether the expression can be read."""
        found: list[FieldError] = []
        name = str(values.get("name", "")).strip()
        if name and "*" not in name and target_of(self._studio, name) is None:
            found.append(FieldError(("name",), "No tool or alias has that name now.", "unknown", advice=True))
        try:
            if self.kind == "expression" and values.get("expression"):
                Expression(values["expression"])
        except ExpressionError as error:
            found.append(FieldError(("expression",), str(error), "expression"))
        if self.kind == "tool" and not values.get("delay") and not values.get("failure_rate"):
            found.append(
                FieldError(("delay",), "Give it a delay or a failure rate: else nothing is different.", "empty")
            )
        return found

    async def _save(self) -> None:
        values = self.values()
        self.save_button.setEnabled(False)
        try:
            if self._index is None:
                await self._edits.add(values)
            else:
                await self._edits.replace(self._index, values)
        except PtcError as error:
            self.save_button.setEnabled(True)
            self.say_failed(str(error))
            return
        self.accept()
