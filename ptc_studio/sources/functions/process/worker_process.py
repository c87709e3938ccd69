"""The host's end of one worker process."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import ptc_studio
from ptc_studio.sources.functions.process.channel import Channel, Message
from ptc_studio.sources.functions.process.lifetime import ending, kill_group
from ptc_studio.sources.warden import VARIABLE, new_mark

_FINAL = ("loaded", "value", "error")
_ROOT = Path(ptc_studio.__file__).parents[1]
# -P and a path at the end: a `json.py` in the working directory is not the worker's.
_START = (
    "import sys; sys.path.append(sys.argv[1]); from ptc_studio.sources.functions.process.worker import main; main()"
)
COMMAND = (sys.executable, "-P", "-c", _START, str(_ROOT))


class WorkerEndedError(Exception):
    """The process is gone; the message says how."""


class WorkerProcess:
    """A process that answers one request at a time."""

    def __init__(self, command: Sequence[str], generation: int) -> None:
        self.generation = generation
        self.loaded: Message | None = None
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            # What its functions start has the mark, too, by which it is found if the studio is killed.
            env={**os.environ, VARIABLE: new_mark()},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._channel = Channel(self._process.stdout, self._process.stdin)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def load(self, request: Message) -> Message:
        """Has the folder loaded, once."""
        if self.loaded is None:
            self.loaded = self.request(request, lambda _: None)
        return self.loaded

    def request(self, request: Message, handle: Callable[[Message], None]) -> Message:
        """Sends the request and waits for its end; what comes before that goes to `handle`."""
        try:
            self._channel.send(request)
        except OSError:
            raise self._ended() from None
        while message := self._channel.receive():
            if message["op"] in _FINAL:
                return message
            handle(message)
        raise self._ended()

    def send(self, message: Message) -> None:
        """An answer to what the worker asked; nothing happens if it is gone."""
        with contextlib.suppress(OSError, ValueError):
            self._channel.send(message)

    def kill(self) -> None:
        """Ends it for real; from any thread."""
        kill_group(self._process)

    def close(self) -> None:
        """Ends it and frees what it held; from the thread that uses it."""
        self.kill()
        self._process.wait()
        self._channel.close()

    def _ended(self) -> WorkerEndedError:
        # The pipe ends a little before the process; one that closed it on purpose would be waited for in vain.
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.wait()
        return WorkerEndedError(ending(code))
