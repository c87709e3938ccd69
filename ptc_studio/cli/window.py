"""Opens the window from the terminal, or says why that cannot be."""

import sys
from typing import NoReturn

from ptc_studio.cli.display import has_display, missing_library, why_no_window

UNAVAILABLE = 2


def open_window(argument: str | None) -> int:
    """The window on a workspace, a script or nothing; gives the exit status."""
    if not has_display():
        return _complain(why_no_window())
    try:
        from ptc_studio.ui.application import opening_for, start
    except ImportError as error:
        lacking = f"the window cannot be opened: {error}; ptc-studio doctor tells what is missing"
        return _complain(missing_library(str(error)) or lacking)
    return start(opening_for(argument), _on_refused)


def _on_refused() -> NoReturn:
    from ptc_studio.cli.main import exit_with

    exit_with(_complain(why_no_window()))


def _complain(message: str) -> int:
    sys.stderr.write(f"ptc-studio: {message}; ptc-studio run SCRIPT works in the terminal\n")
    return UNAVAILABLE
