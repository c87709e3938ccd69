"""Sends what is printed in this process on behalf of a run to that run instead of the terminal."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from typing import Any, TextIO

from ptc_studio.core.events import Stream
from ptc_studio.core.workers import Worker

Write = Callable[[Stream, str], None]


@dataclass(frozen=True, slots=True)
class Speaker:
    """On whose behalf something is printed, and the threads that it started."""

    write: Write
    threads: list[threading.Thread] = field(default_factory=list)


_current: ContextVar[Speaker | None] = ContextVar("ptc_speaker", default=None)


class StdioRouter:
    """While runs listen, `sys.stdout` and `sys.stderr` are routed by who prints: a script, a tool, or neither."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listening: dict[str, list[Write]] = {}

    @contextlib.contextmanager
    def listening(self, run_id: str, write: Write) -> Iterator[None]:
        """As long as this lasts, what belongs to the run goes to `write`."""
        # The first counts: a script of the run that is a tool, and executed here too, listens for itself alone.
        with self._lock:
            self._listening.setdefault(run_id, []).append(write)
        _routing.begin()
        try:
            yield
        finally:
            _routing.end()
            self._leave(run_id, write)

    @contextlib.contextmanager
    def script(self, write: Write) -> Iterator[Speaker]:
        """What this thread, or one that it starts, prints is the script's output."""
        speaker = Speaker(write)
        token = _current.set(speaker)
        try:
            yield speaker
        finally:
            _current.reset(token)

    def tool(self, run_id: str) -> "_Speaking":
        """What this thread prints is said by a tool: it goes to the run's stderr, apart from the script's output."""
        write = self.voice(run_id)
        return _Speaking(Speaker(write) if write else None)

    def voice(self, run_id: str) -> Write | None:
        """Takes what a tool of the run says, whatever says it; None if nobody listens."""
        with self._lock:
            listeners = self._listening.get(run_id)
            write = listeners[0] if listeners else None
        return (lambda _stream, text: write("stderr", text)) if write else None

    def _leave(self, run_id: str, write: Write) -> None:
        with self._lock:
            listeners = self._listening[run_id]
            listeners.remove(write)
            if not listeners:
                del self._listening[run_id]


class _Speaking:
    """While this lasts, this thread speaks for somebody. A class, because it is entered for every call."""

    __slots__ = ("_speaker", "_token")

    def __init__(self, speaker: Speaker | None) -> None:
        self._speaker = speaker

    def __enter__(self) -> None:
        self._token = _current.set(self._speaker)

    def __exit__(self, *_error: object) -> None:
        _current.reset(self._token)


class _Routed:
    """Stands in for a text stream."""

    def __init__(self, original: TextIO, name: Stream) -> None:
        self._original = original
        self._name: Stream = name

    def write(self, text: str) -> int:
        speaker = _current.get()
        if speaker is None:
            return self._original.write(text)
        speaker.write(self._name, str(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if _current.get() is None:
            self._original.flush()

    def isatty(self) -> bool:
        return _current.get() is None and self._original.isatty()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def _install() -> Callable[[], None]:
    stdout, stderr, start = sys.stdout, sys.stderr, threading.Thread.start

    def start_in_context(thread: threading.Thread) -> None:
        # A new thread starts with an empty context; what a script's thread prints is the script's all the same.
        # A worker of ours serves many runs, whoever made it necessary.
        speaker = None if isinstance(thread, Worker) else _current.get()
        if speaker is not None:
            speaker.threads.append(thread)
            context, run = copy_context(), thread.run
            thread.run = lambda: context.run(run)
        start(thread)

    sys.stdout, sys.stderr = _Routed(stdout, "stdout"), _Routed(stderr, "stderr")  # type: ignore[assignment]
    threading.Thread.start = start_in_context  # type: ignore[method-assign]

    def restore() -> None:
        sys.stdout, sys.stderr = stdout, stderr
        threading.Thread.start = start  # type: ignore[method-assign]

    return restore


class _Routing:
    """Installed once, however many routers there are: taken out of order, one would undo another."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._restore: Callable[[], None] = lambda: None

    def begin(self) -> None:
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._restore = _install()

    def end(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                self._restore()


_routing = _Routing()
