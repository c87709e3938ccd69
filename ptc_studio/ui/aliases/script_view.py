"""How a script sees the alias: its signature, and what is told of it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from ptc_studio.core.tools import ToolSpec
from ptc_studio.ui.aliases.signatures import signature_in
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.editor.highlighter import Highlighter
from ptc_studio.ui.widgets.plain_text import PlainLabel

MOST_LINES = 14
NOTHING = "Choose a tool, and its signature stands here."


class ScriptView(QWidget):
    """Read-only, as high as it needs to be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec: ToolSpec | None = None
        self._language = "python"
        self.signature = QPlainTextEdit(readOnly=True)
        self.signature.setObjectName("aliasSignature")
        self.signature.setAccessibleName("Signature")
        self.signature.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.signature.document().setDocumentMargin(0)
        self.signature.setTabChangesFocus(True)
        self._colours = Highlighter(self.signature.document(), self._language)
        self.about = PlainLabel(wordWrap=True)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        edge = theme().pixels(4 * SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme().pixels(3 * SPACE))
        column.addWidget(self.signature)
        column.addWidget(self.about)
        theme().changed.connect(self._dress)
        self._dress()
        self.show_spec(None)

    def set_language(self, language: str) -> None:
        """That of the script that is open."""
        self._language = language
        self._colours.set_language(language)

    def show_spec(self, spec: ToolSpec | None) -> None:
        """The alias as a tool; None where there is nothing to show yet."""
        self._spec = spec
        text = signature_in(self._language, spec) if spec is not None else ""
        self.signature.setVisible(spec is not None)
        if spec is not None:
            self._colours.set_tool_names({spec.name})
        if text != self.signature.toPlainText():
            self.signature.setPlainText(text)
        self.about.setText(spec.description if spec is not None else NOTHING)
        self._fit()

    def _fit(self) -> None:
        lines = min(self.signature.blockCount(), MOST_LINES)
        scrolls = self.signature.blockCount() > MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.signature.setVerticalScrollBarPolicy(policy)
        bar = self.signature.horizontalScrollBar()
        # A long line has a bar below it, which takes room of its own.
        widest = max((self.signature.fontMetrics().horizontalAdvance(line) for line in self._lines()), default=0)
        needs_bar = widest > self.signature.viewport().width() > 0
        room = bar.sizeHint().height() if needs_bar else 0
        self.signature.setFixedHeight(lines * self.signature.fontMetrics().lineSpacing() + room + 4)

    def _lines(self) -> list[str]:
        return self.signature.toPlainText().split("\n")

    def _dress(self) -> None:
        self.signature.setFont(theme().code_font())
        self.about.setFont(theme().code_font())
        self.about.setStyleSheet(f"color: {theme().colours.comment};")
        self._fit()
