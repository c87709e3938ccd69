"""System calls that no script needs and that namespaces or Landlock do not keep from it, as a filter for the kernel."""

import errno
import platform
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

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


def filter_program(families: Sequence[int], machine: str | None = None) -> bytes | None:
    """The filter, which leaves only sockets of these families; None on a machine whose numbers are not known here."""
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
