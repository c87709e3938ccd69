"""Shows what a mock would answer, before it does."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from ptc_studio.core.answering.examples import example, fits
from ptc_studio.core.answering.expressions import Expression
from ptc_studio.core.answering.mocks import MockAnswer
from ptc_studio.core.answering.named_errors import RUNTIME_ERROR
from ptc_studio.core.errors import ExpressionFault
from ptc_studio.ui.answers.callable_names import target_of
from ptc_studio.ui.forms import one_line, write_json
from ptc_studio.ui.forms.json_highlighter import JsonHighlighter
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel

if TYPE_CHECKING:
    from ptc_studio.app import Studio

GETS = "The script gets"
NO_TOOL = "Shown once the name is that of a tool or an alias."
NO_SCHEMA = "The tool says nothing of what it gives: the answer is null."
ODD = "▲ Not what the output schema asks for; the script gets it all the same:"
UNFIT = "▲ Not in every point what the schema asks for."


class MockPreview(QWidget):
    """A caption, and the answer as JSON."""

    def __init__(self, studio: "Studio", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.caption = PlainLabel(wordWrap=True)
        self.caption.setProperty("role", "muted")
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setObjectName("mockPreview")
        self.text.setAccessibleName("The answer")
        self.text.setFont(theme().code_font())
        self._highlighter = JsonHighlighter(self.text.document())
        column = QVBoxLayout(self)
        edge = theme().pixels(3 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        title = PlainLabel("Preview")
        title.setProperty("role", "title")
        for widget in (title, self.caption):
            column.addWidget(widget)
        column.addWidget(self.text, 1)

    def show_answer(self, kind: MockAnswer, values: Mapping[str, Any]) -> None:
        """What a call would get."""
        said, shown = self._answer(kind, values)
        self.caption.setText(said)
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
        except ExpressionFault as fault:
            return f"✕ {fault}" if target else NO_TOOL, ""
        said = f"For example, with {one_line(arguments)}, the script gets" if arguments else GETS
        return said, write_json(value)
