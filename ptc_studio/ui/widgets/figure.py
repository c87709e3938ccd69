"""A caption and a number whose digits keep their places."""

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.still_text import release, set_still_text

SPACING = 6


class Figure(QWidget):
    """One of the run bar's figures; the caption, and what stands between it and the number, can be left out."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self.caption = PlainLabel(caption)
        self.caption.setProperty("role", "muted")
        self.value = PlainLabel()
        self.value.setProperty("role", "figure")
        self.value.setAccessibleName(caption)
        self.between: QWidget | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACING)
        self._row.addWidget(self.caption)
        self._row.addWidget(self.value)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def put_between(self, widget: QWidget) -> None:
        """Puts something between caption and number."""
        self.between = widget
        self._row.insertWidget(1, widget)

    @property
    def words(self) -> str:
        return f"{self.caption.text()} {self.value.text()}"

    @property
    def parts(self) -> tuple[QWidget, ...]:
        return tuple(part for part in (self.caption, self.between, self.value) if part is not None)

    def width_of(self, part: QWidget | None) -> int:
        """How much is won when the part is left out."""
        # A number that has become shorter may still have the room that it had before.
        return max(part.sizeHint().width(), part.minimumWidth()) + SPACING if part is not None else 0

    @property
    def whole_width(self) -> int:
        """With everything that can be left out."""
        return sum(map(self.width_of, self.parts)) - SPACING

    @property
    def shown_width(self) -> int:
        """As it stands there, if it stands there."""
        return sum(self.width_of(part) for part in self.parts if not part.isHidden()) - SPACING

    def show_value(self, text: str, caption: str = "") -> None:
        set_still_text(self.value, text)
        if caption and caption != self.caption.text():
            self.caption.setText(caption)
            self.value.setAccessibleName(caption)

    def _on_theme_changed(self) -> None:
        font = theme().text_font(bold=True)
        font.setFeature(QFont.Tag("tnum"), 1)
        release(self.value)
        self.value.setFont(font)
