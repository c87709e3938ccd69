"""The last messages between the studio and one server, as they were on the wire."""

import json
import threading
import time
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ptc_studio.core.redaction import Redactor

if TYPE_CHECKING:
    from mcp.client._transport import WriteStream
    from mcp.shared.message import SessionMessage


KEPT = 500
TEXT_LIMIT = 16_000


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """One message; not redacted yet, so that nobody shows it but by `line`."""

    at: float
    """Seconds since 1970."""
    sent: bool
    """Whether the studio sent it; else the server did."""
    text: str
    is_whole: bool = True

    def line(self, redactor: Redactor) -> str:
        """Time, direction and the redacted message."""
        clock = f"{time.strftime('%H:%M:%S', time.localtime(self.at))}.{int(self.at * 1000) % 1000:03}"
        return f"{clock} {'→' if self.sent else '←'} {self._shown(redactor)}"

    def _shown(self, redactor: Redactor) -> str:
        if not self.is_whole:
            return f"{redactor.text(self.text, 'message').value}… (cut)"
        try:
            message = json.loads(self.text)
        except (ValueError, RecursionError):
            return str(redactor.text(self.text, "message").value)
        return json.dumps(redactor.value(message, "message", json_text=self.text).value, ensure_ascii=False)


class MessageLog:
    """Bounded; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._messages: deque[LoggedMessage] = deque(maxlen=KEPT)
        self.count = 0
        """How many there were, also those that are not kept any longer."""

    def add(self, message: Any, *, sent: bool) -> None:
        """Takes in a message of the library's."""
        self.add_line(message.model_dump_json(by_alias=True, exclude_unset=True).encode(), sent=sent)

    def add_line(self, line: bytes, *, sent: bool) -> None:
        """Takes in a message as it is on the wire; of a long one only the beginning is looked at."""
        text = line[:TEXT_LIMIT].decode(errors="replace")
        logged = LoggedMessage(time.time(), sent, text, len(line) <= TEXT_LIMIT)
        with self._lock:
            self._messages.append(logged)
            self.count += 1

    @property
    def messages(self) -> tuple[LoggedMessage, ...]:
        with self._lock:
            return tuple(self._messages)


class LoggedStream:
    """The stream of what is sent, which writes each message into the log."""

    def __init__(self, stream: "WriteStream[SessionMessage]", log: MessageLog) -> None:
        self._stream = stream
        self._log = log

    async def send(self, item: "SessionMessage") -> None:
        self._log.add(item.message, sent=True)
        await self._stream.send(item)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        await self.aclose()
