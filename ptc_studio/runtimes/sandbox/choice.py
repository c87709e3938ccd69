"""Which confiner is the best that works here; each is tried for real, once."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ptc_studio.runtimes.programs import Prober
from ptc_studio.runtimes.sandbox.bounds import Bounds
from ptc_studio.runtimes.sandbox.confiners import Bubblewrap, Landlock, landlock_version
from ptc_studio.runtimes.sandbox.launch import SandboxLaunch, expendable, limited, own_folder, require_program


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

    def launch(self, argv: Sequence[str], bounds: Bounds, directory: Path | None = None) -> SandboxLaunch:
        require_program(argv)
        folder = Path(tempfile.mkdtemp(prefix="ptc-guest-"))
        command = list(argv)
        if os.name == "posix":
            command = expendable(limited(argv, bounds, files=True, processes=False, directory=directory or folder))
        return SandboxLaunch(command, own_folder(str(folder)), folder=folder)

    def guest_pid(self, process: subprocess.Popen[bytes]) -> int | None:
        return process.pid if process.poll() is None else None

    def exit_status(self, code: int) -> int:
        return code


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

    def launch(self, argv: Sequence[str], bounds: Bounds, directory: Path | None = None) -> SandboxLaunch:
        """What to start instead of `argv`, in this folder or else in its own. Raises OSError where the start would."""
        ...

    def guest_pid(self, process: subprocess.Popen[bytes]) -> int | None:
        """The number of the process that became `argv`, to send it a signal; None if it is not there (any longer)."""
        ...

    def exit_status(self, code: int) -> int:
        """The status of the process that became `argv`: negative for the signal that ended it."""
        ...


TRIAL_SECONDS = 60.0
"""Long, for a busy machine must not make the studio settle for less; one who has to wait sees that it is looked for."""
INSTALLERS = {
    "apt-get": "sudo apt install bubblewrap",
    "dnf": "sudo dnf install bubblewrap",
    "pacman": "sudo pacman -S bubblewrap",
    "zypper": "sudo zypper install bubblewrap",
    "apk": "sudo apk add bubblewrap",
}
# Settings that forbid a user namespaces of their own: the file, the value that forbids, and what allows.
_SWITCHES = (
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("user/max_user_namespaces", "0", "10000"),
)

_lock = threading.Lock()
_prober = Prober()
_found: list[Confiner] = []


def best_confiner() -> Confiner:
    """The strongest confiner that works here. The first call takes a moment, so it is not for the loop's thread."""
    with _lock:
        if not _found:
            _found.append(choose())
        return _found[0]


def choose(program: str = "bwrap") -> Confiner:
    """Tries them in turn, the strongest first."""
    if sys.platform != "linux":
        return PlainProcess("This system has no confinement that the studio can use; Linux with bubblewrap has.")
    if shutil.which(program) is None:
        reason = f"bubblewrap is not installed. Install it: {install_command()}"
    else:
        confiner = Bubblewrap(program)
        complaint = trial(confiner)
        if complaint is None:
            return confiner
        reason = f"bubblewrap does not work here ({complaint}). {remedy()}"
    if landlock_version() > 0:
        confiner = Landlock(reason)
        complaint = trial(confiner)
        if complaint is None:
            return confiner
        reason += f" Landlock does not work here either ({complaint})."
    return PlainProcess(reason)


def trial(confiner: Confiner) -> str | None:
    """Starts a program that does nothing; gives the complaint if that fails."""
    launch = confiner.launch(["/bin/true"], Bounds())
    try:
        process = _prober.run(launch.argv, TRIAL_SECONDS, environment=launch.environment, pass_fds=launch.fds)
    except subprocess.TimeoutExpired:
        return f"no answer within {TRIAL_SECONDS:g} s"
    except OSError as error:
        return str(error.strerror)
    finally:
        launch.close()
    if process.returncode == 0:
        return None
    lines = process.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"status {process.returncode}"


def install_command() -> str:
    """How bubblewrap is installed on this system."""
    for program, command in INSTALLERS.items():
        if shutil.which(program):
            return command
    return "https://github.com/containers/bubblewrap"


def remedy(settings: Path = Path("/proc/sys")) -> str:
    """What allows user namespaces where a setting forbids them."""
    for name, forbids, allows in _SWITCHES:
        try:
            value = (settings / name).read_text().strip()
        except OSError:
            continue
        if value == forbids:
            return f"Allow user namespaces: sudo sysctl -w {name.replace('/', '.')}={allows}"
    return "Inside a container, start the container so that it may make user namespaces."
