"""The life of the window after its first paint: the one event loop, the studio on it, and an orderly end."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from ptc_studio.core.errors import PtcError
from ptc_studio.locations import SAMPLE_TOOLS, data_folder
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.application import Opening
from ptc_studio.ui.collection import Collector
from ptc_studio.ui.single_instance import SingleInstance
from ptc_studio.ui.unexpected import UnexpectedErrors
from ptc_studio.ui.window import MainWindow
from ptc_studio.ui.workbench import Workbench

if TYPE_CHECKING:
    from ptc_studio.app import Studio


def live(application: QApplication, window: MainWindow, opening: Opening, instance: SingleInstance) -> int:
    """Runs the loop until the window is closed; gives the exit status."""
    if not instance.claim(opening.script):
        # Two were started at the same moment, and the other one was quicker.
        return 0
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        return runner.run(_live(window, opening, instance))


async def _live(window: MainWindow, opening: Opening, instance: SingleInstance) -> int:
    errors = UnexpectedErrors(data_folder() / "log.txt")
    errors.install(asyncio.get_running_loop())
    bench = Workbench()
    # The first event that the loop looks at finds everything in its place.
    window.furnish(bench)
    errors.happened.connect(window.tell)
    collector = Collector(bench)
    instance.raise_requested.connect(lambda script: _raise(window, script))
    closed = asyncio.Event()
    # Whoever starts it again now gets a window of his own.
    window.left.connect(instance.release)
    window.closed.connect(closed.set)
    window.begin(opening.script, run=opening.run)
    # Seen and usable; only a run waits for what comes now.
    await asyncio.sleep(0)
    try:
        bench.adopt(open_studio(opening, window.settings))
    except PtcError as error:
        sys.stderr.write(f"ptc-studio: {error}\n")
        window.hide()
        return 2
    await closed.wait()
    errors.uninstall()
    collector.stop()
    return 0


def open_studio(opening: Opening, settings: Settings) -> "Studio":
    """The studio over what is opened; nothing of a folder is loaded before the user has said that he trusts it."""
    # Imported late: it takes longer than all of the window.
    from ptc_studio.app import Setup, Studio

    folder = opening.workspace
    if folder is None:
        return Studio(Setup(functions=SAMPLE_TOOLS))
    trusted = bool(settings.trusts(folder))
    if (folder / "studio.yaml").is_file():
        return Studio(Setup(workspace=folder, tolerant=True, trusted=trusted))
    return Studio(Setup(opened=folder, trusted=trusted))


def _raise(window: MainWindow, script: str) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    if script:
        window.open_script(Path(script))
