"""What every way to confine a process offers."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ptc_studio.runtimes.confinement.bounds import Bounds
from ptc_studio.runtimes.confinement.launch import Launch


class Confiner(Protocol):
    """Starts processes within bounds. Its `id` says what it really is: only `bubblewrap` makes a sandbox."""

    @property
    def id(self) -> str: ...

    @property
    def reason(self) -> str | None:
        """Why nothing better is used, with the one command that mends it."""
        ...

    @property
    def protections(self) -> tuple[str, ...]:
        """What holds, in sentences for the user."""
        ...

    @property
    def gaps(self) -> tuple[str, ...]:
        """What does not hold, in sentences for the user."""
        ...

    def launch(self, argv: Sequence[str], bounds: Bounds, directory: Path | None = None) -> Launch:
        """What to start instead of `argv`, in this folder or else in its own. Raises OSError where the start would."""
        ...

    def guest_pid(self, process: subprocess.Popen[bytes]) -> int | None:
        """The number of the process that became `argv`, to send it a signal; None if it is not there (any longer)."""
        ...

    def exit_status(self, code: int) -> int:
        """The status of the process that became `argv`: negative for the signal that ended it."""
        ...
