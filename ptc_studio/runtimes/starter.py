"""Starts processes in a thread that lives as long as the program: on Linux a guest dies with its starter's thread."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Starter:
    """One thread for all; starting takes a few milliseconds each."""

    def __init__(self) -> None:
        self._wanted: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self, make: Callable[[], T]) -> T:
        """Has it made there, and waits; raises what it raises."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="ptc-starter", daemon=True)
                self._thread.start()
        made: Future[T] = Future()
        self._wanted.put((make, made))
        return made.result()

    def _serve(self) -> None:
        while True:
            make, made = self._wanted.get()
            try:
                made.set_result(make())
            except BaseException as error:  # noqa: BLE001 - it is raised where somebody waits
                made.set_exception(error)
            del make, made


STARTER = Starter()
