"""A message that lies over the editor: what was done, what to know, what to watch, what went wrong."""

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import QEvent, QObject, QPropertyAnimation, QSize, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QGraphicsOpacityEffect,
    QHBoxLayout,
    QPushButton,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip

TEXT_WIDTH = 160
"""Words that would have less than this stand above the buttons."""
MOST_WIDTH = 760
MARGIN = 3 * SPACE
"""Between the message and the edges of what it lies over."""
FADE_AFTER, FADE_MS = 8_000, 250
"""Milliseconds: how long what was done is told, and how long it takes to go."""

NoticeKind = Literal["done", "note", "warning", "error"]
MARKS: dict[NoticeKind, tuple[str, str]] = {
    "done": ("✓", "ok"),
    "note": ("●", "accent"),
    "warning": ("▲", "warning"),
    "error": ("✕", "error"),
}
"""The mark of each kind, and its colour."""


def wants_no_motion(widget: QWidget) -> bool:
    """Whether the desktop's user has turned animations off."""
    return widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget) == 0


class NoticeBar(QFrame):
    """One message at a time, hidden until there is one. Not modal, and nothing moves for it: the work goes on.

    What was done goes by itself; everything else when it is closed, when another comes, or with its cause.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self.setAccessibleName("Notice")
        self.kind: NoticeKind = "note"
        self._mark = PlainLabel()
        self._text = PlainLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton()
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._on_pressed)
        self.other = QPushButton()
        self.other.setAutoDefault(False)
        self.other.clicked.connect(self._on_other_pressed)
        self._act: Callable[[], object] = lambda: None
        self._other_act: Callable[[], object] = lambda: None
        self._below: QWidget | None = None
        self._free = 0
        self._cause: Any = None
        """A signal that says that the cause is gone."""
        self._going = QTimer(self, singleShot=True, interval=FADE_AFTER)
        self._going.timeout.connect(self._fade)
        self._fading: QPropertyAnimation | None = None
        close = QToolButton()
        set_icon(close, "close", "muted")
        close.setAutoRaise(True)
        close.setAccessibleName("Close the notice")
        close.setToolTip("Close")
        close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 4, 4)
        layout.addWidget(self._mark)
        layout.addLayout(self._middle(), 1)
        layout.addWidget(close)
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self.hide()

    @property
    def message(self) -> str:
        """What it says, or said last."""
        return self._text.text()

    def lie_over(self, widget: QWidget) -> None:
        """Has it lie over the lower part of this widget, which stands in the same column."""
        self._below = widget
        self.setParent(widget.parentWidget())
        widget.installEventFilter(self)

    def _middle(self) -> QBoxLayout:
        self._buttons = QHBoxLayout()
        for button in (self.other, self.button):
            self._buttons.addWidget(button)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.addWidget(self._text, 1)
        self._parts.addLayout(self._buttons)
        return self._parts

    def _turn(self) -> None:
        """Puts the buttons below the words where both have no room beside each other."""
        wanted = theme().pixels(TEXT_WIDTH + 16 * SPACE) + self._buttons.sizeHint().width()
        beside = self.button.isHidden() or wanted <= self.width()
        self._parts.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def show_message(self, message: str, kind: NoticeKind = "note", *, until: Any = None) -> None:
        """Shows the message until it is closed, another comes, or the signal `until` says that its cause is gone."""
        self._stop_fading()
        self._forget_cause()
        self.kind = kind
        self._mark.setText(MARKS[kind][0])
        self._text.setText(message)
        self._text.setToolTip(plain_tip(message))
        self.setAccessibleDescription(message)
        self.button.hide()
        self.other.hide()
        self._apply_style()
        if until is not None:
            self._cause = until
            until.connect(self.hide)
        self._place()
        self.show()
        self.raise_()
        if kind == "done":
            self._going.start()

    def offer(
        self,
        message: str,
        text: str,
        act: Callable[[], object],
        other: "tuple[str, Callable[[], object]] | None" = None,
        *,
        kind: NoticeKind = "done",
    ) -> None:
        """The same with a button, or with another one before it, that does something and puts the notice away."""
        self.show_message(message, kind)
        self.button.setText(text)
        self.button.show()
        self._act = act
        if other is not None:
            self.other.setText(other[0])
            self.other.show()
            self._other_act = other[1]
        self._place()

    def hide_passing(self) -> None:
        """Puts away what is over with the next run; what went wrong stays, and what can be taken back."""
        if self.kind != "error" and self.button.isHidden():
            self.hide()

    def add_bar(self, bar: QWidget) -> None:
        """Puts a bar that comes and goes right below what this lies over: what is read there stays where it is."""
        parent = self.parentWidget()
        column = parent.layout() if parent is not None else None
        assert isinstance(column, QVBoxLayout)
        assert self._below is not None
        column.insertWidget(column.indexOf(self._below) + 1, bar)

    def keep_free(self, height: int) -> None:
        """So much at the bottom of what this lies over has something of its own to ask, which is not covered."""
        self._free = height
        self._place()

    def _place(self) -> None:
        """At the bottom, in the middle, as high as its words need."""
        if self._below is None:
            return
        room = self._below.geometry()
        width = min(room.width() - 2 * MARGIN, theme().pixels(MOST_WIDTH))
        self.resize(width, self.height())
        self._turn()
        layout = self.layout()
        assert layout is not None
        layout.activate()
        height = layout.heightForWidth(width) if layout.hasHeightForWidth() else self.sizeHint().height()
        left, top = room.left() + (room.width() - width) // 2, room.bottom() - self._free - height - MARGIN
        self.setGeometry(left, top, width, min(height, room.height()))

    def _fade(self) -> None:
        """Goes, unless somebody is about to use it."""
        focused = QApplication.focusWidget()
        if self.underMouse() or (focused is not None and self.isAncestorOf(focused)):
            self._going.start()
            return
        if wants_no_motion(self):
            self.hide()
            return
        effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(effect)
        self._fading = QPropertyAnimation(effect, b"opacity", self)
        self._fading.setDuration(FADE_MS)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(self.hide)
        self._fading.start()

    def _stop_fading(self) -> None:
        self._going.stop()
        if self._fading is not None:
            self._fading.stop()
            self._fading = None
            self.setGraphicsEffect(None)  # type: ignore[arg-type]

    def _forget_cause(self) -> None:
        if self._cause is not None:
            self._cause.disconnect(self.hide)
            self._cause = None

    def _on_pressed(self) -> None:
        self.hide()
        self._act()

    def _on_other_pressed(self) -> None:
        self.hide()
        self._other_act()

    def _apply_style(self) -> None:
        colours, colour = theme().colours, theme().colour(MARKS[self.kind][1]).name()
        self.setStyleSheet(
            f"#noticeBar {{ background: {colours.raised}; border: 1px solid {colour}; border-radius: 6px; }}"
        )
        self._mark.setStyleSheet(f"color: {colour};")
        self._mark.setAccessibleName(self.kind)

    def minimumSizeHint(self) -> QSize:
        # As if the buttons stood below the words: where they stand follows from the width, not the other way round.
        least, buttons = super().minimumSizeHint(), self._buttons.sizeHint().width()
        return QSize(min(least.width(), buttons + theme().pixels(20 * SPACE)), least.height())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        if self._fading is not None:
            self._stop_fading()
            self._going.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop_fading()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)
