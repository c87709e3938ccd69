"""Limits alone, where the system offers nothing that could confine a process."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ptc_studio.runtimes.confinement.bounds import Bounds
from ptc_studio.runtimes.confinement.launch import Launch, own_folder, require_program
from ptc_studio.runtimes.confinement.limits import expendable, limited


class PlainProcess:
    """A process of its own and no more: the script may do all that the user may do."""

    id = "process"

    def __init__(self, reason: str | None = None) -> None:
        self.reason = reason

    @property
    def protections(self) -> tuple[str, ...]:
        return (
            "Runs in a process of its own: a crash does not touch the studio.",
            "The memory, the size of a file and the open files are limited.",
        )

    @property
    def gaps(self) -> tuple[str, ...]:
        return (
            "It reads and writes all files that you can read and write.",
            "It can use the network.",
            "It can see and signal your other processes.",
        )

    def launch(self, argv: Sequence[str], bounds: Bounds, directory: Path | None = None) -> Launch:
        require_program(argv)
        folder = Path(tempfile.mkdtemp(prefix="ptc-guest-"))
        command = list(argv)
        if os.name == "posix":
            command = expendable(limited(argv, bounds, files=True, processes=False, directory=directory or folder))
        return Launch(command, own_folder(str(folder)), folder=folder)

    def guest_pid(self, process: subprocess.Popen[bytes]) -> int | None:
        return process.pid if process.poll() is None else None

    def exit_status(self, code: int) -> int:
        return code
