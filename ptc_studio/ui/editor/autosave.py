"""Keeps a copy of every text within a second of its last change, without holding up the keys."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

from ptc_studio.storage.buffers import Buffer, BufferStore
from ptc_studio.ui.editor.background import BackgroundWorker
from ptc_studio.ui.editor.page import EditorPage

SOONEST, GAP = 0.25, 0.9
"""Seconds: after the first key of a burst, and between two copies while typing goes on."""
Order = Callable[[], tuple[list[str], str | None, list[str]]]
"""The open pages, the one in front, and the closed ones."""


class Autosave(QObject):
    """Writes the pages that have changed.

    Signals: failed(message): a copy could not be written; kept: all copies are up to date.
    """

    failed = Signal(str)
    saved = Signal()

    def __init__(self, folder: Path, order: Order, parent: QObject) -> None:
        super().__init__(parent)
        self.store = BufferStore(folder)
        self._order = order
        self._worker = BackgroundWorker("autosave", self)
        self._changed: dict[str, EditorPage] = {}
        self._order_changed = False
        self._last = 0.0
        self._last_failure: str | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.write)

    def page_changed(self, page: EditorPage) -> None:
        """Its text, cursor or file is another."""
        self._changed[page.id] = page
        self._start()

    def order_changed(self) -> None:
        """Tabs were opened, closed, moved or chosen."""
        self._order_changed = True
        self._start()

    def page_closed(self, closed: Buffer) -> None:
        """A page with this text went; its copy stays, for it may be opened again, in another session, too."""
        self._changed.pop(closed.id, None)
        self._do(partial(self.store.save, closed), closed.id)
        self.order_changed()

    def forget(self, page_id: str) -> None:
        """Its copy is not needed any more."""
        self._changed.pop(page_id, None)
        self._do(partial(self.store.remove, page_id), page_id)
        self.order_changed()

    def write(self) -> None:
        """Hands everything that has changed to the thread that writes."""
        self._timer.stop()
        self._last = monotonic()
        for page in self._changed.values():
            self._do(partial(self.store.save, page.as_buffer()), page.id)
        self._changed.clear()
        if self._order_changed:
            self._order_changed = False
            self._do(partial(self.store.save_order, *self._order()), "order")

    def shut_down(self, seconds: float = 3.0) -> bool:
        """Writes what is left; whether all of it was written in time."""
        self.write()
        done = self._worker.wait(seconds)
        self._worker.close()
        return done

    def wait(self, seconds: float) -> bool:
        """Whether everything handed over was written in time; blocks, so for tests."""
        return self._worker.wait(seconds)

    def _start(self) -> None:
        if not self._timer.isActive():
            wait = max(SOONEST, GAP - (monotonic() - self._last))
            self._timer.start(round(1000 * wait))

    def _do(self, job: Callable[[], str | None], key: str) -> None:
        self._worker.run(self, job, self._on_written, key=key)

    def _on_written(self, failure: str | None) -> None:
        if failure is not None and failure != self._last_failure:
            self.failed.emit(failure)
        elif failure is None and not self._timer.isActive():
            self.saved.emit()
        self._last_failure = failure
