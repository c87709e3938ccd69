"""What came of a call by hand: how it went, who answered, and its value or its error."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.trace import Record
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.trying.outcome_text import outcome_line, who_answered
from ptc_studio.ui.widgets.error_view import ErrorView
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip
from ptc_studio.ui.widgets.rule import rule
from ptc_studio.ui.widgets.value_view import ValueView


class CallResult(QWidget):
    """Shows one record, as the inspector does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: Record | None = None
        self.said, self.by = PlainLabel(), PlainLabel()
        self.said.setObjectName("tryOutcome")
        self.by.setProperty("role", "muted")
        for label in (self.said, self.by):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.by.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # How it went is read first: who answered gets what room is left, and is whole in the tooltip.
        self.by.setMinimumWidth(1)
        self.value, self.error = ValueView("Result"), ErrorView()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.value)
        self._pages.addWidget(self.error)
        self._lay_out()
        theme().changed.connect(self._restyle)

    @property
    def record(self) -> Record | None:
        return self._record

    def show_record(self, record: Record, inner_calls: int = 0, where: str = "") -> None:
        """Shows how the call went; `where` is the place of the tool's code, for what goes wrong in it."""
        self._record = record
        line = outcome_line(record, inner_calls)
        self.said.setText(line)
        self.said.setAccessibleName(line)
        failed = record["error"] is not None
        self.by.setText(f"{who_answered(record)}{f', {where}' if failed and where else ''}")
        self.by.setToolTip(plain_tip(self.by.text()))
        self._pages.setCurrentIndex(int(failed))
        if failed:
            self.error.set_error(record["error"], running=False)
        else:
            self.value.set_value(record["result"])
        self._restyle()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        edge = theme().pixels(3 * SPACE)
        head.setContentsMargins(edge, theme().pixels(2 * SPACE), edge, theme().pixels(2 * SPACE))
        head.setSpacing(theme().pixels(3 * SPACE))
        head.addWidget(self.said)
        head.addWidget(self.by, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(rule())
        column.addLayout(head)
        pages = QVBoxLayout()
        pages.setContentsMargins(theme().pixels(SPACE), 0, 0, 0)
        pages.addWidget(self._pages)
        column.addLayout(pages, 1)

    def _restyle(self) -> None:
        if self._record is not None:
            colour = theme().status_colour(self._record["status"] or "running").name()
            self.said.setStyleSheet(f"color: {colour}; font-weight: 600;")
            if self._record["error"]:
                self.error.set_error(self._record["error"], running=False)
