"""What a script catches when a command fails.

::

    PtcError
    ├── CommandFailed     it ended with a status that means failure; has status and stderr
    ├── CommandMissing    there is no such program or folder; a FileNotFoundError too
    ├── CommandUnusable   it wrote too much, or no JSON where that was promised; a ValueError too
    └── CommandRefused    the arguments would make a command that nobody meant; a ValueError too
"""

from ptc_studio.core.errors import PtcError


class CommandFailed(PtcError):
    """The program says that it did not work."""

    def __init__(self, message: str, status: int = 0, stderr: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.stderr = stderr


class CommandMissing(PtcError, FileNotFoundError):
    """There is nothing to start."""


class CommandUnusable(PtcError, ValueError):
    """Output that cannot be used."""


class CommandRefused(PtcError, ValueError):
    """A command that was not started."""
