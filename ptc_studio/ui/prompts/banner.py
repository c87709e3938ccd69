"""The line below the work that says which call waits, with quick answers that no stray click can give."""

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ptc_studio.ui.prompts.decisions import (
    STOPPED,
    Prompt,
    PromptDecision,
    heading,
    heading_parts,
    many_parts,
    time_left,
)
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, RADIUS, SPACE
from ptc_studio.ui.widgets.item_views import PartsLine
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import FlowLayout, rule

GUARD_SECONDS = 0.4
"""So long nothing answers a question that took the place of another by itself."""


class ClickGuard:
    """What it guards does nothing for a moment after the question changed."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def holds(self) -> bool:
        return time.monotonic() < self._until

    def hold(self) -> None:
        """The question is another one from now on."""
        self._until = time.monotonic() + GUARD_SECONDS

    def release(self) -> None:
        """The user asked for the question himself."""
        self._until = 0.0

    def guarded(self, act: Callable[[], object]) -> Callable[[], None]:
        """Does it, unless the question has only just changed."""

        def do() -> None:
            if not self.holds:
                act()

        return do


class AnswerButtons(QWidget):
    """Buttons side by side; the first that is added is the one that is meant most."""

    def __init__(self, guard: ClickGuard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._guard = guard
        self._flow = FlowLayout(self, spacing=2 * SPACE)

    def add(self, text: str, about: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setToolTip(plain_tip(about))
        button.setProperty("primary", self._flow.count() == 0)
        button.clicked.connect(self._guard.guarded(act))
        self._flow.addWidget(button)
        return button


def lay_out_with_footer(room: QWidget, body: QWidget, *foot: QWidget) -> None:
    """Fills the room with the body and, below a line, the foot."""
    below = QVBoxLayout()
    below.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
    below.setSpacing(2 * SPACE)
    for widget in foot:
        below.addWidget(widget)
    column = QVBoxLayout(room)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(body, 1)
    column.addWidget(rule())
    column.addLayout(below)


WORDS = 400
"""So many pixels are enough for what is said."""
ROOM = 160
TICK_MS = 500


class PromptBanner(QFrame):
    """Hidden while nothing waits. Never takes the keyboard by itself.

    Signals: opened(prompt or None): the prompt is wanted, or the list of all. denial_wanted(prompt): with a reason.
    """

    opened = Signal(object)
    denial_wanted = Signal(object)

    def __init__(self, deciding: PromptDecision, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("promptBanner")
        self._deciding = deciding
        self._shown: Sequence[Prompt] = ()
        """What the answers are for: the one that waits, or all, where they ask the same."""
        self._all: Sequence[Prompt] = ()
        self.guard = ClickGuard()
        self._ticks = QTimer(self, interval=TICK_MS)
        self._ticks.timeout.connect(self._show_time)
        self._mark = PlainLabel(MARKS["waiting"])
        self.line = PartsLine()
        self.time = PlainLabel()
        self.time.setProperty("role", "muted")
        self._build()
        theme().changed.connect(self._apply_style)
        self._apply_style()
        deciding.waiting.came.connect(self.refresh)
        deciding.waiting.went.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Shows what waits now."""
        leader = self._all[0] if self._all else None
        self._all = self._deciding.waiting.all
        self._shown = self._group()
        self.setVisible(bool(self._all))
        if not self._all:
            self._ticks.stop()
            return
        self._show_words()
        self._show_buttons()
        self._show_time()
        self._ticks.start()
        if leader is not self._all[0]:
            # It came by itself, perhaps under the pointer.
            self.guard.hold()

    def _group(self) -> Sequence[Prompt]:
        first = self._all[0] if self._all else None
        return self._all if first and all(each.is_like(first) for each in self._all) else ()

    def _show_words(self) -> None:
        questions = [prompt.question for prompt in self._all]
        one = questions[0] if len(questions) == 1 else None
        self.line.set_parts(heading_parts(one, ROOM) if one else many_parts(questions))
        self.setAccessibleName(heading(one) if one else self.line.text)

    def _show_buttons(self) -> None:
        count, first = len(self._shown), self._all[0]
        asks, stopped = bool(self._shown) and first.question.kind == "permission", first.question.kind in STOPPED
        for button in (self.allow, self.for_run, self.always, self.deny):
            button.setVisible(asks)
        for button in (self.go_on, self.step):
            button.setVisible(stopped and len(self._all) == 1)
        self.allow.setText("Allow once" if count == 1 else f"Allow all {count}")
        self.deny.setText("Deny…" if count == 1 else f"Deny all {count}…")
        reason = self._deciding.why_not_always(first) if asks else ""
        self.always.setEnabled(not reason)
        self.always.setToolTip(plain_tip(reason or f"Writes to the workspace file that {first.name} is allowed"))
        self.open.setText("Open" if len(self._all) == 1 else "Show all")
        self._turn()

    def _show_time(self) -> None:
        lefts = [left for prompt in self._all if (left := prompt.left) is not None]
        self.time.setText(time_left(min(lefts, default=None)))
        self.time.setVisible(bool(lefts))

    def _allow_once(self) -> None:
        if len(self._shown) == 1:
            self._deciding.allow(self._shown[0])
        else:
            self._deciding.allow_all(self._shown)

    def _build(self) -> None:
        deciding = self._deciding
        self.allow = self._button("Allow once", "Lets the call run", self._allow_once)
        self.for_run = self._button(
            "For this run", "Not asked again in this run", lambda: deciding.allow(self._shown[0], "run")
        )
        self.always = self._button("Always", "", lambda: deciding.allow(self._shown[0], "always"))
        self.go_on = self._button("Continue", "Lets the call run (F8)", lambda: deciding.go_on(self._all[0]))
        self.step = self._button(
            "Step", "Stops at the next call (F10)", lambda: deciding.go_on(self._all[0], step=True)
        )
        self.deny = self._button(
            "Deny…", "With a reason that the script gets", lambda: self.denial_wanted.emit(self._shown[0])
        )
        self.open = self._button("Open", "Shows the call, to be edited (F7)", self._on_open)
        words = QHBoxLayout()
        words.setSpacing(2 * SPACE)
        words.addWidget(self._mark)
        words.addWidget(self.line, 1)
        words.addWidget(self.time)
        self._buttons = QWidget()
        flow = FlowLayout(self._buttons, spacing=2 * SPACE)
        for button in (self.allow, self.for_run, self.always, self.go_on, self.step, self.deny, self.open):
            flow.addWidget(button)
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.setContentsMargins(3 * SPACE, SPACE, 2 * SPACE, SPACE + 2)
        self._box.setSpacing(2 * SPACE)
        self._box.addLayout(words, 1)
        self._box.addWidget(self._buttons)

    def _button(self, text: str, about: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setToolTip(plain_tip(about))
        button.clicked.connect(self.guard.guarded(act))
        return button

    def _on_open(self) -> None:
        self.opened.emit(self._all[0] if len(self._all) == 1 else None)

    def _turn(self) -> None:
        """The answers stand beside the words where there is room for both."""
        wide = self.width() >= self._buttons.sizeHint().width() + theme().pixels(WORDS)
        self._box.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    def _apply_style(self) -> None:
        colours = theme().colours
        self.setStyleSheet(
            f"#promptBanner {{ background: {colours.raised}; border: 1px solid {colours.warning};"
            f" border-radius: {RADIUS}px; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.warning};")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()
