"""One call by hand at a time, beside whatever runs: begun, followed, cancelled."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from ptc_studio.core.aliases import spec_through
from ptc_studio.core.errors import ToolNotFound
from ptc_studio.core.events import CallNoted, CallProgressed, CallStarted, Event
from ptc_studio.core.registry import Registry, Target
from ptc_studio.ui.models.call_text import one_line, share_text

if TYPE_CHECKING:
    from ptc_studio.core.session import Session
    from ptc_studio.core.trace import Record
    from ptc_studio.ui.workbench import Workbench

WAITING = "waits for an answer"


class HandCall(QObject):
    """Goes through the studio's executor as a run of its own, so the run in the window is not touched.

    Signals: progressed(text, share): how far it is, from 0 to 1, or None. finished(record, inner_calls). failed(str).
    """

    progressed = Signal(str, object)
    finished = Signal(object, int)
    failed = Signal(str)

    def __init__(self, workbench: "Workbench", parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._session: Session | None = None
        self._root: str | None = None
        self._began = 0.0

    @property
    def is_busy(self) -> bool:
        return self._session is not None

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    def begin(self, target: Target, arguments: Mapping[str, Any]) -> None:
        """Calls the target, unless a call is under way."""
        if self._session is not None:
            return
        studio = self._workbench.studio
        # The bound is the call's own: a run's would end it sooner than a script's call.
        session = studio.session(timeout=studio.limits.call_timeout_cap + studio.limits.ask_timeout)
        self._session, self._root, self._began = session, None, time.monotonic()
        # Whoever closes the pane does not wait for the answer.
        self.destroyed.connect(session.stop)
        self._workbench.start(self._perform(session, target, dict(arguments)))

    def cancel(self) -> None:
        """Gives the call up; its record says so."""
        if self._session is not None:
            self._session.stop()

    async def _perform(self, session: "Session", target: Target, arguments: dict[str, Any]) -> None:
        studio = self._workbench.studio
        unwatch = studio.watch(lambda batch: self._on_events(session.run.run_id, batch))
        try:
            with self._workbench.by_hand(session):
                await studio.refresh()
                name, found = as_of_now(studio.registry, target)
                record = await studio.call(session, name, arguments, target=found)
        except Exception as error:
            if isValid(self):
                self._session = None
                self.failed.emit(f"The call could not be made: {error or type(error).__name__}")
            raise
        finally:
            unwatch()
        if isValid(self):
            self._end(session, record)

    def _end(self, session: "Session", record: "Record") -> None:
        self._session = None
        self.destroyed.disconnect(session.stop)
        self.finished.emit(record, session.trace.call_count - 1)

    def _on_events(self, run_id: str, batch: Sequence[Event]) -> None:
        for event in batch:
            if event.run_id != run_id or not isValid(self):
                continue
            if isinstance(event, CallStarted) and event.parent_id is None:
                self._root = event.call_id
            elif isinstance(event, CallProgressed) and event.call_id == self._root:
                share = event.done / event.total if event.total and event.total > 0 else None
                words = (share_text(event.done, event.total), one_line(str(event.message.value)))
                self.progressed.emit(" · ".join(filter(None, words)), share)
            elif isinstance(event, CallNoted) and event.kind in ("waiting", "resumed"):
                self.progressed.emit(WAITING if event.kind == "waiting" else "", None)


def as_of_now(registry: Registry, target: Target) -> tuple[str, Target | None]:
    """The name to call, and what it means, after the sources were read again; nothing where the tool is gone."""
    name = target.tool.spec.name
    try:
        tool = registry.resolve(name).tool
    except ToolNotFound:
        return name, None
    alias = target.alias
    spec = tool.spec if alias is None else spec_through(alias, tool.spec)
    return spec.name, Target(tool, spec, alias)
