"""One call that waits: what it is, why it waits, how long it will, and the answers."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ptc_studio.ui.prompts.deciding import Deciding
from ptc_studio.ui.prompts.guard import Guard
from ptc_studio.ui.prompts.permission_body import PermissionBody
from ptc_studio.ui.prompts.stopped_body import StoppedBody
from ptc_studio.ui.prompts.waiting import Prompt
from ptc_studio.ui.prompts.words import KINDS, circumstances, heading, time_left
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.parts_line import PartsLine
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.rule import rule

TICK_MS = 500


class PromptView(QWidget):
    """Made anew for each question."""

    def __init__(self, prompt: Prompt, deciding: Deciding, guard: Guard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prompt = prompt
        self.setAccessibleName(heading(prompt.question))
        kind = PermissionBody if prompt.question.kind == "permission" else StoppedBody
        self.body: PermissionBody | StoppedBody = kind(prompt, deciding, guard)
        self.why = PlainLabel(circumstances(prompt.question), wordWrap=True)
        self.why.setProperty("role", "muted")
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._mark = PlainLabel(MARKS["waiting"])
        self.time = PlainLabel()
        self.time.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(rule())
        column.addWidget(self.body, 1)
        self._ticks = QTimer(self, interval=TICK_MS)
        self._ticks.timeout.connect(self._show_time)
        theme().changed.connect(self._dress)
        self._dress()
        self._show_time()
        if prompt.left is not None:
            self._ticks.start()

    def _head(self) -> QVBoxLayout:
        name = PartsLine()
        name.set_parts([("tool", self.prompt.name), ("badge", KINDS[self.prompt.question.kind])])
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        row.addWidget(self._mark)
        row.addWidget(name, 1)
        row.addWidget(self.time)
        head = QVBoxLayout()
        head.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        head.setSpacing(SPACE)
        head.addLayout(row)
        below = QHBoxLayout()
        below.addWidget(self.why, 1)
        if self.body.corner is not None:
            below.addWidget(self.body.corner, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(below)
        return head

    def _dress(self) -> None:
        self._mark.setStyleSheet(f"color: {theme().colours.warning};")

    def _show_time(self) -> None:
        self.time.setText(time_left(self.prompt.left))
