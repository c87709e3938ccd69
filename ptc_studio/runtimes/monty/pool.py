"""Monty's worker processes: started when they are first needed, kept warm, ended together."""

import logging
import threading

from pydantic_monty import Monty, MontySession

log = logging.getLogger(__name__)

MOST_WORKERS = 256
"""A run beyond these waits until another has ended."""


class WorkerPool:
    """Hands out sessions, one worker each; Monty itself replaces a worker that died. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._monty: Monty | None = None

    def checkout(self, filename: str, *, memory: int, seconds: float) -> MontySession:
        """A session with a worker of its own, to be left with `__exit__`."""
        session = self._ready().checkout(
            script_name=filename,
            limits={
                "max_memory": memory,
                # The session's own clock ends a run in time; this ends a worker whose studio is gone.
                "max_feed_duration_secs": seconds,
                "max_suspensions": 2**31,
            },
        )
        return session.__enter__()

    def warm(self) -> None:
        """Has a worker started; does not wait."""
        threading.Thread(target=self._warm, name="ptc-monty-warm", daemon=True).start()

    def close(self) -> None:
        """Ends every worker; the next run starts new ones."""
        with self._lock:
            monty, self._monty = self._monty, None
        if monty is not None:
            monty.__exit__(None, None, None)

    def _warm(self) -> None:
        try:
            self._ready()
        except Exception:
            # The run that comes will say what is wrong.
            log.debug("No worker of Monty could be started ahead", exc_info=True)

    def _ready(self) -> Monty:
        with self._lock:
            if self._monty is None:
                self._monty = Monty(min_processes=1, max_processes=MOST_WORKERS).__enter__()
            return self._monty
