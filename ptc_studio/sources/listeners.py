"""Those who want to know when a source is other than before."""

import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


class Listeners:
    """Told from any thread; one that fails is logged, and the others are told all the same."""

    def __init__(self, what: str) -> None:
        """`what` names the source in the log, such as `source 'shop'`."""
        self._what = what
        self._listeners: tuple[Callable[[], None], ...] = ()

    def add(self, changed: Callable[[], None]) -> None:
        self._listeners = (*self._listeners, changed)

    def tell(self) -> None:
        for changed in self._listeners:
            try:
                changed()
            except Exception:
                log.exception("Telling that the %s changed failed", self._what)
