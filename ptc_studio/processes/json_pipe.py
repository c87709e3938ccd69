"""Messages over a pair of pipes: one JSON object a line, of any length."""

import threading
from typing import IO, Any

from ptc_studio.core import codec

Message = dict[str, Any]


class JsonPipe:
    """Both ends use it; sending is safe from several threads, receiving is one thread's business."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._sending = threading.Lock()

    def send(self, message: Message) -> None:
        """Raises UnserialisableValue, with nothing sent, or OSError if nobody is there."""
        plain, places = codec.as_texts(message)
        line = codec.encode({**plain, "bytes": places} if places else plain) + b"\n"
        with self._sending:
            self._outgoing.write(line)
            self._outgoing.flush()

    def receive(self) -> Message | None:
        """The next message; None when the other end is gone."""
        line = self._incoming.readline()
        if not line.endswith(b"\n"):
            return None
        message = codec.decode(line)
        places = message.pop("bytes", None) if isinstance(message, dict) else None
        return codec.with_bytes(message, places) if places else message

    def close(self) -> None:
        """Closes both pipes."""
        for pipe in (self._incoming, self._outgoing):
            try:
                pipe.close()
            except OSError:
                # What was still to be sent has no reader any more.
                continue
