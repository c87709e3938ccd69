"""How a confined process is started: its system call filter, its limits, and what is left to clear away after it."""

import contextlib
import errno
import os
import platform
import shlex
import shutil
import struct
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


AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NAMES = {
    "x86_64": {
        "add_key": 248, "bpf": 321, "clone": 56, "keyctl": 250, "memfd_create": 319, "mount": 165, "msgget": 68,
        "perf_event_open": 298, "pivot_root": 155, "semget": 64, "shmget": 29,
        "request_key": 249, "setns": 308, "socket": 41, "umount2": 166, "unshare": 272,
        "userfaultfd": 323,
    },
    "aarch64": {
        "add_key": 217, "bpf": 280, "clone": 220, "keyctl": 219, "memfd_create": 279, "mount": 40, "msgget": 186,
        "perf_event_open": 241, "pivot_root": 41, "semget": 190, "shmget": 194,
        "request_key": 218, "setns": 268, "socket": 198, "umount2": 39, "unshare": 97,
        "userfaultfd": 282,
    },
}  # fmt: skip
# Since Linux 5.1 a new call has one number everywhere.
_SHARED = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429,
    "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "clone3": 435, "mount_setattr": 442,
    "memfd_secret": 447,
}  # fmt: skip

# The mode, owner, times and attributes of files: no rule of Landlock's is about them.
_ATTRIBUTES = {
    "x86_64": (90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199, 235, 260, 261, 268, 280),
    "aarch64": (5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 88),
}
_SHARED_ATTRIBUTES = (452, 463, 466, 469)

# Keyrings are the user's, whatever the namespace; mounts and namespaces undo a confinement; the rest is attack surface.
_REFUSED = (
    "add_key", "keyctl", "request_key", "bpf", "perf_event_open", "userfaultfd", "setns", "mount", "umount2",
    "pivot_root", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
)  # fmt: skip
# Programs do without these when told that the kernel has none: io_uring opens sockets that no filter sees,
# and what clone3 is asked for lies where no filter can look. Memory without a process is counted for none, and that of
# System V stays when all have ended.
_UNKNOWN = (
    "io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", "memfd_create", "memfd_secret", "shmget",
    "msgget", "semget",
)  # fmt: skip
_NAMESPACE_FLAGS = 0x7E020000
_X32 = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16


def filter_program(families: Sequence[int], machine: str | None = None, *, attributes: bool = True) -> bytes | None:
    """The filter, which leaves only sockets of these families; None on a machine whose numbers are not known here.

    Without `attributes` no mode, owner, time or attribute of a file can be changed.
    """
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return None
    numbers = {**_NAMES[machine], **_SHARED}
    program = _Program()
    program.load(_ARCHITECTURE)
    program.unless(_EQUAL, _ARCHITECTURES[machine], errno.ENOSYS)
    program.load(_NUMBER)
    if machine == "x86_64":
        program.when(_AT_LEAST, _X32, errno.ENOSYS)
    for name in _REFUSED:
        program.when(_EQUAL, numbers[name], errno.EPERM)
    for number in () if attributes else (*_ATTRIBUTES[machine], *_SHARED_ATTRIBUTES):
        program.when(_EQUAL, number, errno.EPERM)
    for name in _UNKNOWN:
        program.when(_EQUAL, numbers[name], errno.ENOSYS)
    for name in ("clone", "unshare"):
        program.skip_unless(numbers[name], 4)
        program.load(_FIRST_ARGUMENT)
        program.when(_ANY_BIT, _NAMESPACE_FLAGS, errno.EPERM)
        program.answer(_ALLOW)
    program.skip_unless(numbers["socket"], len(families) * 2 + 2)
    program.load(_FIRST_ARGUMENT)
    for family in families:
        program.step(_EQUAL, family, 0, 1)
        program.answer(_ALLOW)
    program.answer(_REFUSE | errno.EACCES)
    program.answer(_ALLOW)
    return bytes(program.code)


@dataclass(slots=True)
class _Program:
    """Steps of the kernel's filter language; a step names how many to skip if its test holds, and if it does not."""

    code: bytearray = field(default_factory=bytearray)

    def step(self, operation: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        self.code += struct.pack("=HBBI", operation, if_true, if_false, value)

    def load(self, offset: int) -> None:
        self.step(_LOAD, offset)

    def answer(self, value: int) -> None:
        self.step(_RETURN, value)

    def when(self, test: int, value: int, number: int) -> None:
        self.step(test, value, 0, 1)
        self.answer(_REFUSE | number)

    def unless(self, test: int, value: int, number: int) -> None:
        self.step(test, value, 1, 0)
        self.answer(_REFUSE | number)

    def skip_unless(self, number: int, steps: int) -> None:
        self.step(_EQUAL, number, 0, steps)


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
