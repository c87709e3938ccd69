"""The bar that searches in something: a field, a count, and the way to the next match and the one before."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QLineEdit, QToolButton, QWidget

from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.labels import PlainLabel


class SearchBar(QFrame):
    """What is searched, and how the bar is laid out, is for each kind of it to say."""

    def __init__(self, prompt: str, *, pause: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit(placeholderText=prompt, clearButtonEnabled=True)
        self.field.setAccessibleName(prompt)
        self.field.textChanged.connect(self._on_typed)
        self.count = PlainLabel()
        self.count.setProperty("role", "muted")
        self._pause = QTimer(self, interval=pause, singleShot=True)
        self._pause.timeout.connect(self.search)

    def open(self) -> None:
        """Shows the bar, its field ready to be typed into."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def put_away(self) -> None:
        """Hides the bar."""
        self.hide()

    def search(self) -> None:
        """Finds everything anew."""

    def go(self, *, back: bool = False) -> None:
        """To the next match, or the one before."""

    def arrow_buttons(self, previous: str, following: str) -> tuple[QToolButton, QToolButton]:
        """The buttons to the match before and to the next one."""
        return (
            flat_button("chevron-up", previous, lambda: self.go(back=True)),
            flat_button("chevron-down", following, self.go),
        )

    def _on_typed(self) -> None:
        self._pause.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away()
        elif event.matches(QKeySequence.StandardKey.FindPrevious):
            self.go(back=True)
        elif event.matches(QKeySequence.StandardKey.FindNext):
            self.go()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go(back=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)
