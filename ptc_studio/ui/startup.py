"""Starts the window: Qt's application and the first paint; all that is not needed for that comes after it."""

import contextlib
import locale
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from PySide6.QtCore import QEventLoop, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from ptc_studio.locations import data_folder, settings_file
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.main_window import MainWindow
from ptc_studio.ui.single_instance import SingleInstance, key_of

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType


Refused = Callable[[], NoReturn]


def make_application(refused: Refused) -> QApplication:
    """The application; calls `refused`, which ends the program, if Qt finds no display that it can use.

    Qt tells of that by a message and aborts, no exception comes out of it. To ask the display beforehand would take
    longer, and would not tell whether Qt has all that it needs.
    """
    told: list[str] = []
    stderr = _HeldStderr()

    def on_message(kind: "QtMsgType", context: "QMessageLogContext", text: str) -> None:
        # Imported late: most starts have no message.
        from PySide6.QtCore import QtMsgType, qFormatLogMessage

        if kind == QtMsgType.QtFatalMsg:
            stderr.give_back()
            refused()
        if not text.startswith("Detected locale"):
            told.append(qFormatLogMessage(kind, context, text))

    former = qInstallMessageHandler(on_message)
    # Not by `setStyle`, which makes Python's side of QStyle, a tenth of the time to the first paint.
    application = QApplication([*sys.argv[:1], "-style", "Fusion"])
    qInstallMessageHandler(former)
    use_plain_locale()
    said = stderr.give_back()
    if said or told:
        sys.stderr.write(said + "".join(f"{each}\n" for each in told))
    return application


def use_plain_locale() -> None:
    """Has the process speak as in the terminal again, where Python leaves all but the letters alone.

    Qt makes the user's locale that of the whole process. What the system calls an error, and what tools call a day of
    the week, would be German in a window on a German desktop, and English in the terminal. Qt's own fields keep it.
    The letters are nobody's either: in Turkish `i` is no small `I`, and PySide makes `setInterval` out of `interval`.
    """
    locale.setlocale(locale.LC_ALL, "C")
    # The last for systems that have neither.
    for letters in ("C.UTF-8", "UTF-8", ""):
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_CTYPE, letters)
            break


class _HeldStderr:
    """Keeps what libraries write to stderr from being seen until it is known whether it matters.

    Those that Qt's plug-ins use write there themselves, past Qt's messages: that of Wayland of a variable that is not
    set, that of X of what it may not do. Where no display can be used, one line of ours says so.
    """

    def __init__(self) -> None:
        self._real = self._kept = -1
        try:
            # On Linux only, whose libraries they are.
            kept = os.memfd_create("stderr") if sys.platform == "linux" else -1
            if kept >= 0:
                self._real, self._kept = os.dup(2), kept
                os.dup2(kept, 2)
        except OSError:
            # Somebody closed it: there is nothing to keep.
            self._real = -1

    def give_back(self) -> str:
        """Has everything seen again from now on; gives what was written meanwhile."""
        if self._real < 0:
            return ""
        os.dup2(self._real, 2)
        os.close(self._real)
        self._real = -1
        with os.fdopen(self._kept, "rb") as kept:
            kept.seek(0)
            return kept.read().decode(errors="replace")


PAINT_SECONDS = 0.5
"""A window that has not been seen by then is hidden, and the start goes on."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the window is opened with."""

    workspace: Path | None = None
    script: Path | None = None
    run: bool = False
    """Whether the script is to be run at once."""
    bundle: Path | None = None
    """The file that the workspace was unpacked from."""
    replay: Path | None = None
    """The cassette that answers the calls."""


def opening_for(argument: str | None) -> Opening:
    """What a user means who names a folder, a script or nothing."""
    if argument is None:
        return Opening(Path.cwd() if Path("studio.yaml").is_file() else None)
    path = Path(argument)
    if path.name == "studio.yaml":
        # As the desktop names a workspace.
        path = path.resolve().parent
    if path.is_dir():
        return Opening(path.resolve())
    if path.suffix == ".ptcrun":
        return _opening_for_bundle(path)
    script = path.resolve()
    # A script may lie in a folder of its own within the workspace.
    return Opening(next((each for each in script.parents if (each / "studio.yaml").is_file()), None), script)


def _opening_for_bundle(path: Path) -> Opening:
    """A run that another person made: a workspace of its own, whose calls are answered from its cassette."""
    # Imported late: hardly any start needs it.
    from ptc_studio.locations import bundles_folder
    from ptc_studio.reports.bundle import folder_for, unpack

    folder = folder_for(path, bundles_folder())
    script, cassette = unpack(path, folder)
    return Opening(folder.resolve(), script.resolve(), bundle=path.resolve(), replay=cassette)


def start(opening: Opening, refused: Refused) -> int:
    """Opens the window and gives the exit status once it is closed; calls `refused` if Qt cannot open any."""
    application = QApplication.instance() or make_application(refused)
    assert isinstance(application, QApplication)
    application.setApplicationName("PTC Studio")
    application.setDesktopFileName("ptc-studio")
    # The end of the program is ours: the loop must outlive the last window until all is closed.
    application.setQuitOnLastWindowClosed(False)
    instance = SingleInstance(opening.workspace)
    if instance.may_be_held and not instance.claim(opening.script):
        return 0
    buffers = data_folder() / "buffers" / key_of(opening.workspace)
    settings = Settings(settings_file())
    window = MainWindow(settings, buffers, opening.workspace, expects_text=opening.script is not None)
    # Before anyone can see it: whoever does may want it gone.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: window.request_close())
    window.show()
    _have_painted(application, window)
    # Imported late: it takes twice as long as all that came before.
    from ptc_studio.ui.event_loop import run_window

    return run_window(application, window, opening, instance)


def _have_painted(application: QApplication, window: MainWindow) -> None:
    """Comes back when the window has been painted. Keys and clicks wait until there is something to take them."""
    until = time.monotonic() + PAINT_SECONDS
    flags = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents
    while not window.windowHandle().isExposed() and time.monotonic() < until:
        application.processEvents(flags)
        time.sleep(0.001)
    application.processEvents(flags)
