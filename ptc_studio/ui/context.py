"""What controllers and dialogs are given of the window that they belong to; what more they need is handed to them."""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptc_studio.core.errors import PtcError

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.commands import Actions
    from ptc_studio.ui.editor.tabs import EditorTabs
    from ptc_studio.ui.tools.panel import ToolPanel
    from ptc_studio.ui.widgets.notice_bar import NoticeBar
    from ptc_studio.ui.workbench import Workbench

NOT_YET = "The tools are still being read: try again in a moment."


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Context:
    """What all of one window share."""

    workbench: "Workbench"
    settings: "Settings"
    messages: "NoticeBar"
    """Shows messages over the editor, and offers what can be done."""
    commands: "Actions"
    editors: "EditorTabs"
    tools: "ToolPanel"
    window: "QWidget"
    """The parent of dialogs, and of what is to live as long as the window."""

    def is_ready(self) -> bool:
        """Whether the tools are there; if not, the user is told."""
        if not self.workbench.is_open:
            self.messages.show_message(NOT_YET, until=self.workbench.attached)
        return self.workbench.is_open

    def start_reported(self, work: Coroutine[Any, Any, object]) -> None:
        """Has the work done, and shows what keeps it from being done."""

        async def done() -> None:
            try:
                await work
            except PtcError as error:
                self.messages.show_message(str(error), "error")

        # Where it is cancelled before its first step the work is never awaited, and Python would warn of it.
        self.workbench.start(done()).add_done_callback(lambda _: work.close())
