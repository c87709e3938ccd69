"""Why a call failed: the type, the message, and the traceback if there is one."""

from html import escape
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.empty_state import EmptyState
from ptc_studio.ui.widgets.long_text import LongText
from ptc_studio.ui.widgets.plain_text import PlainLabel


class ErrorView(QWidget):
    """Shows the `error` of a record."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = PlainLabel()
        self.kind.setTextFormat(Qt.TextFormat.RichText)
        self.kind.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = LongText(100_000)
        self.text.view.setLineWrapMode(self.text.view.LineWrapMode.WidgetWidth)
        self._empty = EmptyState("No error")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def set_error(self, error: dict[str, Any] | None, running: bool) -> None:
        self._stack.setCurrentIndex(1 if error else 0)
        self._empty.setText("No error so far: the call has not ended" if running else "No error: the call went well")
        if error:
            colour = theme().colours.error
            self.kind.setText(f"<span style='color: {colour}; font-weight: 600'>✕ {escape(error['type'])}</span>")
            traceback = error.get("traceback")
            self.text.set_text(f"{error['message']}\n\n{traceback}" if traceback else error["message"])

    def _page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(2 * SPACE, SPACE, 0, 0)
        column.addWidget(self.kind)
        column.addWidget(self.text, 1)
        return page
