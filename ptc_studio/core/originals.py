"""What calls were given and gave before it was redacted, for the window alone: in memory, bounded, and for a while."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.redaction.redacted import original
from ptc_studio.core.trace import CallRecord, RedactionRecord

MOST_BYTES = 16_000_000
Key = tuple[str, float, str]


@dataclass(frozen=True, slots=True, repr=False)
class _Kept:
    redactor: Redactor
    json: bytes


class Originals:
    """Values of calls in which something was hidden, the newest. Nothing of them leaves this but to `reveal`."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._lock = Lock()
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._size = 0

    def keep(self, call_id: str, started_ms: float, where: str, json: bytes, redactor: Redactor) -> None:
        """Keeps the JSON of a value, and forgets the oldest if there is no room.

        Calls of several runs have the same ids; when each was started tells them apart, as it does in their records.
        """
        if len(json) > self._most:
            return
        with self._lock:
            self._drop((call_id, started_ms, where))
            self._kept[call_id, started_ms, where] = _Kept(redactor, json)
            self._size += len(json)
            while self._size > self._most:
                self._drop(next(iter(self._kept)))

    def reveal(self, call: CallRecord, hidden: RedactionRecord) -> str | None:
        """What was hidden there; None if it is not known any more, or never was. May take its time."""
        with self._lock:
            kept = self._kept.get((call["id"], call["started_ms"], hidden["where"]))
        if kept is None:
            return None
        value: Any = codec.decode(kept.json)
        return original(kept.redactor, value, hidden["rule"], hidden["path"])

    def forget(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._kept.clear()
            self._size = 0

    def _drop(self, key: Key) -> None:
        dropped = self._kept.pop(key, None)
        if dropped is not None:
            self._size -= len(dropped.json)
