"""The bar above a text that says what happened to its file, and offers what to do."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, SPACE
from ptc_studio.ui.widgets.editor.chrome import bar_style
from ptc_studio.ui.widgets.plain_text import PlainLabel

Choice = tuple[str, Callable[[], object]]


class FileNotice(QFrame):
    """Hidden until there is something to say; whatever is chosen hides it again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bar")
        self._mark, self._message = PlainLabel("▲"), PlainLabel()
        self._mark.setObjectName("mark")
        self._message.setObjectName("notice")
        self._message.setWordWrap(True)
        self._buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setSpacing(2 * SPACE)
        self._row.setContentsMargins(3 * SPACE, SPACE, 2 * SPACE, SPACE)
        self._row.addWidget(self._mark)
        self._row.addWidget(self._message, 1)
        theme().changed.connect(self._apply_theme)
        self._apply_theme()
        self.hide()

    @property
    def message(self) -> str:
        return self._message.text()

    @property
    def buttons(self) -> Sequence[QPushButton]:
        return self._buttons

    def say(self, message: str, *choices: Choice) -> None:
        """Shows a message with its choices."""
        for button in self._buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self._message.setText(message)
        self.setAccessibleName(message)
        self._buttons = [self._button(*choice) for choice in choices]
        self._apply_theme()
        self.show()

    def _button(self, text: str, action: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(self.hide)
        button.clicked.connect(lambda: action())
        self._row.addWidget(button)
        return button

    def _apply_theme(self) -> None:
        self.setStyleSheet(bar_style())
        for child in (self._mark, self._message, *self._buttons):
            child.setFont(theme().text_font())
        for button in self._buttons:
            button.setFixedHeight(theme().pixels(FIELD))
