"""Starts the window: Qt's application, the one event loop, the studio on it, and an orderly end."""

import asyncio
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from ptc_studio.core.errors import PtcError
from ptc_studio.locations import SAMPLE_TOOLS
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.collection import Collector
from ptc_studio.ui.single_instance import SingleInstance, key_of
from ptc_studio.ui.unexpected import UnexpectedErrors
from ptc_studio.ui.window import MainWindow
from ptc_studio.ui.workbench import Workbench

if TYPE_CHECKING:
    from ptc_studio.app import Studio

PAINT_SECONDS = 0.5
"""A window that has not been seen by then is hidden, and the start goes on."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the window is opened with."""

    workspace: Path | None = None
    script: Path | None = None
    run: bool = False
    """Whether the script is to be run at once."""


def opening_for(argument: str | None) -> Opening:
    """What a user means who names a folder, a script or nothing."""
    if argument is None:
        return Opening(Path.cwd() if Path("studio.yaml").is_file() else None)
    path = Path(argument)
    if path.is_dir():
        return Opening(path.resolve())
    folder = path.resolve().parent
    return Opening(folder if (folder / "studio.yaml").is_file() else None, path.resolve())


def data_folder() -> Path:
    """Where the program keeps what is not the user's own: settings, unsaved text, its log."""
    return Path(platformdirs.user_data_dir("ptc-studio", appauthor=False))


def start(opening: Opening) -> int:
    """Opens the window and gives the exit status once it is closed."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("PTC Studio")
    application.setDesktopFileName("ptc-studio")
    application.setStyle("Fusion")
    # The end of the program is ours: the loop must outlive the last window until all is closed.
    application.setQuitOnLastWindowClosed(False)
    instance = SingleInstance(opening.workspace)
    if not instance.claim(opening.script):
        return 0
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        return runner.run(_live(opening, instance))


async def _live(opening: Opening, instance: SingleInstance) -> int:
    folder = data_folder()
    errors = UnexpectedErrors(folder / "log.txt")
    errors.install(asyncio.get_running_loop())
    collector = Collector()
    bench = Workbench()
    buffers = folder / "buffers" / key_of(opening.workspace)
    window = MainWindow(bench, Settings(folder / "settings.json"), buffers, opening.workspace)
    errors.happened.connect(window.tell)
    bench.run_began.connect(collector.begin_run)
    bench.run_ended.connect(collector.end_run)
    instance.raise_requested.connect(lambda script: _raise(window, script))
    closed = asyncio.Event()
    window.closed.connect(closed.set)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: window.request_close())
    window.show()
    await _seen(window)
    try:
        bench.adopt(_open_studio(opening))
    except PtcError as error:
        sys.stderr.write(f"ptc-studio: {error}\n")
        window.hide()
        return 2
    window.begin(opening.script, run=opening.run)
    await closed.wait()
    instance.release()
    errors.uninstall()
    collector.stop()
    return 0


async def _seen(window: MainWindow) -> None:
    """Comes back when the window has been painted."""
    until = time.monotonic() + PAINT_SECONDS
    while not window.windowHandle().isExposed() and time.monotonic() < until:  # noqa: ASYNC110 - Qt has no signal
        await asyncio.sleep(0.001)
    await asyncio.sleep(0)


def _open_studio(opening: Opening) -> "Studio":
    # Imported late: it takes longer than all of the window.
    from ptc_studio.app import Setup, Studio

    if opening.workspace is not None and (opening.workspace / "studio.yaml").is_file():
        return Studio(Setup(workspace=opening.workspace))
    return Studio(Setup(functions=opening.workspace or SAMPLE_TOOLS))


def _raise(window: MainWindow, script: str) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    if script:
        window.open_script(Path(script))
