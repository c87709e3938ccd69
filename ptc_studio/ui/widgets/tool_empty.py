"""What the tool tree shows while nothing is in it: what to do next, and a button that does it."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractScrollArea, QPushButton, QVBoxLayout, QWidget

from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel


class EmptyTools(QWidget):
    """A text in the middle of the view, and below it the action, if there is one and it helps."""

    def __init__(self, view: QAbstractScrollArea, model: QAbstractItemModel, text: str, action: QAction | None) -> None:
        super().__init__(view.viewport())
        self._view, self._model, self._action = view, model, action
        self._label = PlainLabel(text)
        self._label.setProperty("role", "muted")
        self._label.setWordWrap(True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton(action.text() if action else "")
        self._label.setMargin(4 * SPACE)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(self._label)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        if action is not None:
            self.button.clicked.connect(action.trigger)
        self.say(text, helps=True)
        view.viewport().installEventFilter(self)
        for signal in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            signal.connect(self._on_rows_changed)
        self._fill()
        self._on_rows_changed()

    def text(self) -> str:
        return self._label.text()

    def say(self, text: str, *, helps: bool) -> None:
        """Shows this text; `helps` is whether the action is what to do next."""
        self._label.setText(text)
        offered = helps and self._action is not None
        self.button.setVisible(offered)
        # Alone, the text has all of the place: it stands where the window's first look had it, to the pixel.
        for part, stretch in enumerate((offered, not offered, False, offered)):
            self._column.setStretch(part, int(stretch))

    def _on_rows_changed(self) -> None:
        self.setVisible(self._model.rowCount() == 0)

    def _fill(self) -> None:
        self.setGeometry(self._view.viewport().rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fill()
        return super().eventFilter(watched, event)
