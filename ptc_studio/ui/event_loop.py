"""The life of the window after its first paint: the one event loop, the studio on it, and an orderly end."""

import asyncio
import gc
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from ptc_studio.core.errors import PtcError
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.workers import frame_of
from ptc_studio.locations import HISTORY, SAMPLE_TOOLS, data_folder
from ptc_studio.storage.settings import Settings
from ptc_studio.ui.qt_loop import WindowLoop
from ptc_studio.ui.single_instance import SingleInstance
from ptc_studio.ui.startup import Opening
from ptc_studio.ui.workbench import Workbench

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.storage.history import HistoryRecorder


INTERVAL_MS = 25
YOUNG, MIDDLE = 5_000, 20
"""New objects that are worth a look, and looks that are worth a deeper one."""
IDLE_ROUNDS = 1_200
"""So many quiet rounds, half a minute, and everything is looked at."""
SWITCH_SECONDS = 0.001


class MainThreadGc(QObject):
    """While it lives, garbage is collected here and nowhere else."""

    def __init__(self, bench: "Workbench") -> None:
        super().__init__()
        self._bench = bench
        self._was_enabled, self._thresholds = gc.isenabled(), gc.get_threshold()
        self._switch_seconds = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._quiet = 0
        self._running = False
        gc.disable()
        # A tool that runs in this process may turn the collector on again, in its thread.
        gc.set_threshold(0)
        # What is there at the start stays to the end, and need not be looked at again and again.
        gc.freeze()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        bench.run_started.connect(self._on_run_started)
        bench.run_ended.connect(self._on_run_ended)

    def stop(self) -> None:
        """Leaves it to Python again."""
        self._timer.stop()
        sys.setswitchinterval(self._switch_seconds)
        gc.unfreeze()
        gc.set_threshold(*self._thresholds)
        if self._was_enabled:
            gc.enable()

    def _on_run_started(self) -> None:
        """A run makes much that stays: only the youngest is looked at while it goes on."""
        self._running = True

    def _on_run_ended(self) -> None:
        """What the run left is its calls, which are kept and hold no circles: it is not looked at again."""
        self._running = False
        gc.freeze()

    def _look(self) -> None:
        young, middle, _old = gc.get_count()
        if young < YOUNG:
            self._quiet += 1
            if self._quiet >= IDLE_ROUNDS and not self._running:
                self._quiet = 0
                gc.collect(2)
            return
        self._quiet = 0
        with self._bench.undisturbed():
            gc.collect(1 if middle >= MIDDLE and not self._running else 0)


log = logging.getLogger("ptc_studio")
LOG_BYTES, LOG_FILES = 1_000_000, 2
"""How long the log grows, and how many older ones are kept."""


class StallWatch:
    """Writes down where the loop stood when it had no turn for too long, and for how long that was.

    A thread looks at the time of the loop's last turn; while that is recent it does nothing else.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float = 1.0) -> None:
        self._loop, self._seconds = loop, seconds
        self._owner = threading.get_ident()
        self._turn = time.monotonic()
        self._stopped = threading.Event()
        self._beat()
        threading.Thread(target=self._watch, name="ptc-stall-watch", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        self._next.cancel()

    def _beat(self) -> None:
        self._turn = time.monotonic()
        self._next = self._loop.call_later(self._seconds / 4, self._beat)

    def _watch(self) -> None:
        stood: float | None = None
        while not self._stopped.wait(self._seconds / 4):
            turn = self._turn
            if stood is not None and turn != stood:
                log.warning("The window goes on after %.1f s", turn - stood)
                stood = None
            elif stood is None and time.monotonic() - turn > self._seconds:
                stood = turn
                frame = frame_of(self._owner)
                where = "".join(traceback.format_stack(frame)) if frame else "unknown\n"
                log.warning("The window has not answered for %.1f s; it stands at:\n%s", self._seconds, where)


class UnexpectedErrors(QObject):
    """Catches what nobody else caught, in the interpreter, its threads and the event loop.

    Signals: happened(str): one line for the user.
    """

    happened = Signal(str)

    def __init__(self, log_file: Path) -> None:
        super().__init__()
        self.log_file = log_file
        self._redactor = Redactor()
        self._restore: list[Callable[[], None]] = []

    def install(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on nothing goes unseen."""
        hook, thread_hook = sys.excepthook, threading.excepthook
        sys.excepthook = self._on_exception
        threading.excepthook = lambda args: self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)
        loop.set_exception_handler(self._on_loop_error)
        self._restore = [
            lambda: setattr(sys, "excepthook", hook),
            lambda: setattr(threading, "excepthook", thread_hook),
        ]
        self._log_to_file()

    def uninstall(self) -> None:
        for restore in self._restore:
            restore()

    def report(self, error: BaseException) -> None:
        """Logs the error and tells the user."""
        message = self._redactor.text(f"{type(error).__name__}: {error}", "error").value
        log.error("Unexpected: %s", message, exc_info=error)
        self.happened.emit(f"Something went wrong: {message} (details in {self.log_file})")

    def _on_exception(
        self, kind: type[BaseException], error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt | SystemExit):
            self.report(error or kind())

    def _on_loop_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.report(context.get("exception") or RuntimeError(context.get("message", "unknown")))

    def _log_to_file(self) -> None:
        try:
            self.log_file.parent.mkdir(parents=True, exist_ok=True)
            handler = RotatingFileHandler(self.log_file, "a", LOG_BYTES, LOG_FILES, encoding="utf-8")
        except OSError:
            return
        handler.setFormatter(_RedactingFormatter(self._redactor))
        log.addHandler(handler)
        self._restore += [lambda: log.removeHandler(handler), handler.close]


