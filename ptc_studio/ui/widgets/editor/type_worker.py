"""The thread in which compilers check the types of scripts: they take long, and other problems do not wait for them."""

from PySide6.QtCore import QObject

from ptc_studio.ui.language.type_problems import ScriptTypes
from ptc_studio.ui.widgets.editor.worker import Worker


class TypeWorker(Worker):
    """One script at a time."""

    def __init__(self, parent: QObject | None = None, types: ScriptTypes | None = None) -> None:
        super().__init__("types", parent)
        self.types = types or ScriptTypes()
        self.is_closed = False

    def close(self, seconds: float = 0.0) -> None:
        """Ends the thread; what is being checked is not wanted any longer."""
        self.is_closed = True
        super().close(seconds)
