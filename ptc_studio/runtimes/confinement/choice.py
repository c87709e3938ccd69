"""Which confiner is the best that works here; each is tried for real, once."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path

from ptc_studio.runtimes.confinement.bounds import Bounds
from ptc_studio.runtimes.confinement.bubblewrap import Bubblewrap
from ptc_studio.runtimes.confinement.confiner import Confiner
from ptc_studio.runtimes.confinement.landlock import Landlock, landlock_version
from ptc_studio.runtimes.confinement.plain import PlainProcess
from ptc_studio.runtimes.probing import Prober

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
    said = process.stderr.decode(errors="replace").strip().splitlines()
    return said[-1] if said else f"status {process.returncode}"


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
