"""Bounds this process by Landlock and a filter, then becomes the command. Run with `python -I -S`; light to start.

Arguments: `name=value` items, then `--`, then the command, which is the script's program, or bubblewrap where that
cannot do all by itself. Whatever cannot be set ends the process: it is never started with less than was asked for.
"""

import ctypes
import os
import resource
import stat
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PARENT_DEATH_SIGNAL, KEEP_CAPABILITIES_OUT, NO_NEW_PRIVILEGES, SUBREAPER, SECCOMP = 1, 24, 38, 36, 22
CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITY_VERSION = 0x20080522
FAILED = 126
NEW_MOUNTS, NEW_USERS = 0x20000, 0x10000000
READ_ONLY, REMOUNT, BIND, DOWNWARD, APART = 1, 1 << 5, 1 << 12, 1 << 14, 1 << 18
RESTRAINTS = 2 | 4 | 8
"""What a mount may forbid already: the rights of programs, devices, programs at all."""

ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
"""The rights that a single file can have: execute, write, read, truncate, device control."""
libc = ctypes.CDLL(None, use_errno=True)


class Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("fd", ctypes.c_int32))


class Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def main(arguments: list[str]) -> None:
    end = arguments.index("--")
    items = [(name, value) for name, _, value in (argument.partition("=") for argument in arguments[:end])]
    command = arguments[end + 1 :]
    single = dict(items)
    die_with_parent(int(single["parent"]))
    with open("/proc/self/oom_score_adj", "w") as priority:  # noqa: PTH123 - pathlib would double the time to start
        priority.write("1000")
    for name, value in items:
        if name.startswith("RLIMIT_"):
            lower(getattr(resource, name), int(value))
    shield([path for name, path in items if name == "shield"])
    if "directory" in single:
        prctl(SUBREAPER, 1)
        drop_capabilities()
        os.chdir(single["directory"])
    if "scopes" in single:
        prctl(NO_NEW_PRIVILEGES, 1)
        restrict(single, [(int(name[5:]), path) for name, path in items if name.startswith("path:")])
    if single.get("filter"):
        steps = bytes.fromhex(single["filter"])
        prctl(SECCOMP, 2, ctypes.byref(Filter(len(steps) // 8, steps)))
    # Not looked for here: for that, Python would read a module of its own that the script may not be shown.
    os.execv(single["program"], command)  # noqa: S606 - it is to become that program


def die_with_parent(parent: int) -> None:
    prctl(PARENT_DEATH_SIGNAL, 9)
    if os.getppid() != parent:
        sys.exit(FAILED)


def lower(limit: int, value: int) -> None:
    """Sets both bounds, but never above what holds already."""
    highest = resource.getrlimit(limit)[1]
    value = value if highest == resource.RLIM_INFINITY else min(value, highest)
    resource.setrlimit(limit, (value, value))


def shield(paths: list[str]) -> None:
    """Makes these read-only in a mount namespace of its own: a device can still be used, its mode not be changed."""
    if not paths:
        return
    if libc.unshare(NEW_MOUNTS) < 0:
        own_users()
    checked(libc.mount(None, b"/", None, DOWNWARD | APART, None))
    for path in map(os.fsencode, paths):
        checked(libc.mount(path, path, None, BIND, None))
        kept = os.statvfs(path).f_flag & RESTRAINTS
        checked(libc.mount(None, path, None, REMOUNT | BIND | READ_ONLY | kept, None))


def own_users() -> None:
    """A user namespace in which this user is the same: there one may mount who may not elsewhere."""
    user, group = os.geteuid(), os.getegid()
    checked(libc.unshare(NEW_USERS | NEW_MOUNTS))
    for name, value in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(value)


def drop_capabilities() -> None:
    """Root gives up all that makes it root; for anyone else there is nothing to give up."""
    if os.geteuid() != 0:
        return
    with open("/proc/sys/kernel/cap_last_cap") as last:  # noqa: PTH123
        for number in range(int(last.read()) + 1):
            libc.prctl(KEEP_CAPABILITIES_OUT, number, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    checked(libc.syscall(CAPSET[os.uname().machine], header, (ctypes.c_uint32 * 6)()))


def restrict(single: dict[str, str], paths: list[tuple[int, str]]) -> None:
    ruleset = Ruleset(int(single["files"]), int(single["network"]), int(single["scopes"]))
    fd = checked(libc.syscall(CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(int(single["size"])), 0))
    for rights, path in paths:
        try:
            location = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            # It is not there, so nothing needs to be allowed.
            continue
        if not stat.S_ISDIR(os.fstat(location).st_mode):
            rights &= ON_FILES
        rule = PathRule(rights & ruleset.files, location)
        checked(libc.syscall(ADD_RULE, fd, 1, ctypes.byref(rule), 0))
        os.close(location)
    checked(libc.syscall(RESTRICT_SELF, fd, 0))
    os.close(fd)


def prctl(option: int, value: int, further: object = 0) -> None:
    checked(libc.prctl(option, value, further, 0, 0))


def checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except OSError as error:
        location = f"{error.filename!r} " if error.filename else "The process "
        sys.stderr.write(f"ptc: {location}cannot be started within its bounds: {error.strerror}\n")
        sys.exit(FAILED)
