"""The thread that waits for what jedi knows of the scripts that are open."""

from PySide6.QtCore import QObject

from ptc_studio.ui.language.python_completion import PythonCompletion
from ptc_studio.ui.widgets.editor.worker import Worker


class CompletionWorker(Worker):
    """One question at a time, all to one process, which ends with it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("completion", parent)
        self.python = python = PythonCompletion()
        self.destroyed.connect(lambda: python.close())

    def close(self, seconds: float = 0.0) -> None:
        """Ends the process, and the thread with what it waits for."""
        self.python.close()
        super().close(seconds)
