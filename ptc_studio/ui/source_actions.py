"""What is done with a source from the tool panel: edited, reloaded, removed, looked into."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from ptc_studio.ui.widgets.source_log import SourceLog

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow


class SourceActions(QObject):
    """Connects the panel of one window. Forms and dialogs are imported when they are wanted."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._logs: dict[int, SourceLog] = {}
        window.tools.source_requested.connect(self._on_source_requested)
        window.tools.definitions_requested.connect(self._on_definitions_requested)
        action = window.commands["addSourceAction"]
        action.setToolTip("Adds a folder of functions, a server, an API or a command")
        action.triggered.connect(self._on_add_triggered)

    def _on_add_triggered(self) -> None:
        from ptc_studio.ui.sources import open_add_source

        open_add_source(self._window)

    def _on_definitions_requested(self, names: list[str]) -> None:
        from ptc_studio.ui.sources import open_definitions

        open_definitions(self._window, names)

    def _on_source_requested(self, verb: str, seat: Any) -> None:
        bench = self._window.workbench
        if verb == "reload":
            bench.start(bench.studio.reload_source(seat))
        elif verb == "log":
            self._show_log(seat)
        elif verb == "edit":
            from ptc_studio.ui.sources import open_edit_source

            open_edit_source(self._window, seat)
        elif verb == "remove":
            from ptc_studio.ui.sources import remove_source

            remove_source(self._window, seat)

    def _show_log(self, seat: Any) -> None:
        log = self._logs.get(id(seat))
        if log is not None:
            log.raise_()
            log.activateWindow()
            return
        log = self._logs[id(seat)] = SourceLog(seat, self._window)
        log.finished.connect(lambda _: self._logs.pop(id(seat), None))
        log.show()
