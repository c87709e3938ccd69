"""How many values were hidden."""

from PySide6.QtWidgets import QWidget

from ptc_studio.ui.widgets.plain_text import PlainLabel, plain_tip
from ptc_studio.ui.widgets.still_text import release, set_still_text


class RedactedCount(PlainLabel):
    """A chip that is there as soon as something was hidden; where there is little room the word can be left out,
    and where there is none the number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._count, self._shows_words, self._left_out = 0, True, False
        self.setProperty("role", "redacted")
        self.hide()

    @property
    def words(self) -> str:
        return f"{self._count:,} redacted"

    def set_count(self, count: int) -> None:
        if count != self._count:
            self._count = count
            self.setToolTip(plain_tip(f"{self.words}: values that were hidden in what is shown and kept"))
            self.setAccessibleName(self.words)
            self._draw()

    def show_words(self, shown: bool) -> None:
        """Whether more than the number is seen."""
        if shown != self._shows_words:
            self._shows_words = shown
            self._draw()

    def set_left_out(self, left_out: bool) -> None:
        """Whether there is no room even for the number."""
        if left_out != self._left_out:
            self._left_out = left_out
            self.setVisible(self._count > 0 and not left_out)

    @property
    def number_width(self) -> int:
        """How much is won when it is left out, after the word; nothing if nothing was hidden."""
        return self.whole_width - self.words_width

    @property
    def words_width(self) -> int:
        """How much is won when the word is left out."""
        return self._advance(self.words) - self._advance(f"{self._count:,}") if self._count else 0

    @property
    def whole_width(self) -> int:
        """With the word; nothing if nothing was hidden."""
        return self.sizeHint().width() - self._advance(self.text()) + self._advance(self.words) if self._count else 0

    def _draw(self) -> None:
        release(self)
        set_still_text(self, self.words if self._shows_words else f"{self._count:,}")
        self.setVisible(self._count > 0 and not self._left_out)

    def _advance(self, text: str) -> int:
        self.ensurePolished()
        return self.fontMetrics().horizontalAdvance(text)
