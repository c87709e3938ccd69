"""Says so where something is asked of a window that still reads its tools."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow

NOT_YET = "The tools are still being read: try again in a moment."


def is_ready(window: "MainWindow") -> bool:
    """Whether the tools are there; if not, the user is told."""
    if not window.workbench.is_open:
        window.tell(NOT_YET)
    return window.workbench.is_open
