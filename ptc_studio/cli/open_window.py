"""Opens the window from the terminal; where none can be seen, says why and what to do about it."""

import gc
import os
import re
import sys
from pathlib import Path
from typing import NoReturn

NAMES = ("WAYLAND_DISPLAY", "DISPLAY")
"""The variables that name a display, in the order in which Qt tries them."""
PLATFORM = "QT_QPA_PLATFORM"
PACKAGES = {
    "libEGL": "libegl1",
    "libGL": "libgl1",
    "libdbus-1": "libdbus-1-3",
    "libfontconfig": "libfontconfig1",
    "libxcb-cursor": "libxcb-cursor0",
    "libxcb-icccm": "libxcb-icccm4",
    "libxcb-image": "libxcb-image0",
    "libxcb-keysyms": "libxcb-keysyms1",
    "libxcb-render-util": "libxcb-render-util0",
    "libxkbcommon": "libxkbcommon0",
    "libxkbcommon-x11": "libxkbcommon-x11-0",
}
"""What Debian and its kin call the system's libraries that Qt needs and its wheel does not bring."""
_LIBRARY = r"(?P<file>(?P<name>lib[^\s/:]+)\.so[^\s:]*):"


def has_display() -> bool:
    """Whether a display is named; that it is there, only Qt can tell."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in (*NAMES, PLATFORM))


def why_no_window() -> str:
    """Why Qt opens no window here, and what mends it.

    Its own words do not tell: they blame a library also where nothing answers on the display.
    """
    if not has_display():
        return _no_display()
    platform = os.environ.get(PLATFORM, "")
    if platform and not any(name in platform for name in ("xcb", "wayland")):
        return f"no window can be opened on the platform {platform!r}; correct {PLATFORM}, or unset it"
    return missing_library(_complaint_of_plugin()) or _no_display()


def missing_library(complaint: str) -> str:
    """The same where the system says that it cannot load a library; empty where it says something else."""
    found = re.search(_LIBRARY, complaint)
    if found is None:
        return ""
    package = PACKAGES.get(found["name"])
    remedy = f"install it: sudo apt-get install {package}" if package else "install the package that it is in"
    return f"no window can be opened, for the library {found['file']} cannot be loaded; {remedy}"


def _no_display() -> str:
    named = {name: os.environ[name] for name in NAMES if os.environ.get(name)}
    if not named:
        return f"there is no display to open a window on; set {' or '.join(NAMES)} to one that runs"
    told = " and ".join(f"{value!r} ({name})" for name, value in named.items())
    verb = "the display {} does not answer" if len(named) == 1 else "the displays {} do not answer"
    return f"{verb.format(told)}, or may not be used; set {' or '.join(named)} to one that runs"


def _complaint_of_plugin() -> str:
    """What the system says when it loads Qt's plugin for X: the first library that it does not find."""
    # Imported late: no start that goes well needs them.
    import ctypes

    from PySide6.QtCore import QLibraryInfo

    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")
    try:
        if plugin.is_file():
            ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error)
    return ""


UNAVAILABLE = 2


def open_window(argument: str | None) -> int:
    """The window on a workspace, a script or nothing; gives the exit status."""
    if not has_display():
        return _complain(why_no_window())
    # Nothing of what is made until the window is seen is garbage; from then on its own collector looks after it.
    gc.disable()
    try:
        import ptc_studio.ui.qt_features  # noqa: F401 - before everything that it is about
        from ptc_studio.ui.startup import opening_for, start
    except ImportError as error:
        lacking = f"the window cannot be opened: {error}; ptc-studio doctor tells what is missing"
        return _complain(missing_library(str(error)) or lacking)
    try:
        opening = opening_for(argument)
    except Exception as error:
        # Imported late: no start that goes well needs it, and the first paint waits for what is imported before it.
        from ptc_studio.core.errors import PtcError

        if not isinstance(error, PtcError):
            raise
        sys.stderr.write(f"ptc-studio: {error}\n")
        return UNAVAILABLE
    return start(opening, _on_refused)


def _on_refused() -> NoReturn:
    from ptc_studio.cli.main import exit_with

    exit_with(_complain(why_no_window()))


def _complain(message: str) -> int:
    sys.stderr.write(f"ptc-studio: {message}; ptc-studio run SCRIPT works in the terminal\n")
    return UNAVAILABLE
