"""What the runs of one container share, where a target keeps the names of a run for the next."""

import threading
from collections.abc import Callable
from typing import Any


class Container:
    """What the runs of one container share: the names that a run leaves to the next. Of one run at a time."""

    def __init__(self) -> None:
        self.state: Any = None
        """What the frame of the last run left for that of the next, as JSON."""
        self._lock = threading.Lock()
        self._kept: tuple[Any, Callable[[], object]] | None = None
        self._closed = False

    @property
    def used(self) -> bool:
        """Whether a run left anything."""
        return self._kept is not None or self.state is not None

    def take(self) -> Any:
        """What the runtime kept of the run before, such as its process; None if there is nothing."""
        with self._lock:
            kept, self._kept = self._kept, None
        return kept[0] if kept else None

    def keep(self, thing: Any, end: Callable[[], object]) -> None:
        """Keeps it for the next run; `end` is called if there is none."""
        with self._lock:
            if not self._closed:
                self._kept = (thing, end)
                return
        end()

    def reset(self) -> None:
        """Forgets everything: the next run begins anew."""
        with self._lock:
            kept, self._kept, self.state = self._kept, None, None
        if kept:
            kept[1]()

    def close(self) -> None:
        """Forgets everything, and keeps nothing from now on."""
        self._closed = True
        self.reset()


class Containers:
    """Those of a studio, by whatever they belong to, such as a script and its target."""

    def __init__(self) -> None:
        self._made: dict[Any, Container] = {}

    def of(self, owner: Any) -> Container:
        """The owner's container; the first time, a new one."""
        return self._made.setdefault(owner, Container())

    def close(self) -> None:
        for container in self._made.values():
            container.close()
