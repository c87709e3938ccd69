"""How a model sees the alias: the definition that it is given."""

import json

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from ptc_studio.core.registry import Target
from ptc_studio.exports import Format, definitions
from ptc_studio.ui.forms.json_highlighter import JsonHighlighter
from ptc_studio.ui.forms.segments import Segments
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

FORMS: tuple[tuple[Format, str], ...] = (("anthropic", "Anthropic"), ("openai", "OpenAI"), ("mcp", "MCP"))
NOTHING = "Choose a tool, and its definition stands here."


class ModelView(QWidget):
    """The same as JSON, for the system that is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._target: Target | None = None
        self.formats = Segments([title for _, title in FORMS])
        self.formats.set_current(0)
        self.formats.picked.connect(lambda _position: self._fill())
        self.text = QPlainTextEdit(readOnly=True, placeholderText=NOTHING)
        self.text.setObjectName("aliasDefinition")
        self.text.setAccessibleName("Definition for a model")
        self.text.document().setDocumentMargin(0)
        self.text.setTabChangesFocus(True)
        self._colours = JsonHighlighter(self.text.document())
        edge = theme().pixels(4 * SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(edge, edge, edge, 0)
        column.setSpacing(theme().pixels(3 * SPACE))
        column.addWidget(self.formats)
        column.addWidget(self.text, 1)
        theme().changed.connect(self._dress)
        self._dress()

    def show_target(self, target: Target | None) -> None:
        """The alias; None where there is nothing to show yet."""
        self._target = target
        self._fill()

    def _fill(self) -> None:
        text = ""
        if self._target is not None:
            made = definitions([self._target], FORMS[self.formats.current()][0])
            text = json.dumps(made[0], indent=2, ensure_ascii=False).encode("utf-8", "replace").decode()
        if text != self.text.toPlainText():
            place = self.text.verticalScrollBar().value()
            self.text.setPlainText(text)
            self.text.verticalScrollBar().setValue(place)

    def _dress(self) -> None:
        self.text.setFont(theme().code_font())
