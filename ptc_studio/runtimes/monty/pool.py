"""Monty's worker processes: started when they are first needed, kept warm, ended together."""

import logging
import shlex
import shutil
import sys
import tempfile
import threading
from pathlib import Path

from pydantic_monty import Monty, MontySession
from pydantic_monty._binary import find_monty_binary

from ptc_studio.runtimes.starter import Starter

log = logging.getLogger(__name__)

MOST_WORKERS = 256
"""A run beyond these waits until another has ended."""
_STARTER = Starter()
"""A worker dies with the thread that started it, so that has to be one that stays."""


class WorkerPool:
    """Hands out sessions, one worker each; Monty itself replaces a worker that died. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._monty: Monty | None = None
        self._folder: Path | None = None

    def checkout(self, filename: str, *, memory: int, seconds: float) -> MontySession:
        """A session with a worker of its own, to be left with `__exit__`."""
        session = self._ready().checkout(
            script_name=filename,
            # The session's own clock ends a run in time; this is for a worker that it cannot reach.
            limits={"max_memory": memory, "max_feed_duration_secs": seconds, "max_suspensions": 2**31},
        )
        return _STARTER.start(session.__enter__)

    def warm(self) -> None:
        """Has a worker started; does not wait."""
        threading.Thread(target=self._warm, name="ptc-monty-warm", daemon=True).start()

    def close(self) -> None:
        """Ends every worker; the next run starts new ones."""
        with self._lock:
            monty, self._monty = self._monty, None
            folder, self._folder = self._folder, None
        if monty is not None:
            monty.__exit__(None, None, None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _warm(self) -> None:
        try:
            self._ready()
        except Exception:
            # The run that comes will say what is wrong.
            log.debug("No worker of Monty could be started ahead", exc_info=True)

    def _ready(self) -> Monty:
        with self._lock:
            if self._monty is None:
                monty = Monty(binary_path=self._program(), min_processes=1, max_processes=MOST_WORKERS)
                self._monty = _STARTER.start(monty.__enter__)
            return self._monty

    def _program(self) -> Path | None:
        """The worker's program, started so that it ends with the studio, also when that is killed; Linux only."""
        setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
        worker = find_monty_binary()
        if setpriv is None or not Path(worker).exists():
            return None
        self._folder = Path(tempfile.mkdtemp(prefix="ptc-monty-"))
        program = self._folder / "monty"
        command = shlex.join([setpriv, "--pdeathsig", "KILL", worker])
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        program.chmod(0o700)
        return program
