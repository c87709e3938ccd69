"""Tells when a file that is open was changed, replaced or deleted by someone else."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

SETTLE = 100
"""Milliseconds: an editor that replaces a file deletes it for a moment."""


class FileWatch(QObject):
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
