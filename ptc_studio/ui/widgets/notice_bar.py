"""A line above the work that tells what went wrong or asks for attention, and can be closed."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from ptc_studio.ui.theme import set_icon, theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip

TEXT_WIDTH = 160
"""Words that would have less than this stand above the buttons."""


class NoticeBar(QFrame):
    """Hidden until there is something to say. Not modal: the work goes on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self.setAccessibleName("Notice")
        self._mark = PlainLabel("▲")
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

    def show_message(self, message: str) -> None:
        """Shows the message until it is closed or another comes."""
        self._text.setText(message)
        self._text.setToolTip(plain_tip(message))
        self.button.hide()
        self.other.hide()
        self.show()

    def offer(
        self,
        message: str,
        text: str,
        act: Callable[[], object],
        other: "tuple[str, Callable[[], object]] | None" = None,
    ) -> None:
        """The same with a button, or with another one before it, that does something and puts the notice away."""
        self.show_message(message)
        self.button.setText(text)
        self.button.show()
        self._act = act
        if other is not None:
            self.other.setText(other[0])
            self.other.show()
            self._other_act = other[1]
        self._turn()

    def add_above(self, bar: QWidget) -> None:
        """Puts another bar above this one, which comes and goes."""
        self._column.insertWidget(0, bar)

    def add_below(self, bar: QWidget) -> None:
        """Puts another bar right below this one."""
        self._column.insertWidget(self._column.indexOf(self) + 1, bar)

    @property
    def _column(self) -> QVBoxLayout:
        """The layout that this stands in."""
        parent = self.parentWidget()
        layout = parent.layout() if parent is not None else None
        assert isinstance(layout, QVBoxLayout)
        return layout

    def _on_pressed(self) -> None:
        self.hide()
        self._act()

    def _on_other_pressed(self) -> None:
        self.hide()
        self._other_act()

    def _apply_style(self) -> None:
        colours = theme().colours
        self.setStyleSheet(
            f"#noticeBar {{ background: {colours.raised}; border: 1px solid {colours.warning}; border-radius: 6px; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.warning};")

    def minimumSizeHint(self) -> QSize:
        # As if the buttons stood below the words: where they stand follows from the width, not the other way round.
        least, buttons = super().minimumSizeHint(), self._buttons.sizeHint().width()
        return QSize(min(least.width(), buttons + theme().pixels(20 * SPACE)), least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()
