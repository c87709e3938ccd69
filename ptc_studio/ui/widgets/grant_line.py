"""The line below the code that says what the script uses and is not granted. Not modal: it may be run all the same."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, SPACE
from ptc_studio.ui.widgets.flat_button import flat_button
from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip

MOST_NAMED = 4


class GrantLine(QFrame):
    """Hidden while nothing is missing. Closed by the user, it comes back when something else is missing, or at a run.

    Signals: grant_requested(names).
    """

    grant_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("grantLine")
        self._missing: tuple[str, ...] = ()
        self._closed_for: tuple[str, ...] = ()
        self._mark = PlainLabel("▲")
        self.text = PlainLabel()
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setWordWrap(True)
        self.button = QPushButton("Grant them")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(lambda: self.grant_requested.emit(list(self._missing)))
        self.dismiss = flat_button("close", "Close until something else is missing", self._close)
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, SPACE, SPACE, SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self._mark)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        row.addWidget(self.dismiss)
        theme().changed.connect(self._dress)
        self._dress()
        self.hide()

    @property
    def missing(self) -> tuple[str, ...]:
        return self._missing

    def tell(self, used: int, missing: Sequence[str]) -> None:
        """How many tools the script uses, and which of them it is not granted."""
        self._missing = tuple(missing)
        if missing:
            self._say(used)
        if not missing:
            self._closed_for = ()
        self.setVisible(bool(missing) and self._missing != self._closed_for)

    def insist(self) -> None:
        """Shows itself again if it was closed: the script is run now."""
        self._closed_for = ()
        self.setVisible(bool(self._missing))

    def _say(self, used: int) -> None:
        shown, more = self._missing[:MOST_NAMED], len(self._missing) - MOST_NAMED
        names = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
        words = f"Uses {used} tool{'' if used == 1 else 's'}; not granted: {names}"
        self.text.setText(words)
        self.text.setToolTip(plain_tip(f"Calls of these are denied: {', '.join(self._missing)}"))
        self.setAccessibleName(words)
        self.button.setText("Grant it" if len(self._missing) == 1 else "Grant them")
        self.button.setToolTip("Adds what is missing to the chosen grant set, or ticks it; can be undone")

    def _close(self) -> None:
        self._closed_for = self._missing
        self.hide()

    def _dress(self) -> None:
        colours = theme().colours
        self.setStyleSheet(
            f"#grantLine {{ background: {colours.panel}; border: 0; border-top: 1px solid {colours.line}; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.warning};")
        self.button.setFixedHeight(theme().pixels(FIELD))
