"""A process that executes one script and speaks the channel's protocol, and those kept ready for the next run."""

import codecs
import contextlib
import hmac
import os
import secrets
import select
import selectors
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import IO

from ptc_studio.core.events import Stream
from ptc_studio.core.workers import SerialWorker
from ptc_studio.gateway.frames import FrameError, FrameReader
from ptc_studio.processes.process_tree import VARIABLE, end_process_tree, new_mark
from ptc_studio.runtimes.sandbox import Bounds, Confiner, PlainProcess
from ptc_studio.runtimes.sandbox.launch import confined_process, program_environment
from ptc_studio.runtimes.sandbox.usage_watch import WATCHER

POSITION_SECONDS, POSITION_SILENCE = 0.5, 0.05
NO_LINE = "line ???"
"""What Python reports of a place between two lines: some of its instructions belong to none."""
PIPE_BYTES = 1 << 20
CHUNK = 1 << 16
STRAY_SECONDS = 0.5
"""How long after the end of the process its streams may stay open, in the hands of something that escaped."""


class GuestProcessError(Exception):
    """The process did not start as it should."""


class Guest:
    """The process, its pipes and its end. Must be made in a thread that outlives it: it dies with that thread."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        confiner: Confiner | None = None,
        bounds: Bounds | None = None,
        *,
        reports: bool = False,
    ) -> None:
        self._token = secrets.token_hex(16)
        self._mark = new_mark()
        self._confiner = confiner or PlainProcess()
        bounds = bounds or Bounds()
        guest_read, self.write_fd = _pipe()
        self.read_fd, guest_write = _pipe()
        self.report_fd, guest_report = os.pipe() if reports else (-1, -1)
        theirs = [fd for fd in (guest_read, guest_write, guest_report) if fd >= 0]
        own = self._environment(f"{guest_read},{guest_write}", guest_report)
        try:
            self.process, self._launch = confined_process(
                self._confiner,
                command,
                bounds,
                {**program_environment(environment or {}), **own},
                stderr=subprocess.PIPE,
                fds=theirs,
            )
        except OSError as error:
            self.close()
            os.close(self.write_fd)
            raise GuestProcessError(f"{command[0]!r} cannot be started: {error.strerror}") from error
        finally:
            for fd in theirs:
                os.close(fd)
        self.reader = FrameReader(self.read_fd)
        self.greeted = False
        self._end_lock = threading.Lock()
        self.return_code: int | None = None
        """Negative for the signal that ended it."""
        self.report = ""
        self.excess: str | None = None
        """What the process used too much of, if it was ended for that."""
        self.memory_seen = 0
        """The most bytes that the process and all it started were seen to have at once."""
        self._unwatch = WATCHER.watch(self.process.pid, bounds, self._exceed, self._see_memory)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def greet(self, seconds: float | None = 30.0) -> bool:
        """Waits until the guest has said hello with its token; False if it closed the channel without a word."""
        if seconds is not None and not select.select([self.read_fd], [], [], seconds)[0]:
            raise GuestProcessError(f"the process did not say hello within {seconds:g} s")
        try:
            hello = self.reader.read()
        except FrameError as error:
            raise GuestProcessError(f"the process did not say hello: {error}") from None
        if hello is None:
            return False
        token = hello.get("token")
        if hello.get("type") != "hello" or not isinstance(token, str) or not hmac.compare_digest(token, self._token):
            raise GuestProcessError("the process did not say hello with its token")
        self.greeted = True
        return True

    def locate(self, number: int) -> None:
        """Asks the guest where its script is, by a signal, and waits a moment for the report."""
        with self._end_lock:
            # Once it has ended, its descriptor may be closed, and its number be another's.
            if self.return_code is None and self.report_fd >= 0:
                self._locate(number)

    def _locate(self, number: int) -> None:
        pid = self._confiner.guest_pid(self.process)
        if pid is None:
            return
        end = time.monotonic() + POSITION_SECONDS
        self._ask_for_report(pid, number, end)
        while NO_LINE in self.report and time.monotonic() < end:
            self.report = ""
            self._ask_for_report(pid, number, end)

    def _ask_for_report(self, pid: int, number: int, end: float) -> None:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
        patience = max(end - time.monotonic(), 0)
        while select.select([self.report_fd], [], [], patience)[0] and time.monotonic() < end:
            self._read_report()
            # The report comes in several writes; it is whole when it has been silent for a moment after a line's end.
            patience = POSITION_SILENCE if self.report.endswith("\n") else max(end - time.monotonic(), 0)

    def end(self) -> int:
        """Kills the process and all it started; gives the exit status. May be called by several threads."""
        with self._end_lock:
            if self.return_code is None:
                self._unwatch()
                code = end_process_tree(self.process, self._mark)
                self.return_code = self._confiner.exit_status(code)
                if self.report_fd >= 0:
                    self._read_report()
            return self.return_code

    def close(self) -> None:
        """Closes what is left open, once nothing is read from it any longer."""
        launch = getattr(self, "_launch", None)
        if launch is not None:
            launch.close()
        for fd in (self.read_fd, self.report_fd):
            if fd >= 0:
                with contextlib.suppress(OSError):
                    os.close(fd)
        process = getattr(self, "process", None)
        for stream in (process.stdout, process.stderr) if process else ():
            if stream:
                stream.close()

    def dispose(self) -> None:
        """Ends and closes a guest that nobody uses."""
        self.end()
        self.close()
        os.close(self.write_fd)

    def _see_memory(self, amount: int) -> None:
        self.memory_seen = max(self.memory_seen, amount)

    def _exceed(self, what: str) -> None:
        self.excess = what
        self.end()

    def _read_report(self) -> None:
        while select.select([self.report_fd], [], [], 0)[0]:
            data = os.read(self.report_fd, 1 << 16)
            if not data:
                return
            self.report += data.decode(errors="replace")

    def _environment(self, channel: str, report: int) -> dict[str, str]:
        own = {"PTC_CHANNEL": channel, "PTC_TOKEN": self._token, VARIABLE: self._mark}
        return {**own, "PTC_REPORT": str(report)} if report >= 0 else own


def _pipe() -> tuple[int, int]:
    """A pipe as roomy as the system allows: large values then cross it in few steps."""
    read, write = os.pipe()
    # Linux alone has such a thing; elsewhere a pipe is as it is.
    with contextlib.suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return read, write


class GuestPool:
    """Starts guests in a thread of its own, which lives as long as the program: a guest dies with its starter."""

    def __init__(self, start: Callable[[], Guest], spare: int = 1) -> None:
        self._start = start
        self._spare = spare
        self._ready: deque[Guest | Exception] = deque()
        self._changed = threading.Condition()
        self._wanted = 0
        self._starting = 0
        self._waiting = 0
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def ready(self) -> "tuple[Guest | Exception, ...]":
        """Those that wait for a run."""
        return tuple(self._ready)

    def warm(self, count: int = 1) -> None:
        """Has as many started as are missing, and does not wait for them."""
        with self._changed:
            self._wanted = max(self._wanted, count - len(self._ready))
            self._wake()

    def refill(self) -> None:
        """Has the spares started that were taken. Called after a run: while it goes on it wants the processor."""
        if self._spare:
            self.warm(self._spare)

    def checkout(self) -> Guest:
        """A guest that said hello; waits if none is ready. Raises GuestError if it cannot be had."""
        found = self._take()
        if not found.alive:
            # A spare may have been killed while it waited.
            _dispose(found)
            found = self._take()
        try:
            if not found.greet():
                raise GuestProcessError("the process ended before it said hello")
        except Exception:
            _dispose(found)
            raise
        return found

    def _take(self) -> Guest:
        with self._changed:
            self._waiting += 1
            try:
                while not self._ready and not self._closed:
                    # Asked for anew each time: somebody else may have come first and taken the one that was for us.
                    if self._wanted < self._waiting - self._starting:
                        self._wanted = self._waiting - self._starting
                        self._wake()
                    self._changed.wait()
            finally:
                self._waiting -= 1
            if self._closed:
                raise GuestProcessError("no process can be had any longer: the runtime was closed")
            found = self._ready.popleft()
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        """Ends every guest that nobody has taken."""
        with self._changed:
            self._closed = True
            left, self._ready = self._ready, deque()
            self._changed.notify_all()
        for guest in left:
            _dispose(guest)

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._start_wanted, name="ptc-guest-starter", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _start_wanted(self) -> None:
        while True:
            with self._changed:
                while self._wanted <= 0 and not self._closed:
                    self._changed.wait()
                if self._closed:
                    break
                self._wanted -= 1
                self._starting = 1
            try:
                guest: Guest | Exception = self._start()
            except Exception as error:  # noqa: BLE001 - it is raised where somebody waits
                guest = error
            with self._changed:
                closed = self._closed
                self._starting = 0
                # A failure is for one who waits: told later it would be out of date.
                if not closed and (self._waiting or not isinstance(guest, Exception)):
                    self._ready.append(guest)
                self._changed.notify_all()
            if closed:
                _dispose(guest)
        # The thread stays: guests that are still in use would die with it.
        threading.Event().wait()


def _dispose(guest: Guest | Exception) -> None:
    if not isinstance(guest, Exception):
        guest.dispose()


STARTER = SerialWorker("ptc-starter")
"""Starts the guests that are for one script; a guest dies with its starter, and this one stays."""


class WarmScript:
    """At most one process. It has said hello or is about to, and does nothing of the script before it is told to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._warm: tuple[Hashable, Guest] | None = None
        self._closed = False

    @property
    def waiting(self) -> Guest | None:
        """The process that waits, whatever its script is."""
        return self._warm[1] if self._warm is not None else None

    def take(self, script: Hashable) -> Guest | None:
        """The process, if it is of this script and has not been killed meanwhile."""
        with self._lock:
            if self._warm is None or self._warm[0] != script:
                return None
            (_, guest), self._warm = self._warm, None
        if guest.alive:
            return guest
        guest.dispose()
        return None

    def prepare(self, script: Hashable, start: Callable[[], Guest]) -> None:
        """Starts one for this script, in place of that for another; it takes a moment."""
        with self._lock:
            if self._closed or (self._warm is not None and self._warm[0] == script):
                return
        self._put((script, STARTER.submit(start).result()))

    def close(self) -> None:
        """Ends the process; none is started any longer."""
        with self._lock:
            self._closed = True
        self._put(None)

    def _put(self, warm: tuple[Hashable, Guest] | None) -> None:
        with self._lock:
            if self._closed:
                former, self._warm, unwanted = self._warm, None, warm
            else:
                former, self._warm, unwanted = self._warm, warm, None
        for one in (former, unwanted):
            if one is not None:
                one[1].dispose()


def pump(
    streams: dict[Stream, IO[bytes]],
    write: Callable[[Stream, str], None],
    ended: Callable[[], bool],
    over: int | None = None,
) -> None:
    """Passes on both streams until both are closed; bytes that are no text are shown as such.

    Once the descriptor `over` can be read, whatever was written has been, and the streams are left when they are empty.
    """
    with selectors.DefaultSelector() as selector:
        for name, stream in streams.items():
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            selector.register(stream, selectors.EVENT_READ, (name, decoder))
        if over is not None:
            selector.register(over, selectors.EVENT_READ)
        give_up = float("inf")
        patience = 0.1
        while selector.get_map() and time.monotonic() < give_up:
            ready = selector.select(patience)
            if not patience and not ready:
                return
            for key, _ in ready:
                if key.fd == over:
                    selector.unregister(key.fd)
                    patience = 0.0
                    continue
                name, decoder = key.data
                data = os.read(key.fd, CHUNK)
                text = decoder.decode(data, final=not data)
                if text:
                    write(name, text)
                if not data:
                    selector.unregister(key.fileobj)
            if ended() and give_up == float("inf"):
                give_up = time.monotonic() + STRAY_SECONDS