class _RedactingFormatter(logging.Formatter):
    """A secret in a traceback must not reach the log either."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.text(super().format(record), "log").value


class LoopWindow(Protocol):
    """What the loop needs of the window."""

    left: Any
    closed: Any

    @property
    def settings(self) -> Settings: ...
    def add_panels(self, workbench: Workbench) -> None: ...
    def start(self, script: Path | None, *, run: bool = False) -> None: ...
    def show_message(self, message: str) -> None: ...
    def show_bundle(self, bundle: Path, cassette: Path) -> None: ...
    def come_to_front(self, script: str) -> None: ...
    def serve_tools(self) -> None: ...
    def hide(self) -> None: ...


def run_window(application: QApplication, window: LoopWindow, opening: Opening, instance: SingleInstance) -> int:
    """Runs the loop until the window is closed; gives the exit status."""
    if not instance.claim(opening.script):
        # Two were started at the same moment, and the other one was quicker.
        return 0
    with asyncio.Runner(loop_factory=lambda: WindowLoop(application)) as runner:
        return runner.run(_run(window, opening, instance))


async def _run(window: LoopWindow, opening: Opening, instance: SingleInstance) -> int:
    errors = UnexpectedErrors(data_folder() / "log.txt")
    errors.install(asyncio.get_running_loop())
    stalls = StallWatch(asyncio.get_running_loop())
    bench = Workbench()
    # The first event that the loop looks at finds everything in its place.
    window.add_panels(bench)
    errors.happened.connect(window.show_message)
    collector = MainThreadGc(bench)
    instance.raise_requested.connect(window.come_to_front)
    instance.serve_requested.connect(window.serve_tools)
    closed = asyncio.Event()
    # Whoever starts it again now gets a window of his own.
    window.left.connect(instance.release)
    window.closed.connect(closed.set)
    window.start(opening.script, run=opening.run)
    # Seen and usable; only a run waits for what comes now.
    await asyncio.sleep(0)
    try:
        bench.attach(open_studio(opening, window.settings))
    except PtcError as error:
        sys.stderr.write(f"ptc-studio: {error}\n")
        window.hide()
        return 2
    if opening.bundle is not None and opening.replay is not None:
        window.show_bundle(opening.bundle, opening.replay)
    await closed.wait()
    stalls.stop()
    errors.uninstall()
    collector.stop()
    return 0


def open_studio(opening: Opening, settings: Settings) -> "Studio":
    """The studio over what is opened; nothing of a folder is loaded before the user has said that he trusts it."""
    # Imported late: it takes longer than all of the window.
    from ptc_studio.app import Setup, Studio
    from ptc_studio.ui.settings.rows import PROGRAM_FOLDERS, search_first

    search_first(settings.get(PROGRAM_FOLDERS, ()))
    folder, history = opening.workspace, _history(settings)
    if folder is None:
        return Studio(Setup(functions=SAMPLE_TOOLS, history=history))
    trusted = bool(settings.trusts(folder))
    return Studio(Setup(workspace=folder, tolerant=True, trusted=trusted, history=history))


def _history(settings: Settings) -> "HistoryRecorder | None":
    from ptc_studio.storage.history import recorder_for

    return recorder_for(settings, settings.folder / HISTORY)
