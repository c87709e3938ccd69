"""Asks programs what they are, each in a process that can be ended before it has answered."""

import errno
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from weakref import WeakSet

from ptc_studio.runtimes.family import kill_family

PROBE_SECONDS = 10.0


class Unanswered(Exception):
    """A program that did not say what it was asked; the message says what happened instead."""


class Prober:
    """Has programs run to their end, within a time, until it is closed. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: set[subprocess.Popen[bytes]] = set()
        self._closed = False
        _PROBERS.add(self)

    def ask(self, program: str, arguments: Sequence[str]) -> str:
        """What the program prints, on either stream; raises Unanswered."""
        question = " ".join((Path(program).name, *arguments))
        try:
            answer = self.run([program, *arguments], PROBE_SECONDS)
        except subprocess.TimeoutExpired:
            raise Unanswered(f"`{question}` did not answer within {PROBE_SECONDS:g} s") from None
        except OSError as error:
            raise Unanswered(f"`{question}` cannot be started ({error.strerror})") from None
        if answer.returncode:
            raise Unanswered(f"`{question}` failed with status {answer.returncode}")
        return (answer.stdout + answer.stderr).decode(errors="replace")

    def run(
        self,
        command: Sequence[str],
        seconds: float,
        *,
        environment: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> "subprocess.CompletedProcess[bytes]":
        """What became of the program; raises TimeoutExpired, and OSError if it cannot be started.

        It leads a session of its own: with it goes whatever it started, and no signal of the terminal's reaches it.
        """
        with self._started(command, environment, pass_fds) as process:
            try:
                output, errors = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                _kill(process)
                raise
            finally:
                with self._lock:
                    self._under_way.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, output, errors)

    def close(self) -> None:
        """Ends those that have not answered yet; whoever asks from now on is refused."""
        with self._lock:
            self._closed = True
            for process in self._under_way:
                _kill(process)

    def _started(
        self, command: Sequence[str], environment: Mapping[str, str] | None, pass_fds: Sequence[int]
    ) -> "subprocess.Popen[bytes]":
        # With the lock: none may come into being while the others are ended.
        with self._lock:
            if self._closed:
                raise OSError(errno.ECANCELED, "the program is being closed")
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                pass_fds=pass_fds,
                start_new_session=True,
            )
            self._under_way.add(process)
        return process


_PROBERS: WeakSet[Prober] = WeakSet()


def end_probes() -> None:
    """Closes every prober: the program ends, and nothing that it asked may stay behind."""
    for prober in list(_PROBERS):
        prober.close()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is not None:
        return
    if os.name == "posix":
        kill_family(process.pid)
    else:
        process.kill()
