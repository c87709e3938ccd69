"""The bar below a text that says what happened to its file, and offers what to do."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from ptc_studio.ui.editor.find_bar import bar_style
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

Choice = tuple[str, Callable[[], object]]


class FileNotice(QFrame):
    """Hidden until there is something to say; whatever is chosen hides it again.

    Signals: toggled: it came or went.
    """

    toggled = Signal()

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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.toggled.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.toggled.emit()


SETTLE = 100
"""Milliseconds: an editor that replaces a file deletes it for a moment."""


class OpenFileWatch(QObject):
    """Watches any number of files.

    Signals: touched(path): something happened to that file.
    """

    touched = Signal(Path)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._wanted: set[Path] = set()
        self._touched: set[Path] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE)
        self._timer.timeout.connect(self._on_settled)
        self._watcher.fileChanged.connect(self._on_changed)
        self._watcher.directoryChanged.connect(self._on_folder_changed)

    def watch(self, paths: set[Path]) -> None:
        """Exactly these files from now on; their folders too, as a deleted file is watched no more."""
        self._wanted = paths
        wanted = {str(path) for path in paths} | {str(path.parent) for path in paths}
        have = {*self._watcher.files(), *self._watcher.directories()}
        if have - wanted:
            self._watcher.removePaths(sorted(have - wanted))
        missing = [each for each in sorted(wanted - have) if Path(each).exists()]
        if missing:
            self._watcher.addPaths(missing)

    def _on_changed(self, path: str) -> None:
        self._touched.add(Path(path))
        self._timer.start()

    def _on_folder_changed(self, folder: str) -> None:
        self._touched.update(path for path in self._wanted if path.parent == Path(folder))
        self._timer.start()

    def _on_settled(self) -> None:
        touched, self._touched = self._touched, set()
        self.watch(self._wanted)
        for path in sorted(touched & self._wanted):
            self.touched.emit(path)
