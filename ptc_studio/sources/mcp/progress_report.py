"""How far a call is, from the server to whoever watches."""

import time

from ptc_studio.core.tools import Ticket

SPACING = 0.02
MESSAGE_LIMIT = 500


class ProgressReport:
    """Passes on how far a call is; a server that tells it too often is heard now and then."""

    def __init__(self, ticket: Ticket) -> None:
        self._ticket = ticket
        self._next = 0.0

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        now = time.monotonic()
        if now >= self._next or progress == total:
            self._next = now + SPACING
            self._ticket.progress(progress, total, (message or "")[:MESSAGE_LIMIT])
