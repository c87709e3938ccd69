"""The filter of system calls that confined processes live with, as a program of the kernel's filter language."""

import errno
import platform
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

AF_INET, AF_INET6, AF_NETLINK = 2, 10, 16

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NAMES = {
    "x86_64": {
        "add_key": 248, "bpf": 321, "clone": 56, "fanotify_init": 300, "fcntl": 72, "inotify_add_watch": 254,
        "ioctl": 16, "ioprio_set": 251, "keyctl": 250, "memfd_create": 319, "mount": 165, "mq_open": 240, "msgget": 68,
        "perf_event_open": 298, "pivot_root": 155, "prlimit64": 302, "request_key": 249, "sched_setaffinity": 203,
        "sched_setattr": 314, "sched_setparam": 142, "sched_setscheduler": 144, "semget": 64, "setns": 308,
        "setpriority": 141, "shmget": 29, "socket": 41, "socketpair": 53, "umount2": 166, "unshare": 272,
        "userfaultfd": 323,
    },
    "aarch64": {
        "add_key": 217, "bpf": 280, "clone": 220, "fanotify_init": 262, "fcntl": 25, "inotify_add_watch": 27,
        "ioctl": 29, "ioprio_set": 30, "keyctl": 219, "memfd_create": 279, "mount": 40, "mq_open": 180, "msgget": 186,
        "perf_event_open": 241, "pivot_root": 41, "prlimit64": 261, "request_key": 218, "sched_setaffinity": 122,
        "sched_setattr": 274, "sched_setparam": 118, "sched_setscheduler": 119, "semget": 190, "setns": 268,
        "setpriority": 140, "shmget": 194, "socket": 198, "socketpair": 199, "umount2": 39, "unshare": 97,
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
_ATTRIBUTE_REQUESTS = (0x40086602, 0x40046602, 0x401C5820, 0x40087602, 0x40047602)
"""What `ioctl` is asked for to set the flags and the version of a file."""

# Keyrings are the user's, whatever the namespace; mounts and namespaces undo a confinement; the rest is attack surface.
_REFUSED = (
    "add_key", "keyctl", "request_key", "bpf", "perf_event_open", "userfaultfd", "setns", "mount", "umount2",
    "pivot_root", "open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
)  # fmt: skip
# Programs do without these when told that the kernel has none: io_uring opens sockets that no filter sees,
# and what clone3 is asked for lies where no filter can look. Memory without a process is counted for none, and that of
# System V, like a queue of messages, stays when all have ended.
_UNKNOWN = (
    "io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", "memfd_create", "memfd_secret", "shmget",
    "msgget", "semget", "mq_open",
)  # fmt: skip
# Whoever sees the machine's processes could take their limits, their processors and their turn away. The number is that
# of the argument that names the process, which may only be 0: itself. Programs set the turns of their own threads by
# these, too, and complain if they cannot: they are told that it was done.
_ON_PROCESSES = (
    ("prlimit64", 0, errno.EPERM), ("sched_setaffinity", 0, 0), ("sched_setattr", 0, 0), ("sched_setparam", 0, 0),
    ("sched_setscheduler", 0, 0), ("setpriority", 0, 0), ("setpriority", 1, 0), ("ioprio_set", 1, 0),
)  # fmt: skip
# By a watch one is told the names of files that one may not see.
_WATCHES = ("inotify_add_watch", "fanotify_init")
_NAMESPACE_FLAGS = 0x7E020000
_X32 = 0x40000000
_SET_LEASE, _NOTIFY = 1024, 1026
"""By these commands of `fcntl` whoever reads a file keeps all others waiting who open it, and learns of them."""
_SOCKET_KIND, _STREAM, _PACKETS = 0xF, 1, 5

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS, _ARGUMENT_BYTES = 0, 4, 16, 8


def filter_program(
    families: Sequence[int], machine: str | None = None, *, attributes: bool = True, shared: bool = False
) -> bytes | None:
    """The filter, which leaves only sockets of these families; None on a machine whose numbers are not known here.

    Without `attributes` no mode, owner, time or attribute of a file can be changed. `shared` is for a process that
    has the machine's files and processes around it: it can neither watch the ones nor touch the others.
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
    refused = [numbers[name] for name in (*_REFUSED, *(_WATCHES if shared else ()))]
    for number in refused if attributes else (*refused, *_ATTRIBUTES[machine], *_SHARED_ATTRIBUTES):
        program.when(_EQUAL, number, errno.EPERM)
    for name in _UNKNOWN:
        program.when(_EQUAL, numbers[name], errno.ENOSYS)
    for name, place, answer in _ON_PROCESSES if shared else ():
        program.only(numbers[name], place, (0,), answer)
    for name in ("clone", "unshare"):
        program.never(numbers[name], 0, _NAMESPACE_FLAGS, errno.EPERM)
    program.but(numbers["fcntl"], 1, (_SET_LEASE, _NOTIFY), errno.EPERM)
    if not attributes:
        program.but(numbers["ioctl"], 1, _ATTRIBUTE_REQUESTS, errno.EPERM)
    program.only(numbers["socket"], 0, families, errno.EACCES)
    # One of a pair for datagrams can be given another address.
    program.only(numbers["socketpair"], 1, (_STREAM, _PACKETS), errno.EACCES, mask=_SOCKET_KIND)
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

    def only(self, call: int, place: int, values: Sequence[int], number: int, mask: int | None = None) -> None:
        """Refuses the call unless that argument has one of these values."""
        inner = _Program()
        if mask is not None:
            inner.step(_AND, mask)
        for at, value in enumerate(values):
            inner.step(_EQUAL, value, len(values) - at, 0)
        inner.answer(_REFUSE | number)
        self._looking(call, place, inner)

    def but(self, call: int, place: int, values: Iterable[int], number: int) -> None:
        """Refuses the call if that argument has one of these values."""
        inner = _Program()
        for value in values:
            inner.when(_EQUAL, value, number)
        self._looking(call, place, inner)

    def never(self, call: int, place: int, bits: int, number: int) -> None:
        """Refuses the call if that argument has one of these bits."""
        inner = _Program()
        inner.when(_ANY_BIT, bits, number)
        self._looking(call, place, inner)

    def _looking(self, call: int, place: int, inner: "_Program") -> None:
        """The inner steps for that call alone, with the argument loaded; what they let through goes on."""
        self.step(_EQUAL, call, 0, len(inner.code) // 8 + 2)
        self.load(_ARGUMENTS + place * _ARGUMENT_BYTES)
        self.code += inner.code
        self.load(_NUMBER)
