"""Opens the window from the terminal, or says why that cannot be."""

import os
import sys

NO_DISPLAY = "ptc-studio: there is no display to open a window on; ptc-studio run SCRIPT works in the terminal\n"


def has_display() -> bool:
    """Whether a window could be seen here."""
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def open_window(argument: str | None) -> int:
    """The window on a workspace, a script or nothing; gives the exit status."""
    if not has_display():
        sys.stderr.write(NO_DISPLAY)
        return 2
    try:
        from ptc_studio.ui.application import opening_for, start
    except ImportError as error:
        sys.stderr.write(f"ptc-studio: the window cannot be opened: {error}; ptc-studio doctor tells what is missing\n")
        return 2
    return start(opening_for(argument))
