"""Keeps the interpreter out of the window's way: collects its garbage on the window's thread only, in small portions.

Python collects in whatever thread happens to allocate. A Qt object that dies in a worker thread takes its timers and
children with it there, and the program crashes, seldom and far from the cause. So the automatic collector is off, and
this one runs on the thread to which all Qt objects belong.

And Python lets a thread that computes keep the interpreter for five milliseconds when the window asks for it, which it
does many times for one paint; so that is made shorter.
"""

import gc
import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from ptc_studio.ui.workbench import Workbench

INTERVAL_MS = 25
YOUNG, MIDDLE = 5_000, 20
"""New objects that are worth a look, and looks that are worth a deeper one."""
IDLE_ROUNDS = 1_200
"""So many quiet rounds, half a minute, and everything is looked at."""
SWITCH_SECONDS = 0.001


class Collector(QObject):
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
        bench.run_began.connect(self._on_run_began)
        bench.run_ended.connect(self._on_run_ended)

    def stop(self) -> None:
        """Leaves it to Python again."""
        self._timer.stop()
        sys.setswitchinterval(self._switch_seconds)
        gc.unfreeze()
        gc.set_threshold(*self._thresholds)
        if self._was_enabled:
            gc.enable()

    def _on_run_began(self) -> None:
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
