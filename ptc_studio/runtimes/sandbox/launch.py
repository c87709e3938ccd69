"""How a confined process is started: its limits, and what is left to clear away after it."""

import contextlib
import errno
import os
import shlex
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.locations import PYTHON
from ptc_studio.runtimes.sandbox.bounds import Bounds

if TYPE_CHECKING:
    from ptc_studio.runtimes.sandbox.choice import Confiner


_lock = threading.Lock()
_stand_ins: Counter[Path] = Counter()
"""How many processes each is there for."""


@dataclass(slots=True)
class SandboxLaunch:
    """What to give to Popen for one process. `started` comes right after the start, `close` after the process's end."""

    argv: list[str]
    environment: Mapping[str, str]
    """HOME and TMPDIR: the folder of the process's own."""
    notes: tuple[str, ...] = ()
    fds: list[int] = field(default_factory=list)
    """To be passed on beside the process's own descriptors; it does not see them."""
    folder: Path | None = None
    stand_ins: list[Path] = field(default_factory=list)
    """Empty files and folders in the place of what must not be made while the process runs."""

    def stand_in(self, paths: Iterable[Path]) -> None:
        """Makes those that are not there; they go with the last process that needs them."""
        with _lock:
            for path in paths:
                if path in _stand_ins or _made(path):
                    _stand_ins[path] += 1
                    self.stand_ins.append(path)

    def started(self) -> None:
        """Closes the descriptors that only the start needed."""
        while self.fds:
            os.close(self.fds.pop())

    def close(self) -> None:
        """Removes the process's folder, whatever it left there."""
        self.started()
        if self.folder is not None:
            _remove(self.folder)
            self.folder = None
        with _lock:
            while self.stand_ins:
                _stand_in_left(self.stand_ins.pop())


def data_descriptor(launch_fds: list[int], content: bytes) -> str:
    """A descriptor that reads as these bytes, noted among those to be passed on."""
    fd = os.memfd_create("ptc", os.MFD_CLOEXEC)
    launch_fds.append(fd)
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return str(fd)


def own_folder(path: str) -> dict[str, str]:
    """The variables that make this the place for a process's files."""
    return {"HOME": path, "TMPDIR": path}


def require_program(argv: Sequence[str]) -> None:
    """Raises what the start itself would raise, were the program not behind another one."""
    program = argv[0]
    if shutil.which(program) is None:
        number = errno.EACCES if Path(program).exists() else errno.ENOENT
        raise OSError(number, os.strerror(number), program)


def _made(path: Path) -> bool:
    with contextlib.suppress(OSError):
        # A folder is nothing that could be executed.
        if path.suffix == ".yaml":
            path.touch(exist_ok=False)
        else:
            path.mkdir()
        return True
    return False


def _stand_in_left(path: Path) -> None:
    _stand_ins[path] -= 1
    if not _stand_ins[path]:
        del _stand_ins[path]
        with contextlib.suppress(OSError):
            # Whatever somebody put there meanwhile stays.
            if path.is_dir():
                path.rmdir()
            elif not path.stat().st_size:
                path.unlink()


def _remove(folder: Path) -> None:
    for where, names, _ in os.walk(folder):
        for inner in (Path(where, name) for name in names):
            # What was made unreadable must be readable to be removed; a link leads to what is not the process's.
            if not inner.is_symlink():
                inner.chmod(0o700)
    # What cannot be removed stays in the system's temporary folder, which the system clears.
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)


# The kernel's own bound for one process's private memory: it holds a burst that is over before it is seen from outside.
# Not RLIMIT_AS, which counts what is only reserved, and of that Go, V8 and mono reserve more than a machine has.
BURST = 2
BLOCK = 512


def limited(
    argv: Sequence[str], bounds: Bounds, *, files: bool, processes: bool, directory: Path | None = None
) -> list[str]:
    """The command that sets the limits and becomes `argv`.

    `files` limits the size of a file; `processes` their number, which only counts right in a user namespace.
    """
    steps = ["ulimit -c 0", f"ulimit -n {bounds.open_files}", f"ulimit -d {bounds.memory_bytes * BURST // 1024}"]
    if files:
        steps.append(f"ulimit -f {bounds.file_bytes // BLOCK}")
    if processes:
        # The letter differs from shell to shell.
        steps.append(f"ulimit -u {bounds.processes} || ulimit -p {bounds.processes}")
    if directory is not None:
        steps.append(f"cd {shlex.quote(str(directory))} && unset OLDPWD")
    return _after(steps, argv)


def expendable(argv: Sequence[str]) -> list[str]:
    """The command that becomes `argv`, with which the kernel begins when the machine runs out of memory."""
    return _after(["echo 1000 >/proc/self/oom_score_adj"], argv)


def _after(steps: Sequence[str], argv: Sequence[str]) -> list[str]:
    script = "".join(f"{{ {step}; }} 2>/dev/null\n" for step in steps) + 'exec "$@"'
    return ["/bin/sh", "-c", script, "sh", *argv]


LAUNCHER = Path(__file__).with_name("launcher.py")


def launched(items: Iterable[tuple[str, object]], argv: Sequence[str]) -> list[str]:
    """The command that sets these bounds for itself and becomes `argv`."""
    first = (("parent", os.getpid()), ("program", shutil.which(argv[0]) or argv[0]))
    options = [f"{name}={value}" for name, value in (*first, *items)]
    return [PYTHON, "-I", "-S", str(LAUNCHER), *options, "--", *argv]


def confined_process(
    confiner: "Confiner",
    command: Sequence[str],
    bounds: Bounds,
    environment: Mapping[str, str],
    *,
    directory: Path | None = None,
    stderr: int = subprocess.STDOUT,
    fds: Sequence[int] = (),
) -> tuple["subprocess.Popen[bytes]", SandboxLaunch]:
    """The process, leading a session of its own, and what to close after its end; raises OSError."""
    launch = confiner.launch(command, bounds, directory)
    try:
        process = subprocess.Popen(
            launch.argv,
            env={**environment, **launch.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pass_fds=(*fds, *launch.fds),
            start_new_session=True,
            bufsize=0,
        )
    except BaseException:
        launch.close()
        raise
    launch.started()
    return process, launch


KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH")


def program_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """What is kept of the studio's, and the runtime's own."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    return {**kept, **extra}
