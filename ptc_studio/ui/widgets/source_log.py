"""The last lines that a source wrote, as they come."""

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from ptc_studio.ui.models.source_rows import source_rows
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel

LOOK_MS = 300
NOTHING = "It has written nothing yet."


class SourceLog(QDialog):
    """Follows until the user scrolls away from the end, and again when the end is reached. Not modal."""

    def __init__(self, seat: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sourceLog")
        self.setWindowTitle(f"Log of {seat.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._seat = seat
        self._lines: tuple[str, ...] = ()
        self.state = PlainLabel()
        self.state.setWordWrap(True)
        self.text = QPlainTextEdit(readOnly=True, undoRedoEnabled=False)
        self.text.setAccessibleName(f"Last lines of {seat.name}")
        self.text.setPlaceholderText(NOTHING)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._lay_out()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        theme().changed.connect(self._dress)
        self._dress()
        self._look()

    def _lay_out(self) -> None:
        copy, close = QPushButton("Copy all"), QPushButton("Close")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText("\n".join(self._lines)))
        close.clicked.connect(self.close)
        close.setDefault(True)
        foot = QHBoxLayout()
        foot.setSpacing(2 * SPACE)
        foot.addStretch(1)
        foot.addWidget(copy)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.state)
        column.addWidget(self.text, 1)
        column.addLayout(foot)

    def _look(self) -> None:
        row = source_rows([self._seat])[0]
        words = f"{row.mark} {row.word.capitalize()}" + (f": {row.detail}" if row.detail else "")
        if words != self.state.text():
            self.state.setText(words)
            self.state.setStyleSheet(f"color: {getattr(theme().colours, row.tone)};")
        lines = self._seat.status.log
        if lines != self._lines:
            self._lines = lines
            self._show_lines()

    def _show_lines(self) -> None:
        bar = self.text.verticalScrollBar()
        follows, place = bar.value() >= bar.maximum(), bar.value()
        self.text.setPlainText("\n".join(self._lines))
        bar.setValue(bar.maximum() if follows else place)

    def _dress(self) -> None:
        font = theme().code_font()
        self.text.setStyleSheet(f"font-family: '{font.family()}'; font-size: {font.pixelSize()}px;")
        self.resize(theme().pixels(640), theme().pixels(360))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._timer.stop()
        super().closeEvent(event)
