"""How long a run may take."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSpinBox, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

LONGEST, USUAL = 3600, 30
WORD = "Limit  "


class LimitField(QSpinBox):
    """A number of seconds; the word before it can be left out where there is little room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, minimum=1, maximum=LONGEST, value=USUAL, prefix=WORD, suffix=" s")
        self.setObjectName("timeLimit")
        self.setAccessibleName("Time limit in seconds")
        self.setToolTip("Limit: a run that takes longer is stopped.")
        self.setProperty("plain", True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.valueChanged.connect(lambda: self.setFixedWidth(self._width(self.prefix())))
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def show_words(self, shown: bool) -> None:
        """Whether it says what the number is."""
        if shown != bool(self.prefix()):
            self.setPrefix(WORD if shown else "")
            self.setFixedWidth(self._width(self.prefix()))

    @property
    def words_width(self) -> int:
        """How much is won when the word is left out."""
        return self._width(WORD) - self._width("")

    @property
    def whole_width(self) -> int:
        """With the word."""
        return self._width(WORD)

    @property
    def number_width(self) -> int:
        """Without the word."""
        return self._width("")

    def _width(self, prefix: str) -> int:
        # Where there is room, it does not move while one types; where there is little, it takes no more than it needs.
        number = LONGEST if prefix else max(self.value(), 100)
        words = f"{prefix}{number}{self.suffix()}"
        return self.fontMetrics().horizontalAdvance(words) + theme().pixels(6 * SPACE)

    def _on_theme_changed(self) -> None:
        self.setFont(theme().text_font())
        self.setFixedWidth(self._width(self.prefix()))
