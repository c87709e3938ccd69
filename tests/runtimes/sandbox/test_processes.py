"""A confined process does not reach other processes, nor what it is not given."""

import os
import resource
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ptc_studio.runtimes.sandbox import Confiner
from tests.runtimes.sandbox.confined import HOST, alive, attempt, prints, python, run, started

SLEEP = "import time; time.sleep(60)"


def expected(confiner: Confiner) -> str:
    return "escaped" if confiner.id == "process" else "held"


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user, with a token in its environment."""
    token = {"PTC_TOKEN": "canary", "PATH": os.environ["PATH"]}
    process = subprocess.Popen([sys.executable, "-I", "-c", SLEEP], env=token)
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize("secret", ["environ", "mem", "fd/0", "maps", "root/etc/hostname", "cwd/"])
def test_nothing_is_read_from_another_process(secret: str, any_confiner: Confiner, bystander: subprocess.Popen[bytes]):
    path = f"/proc/{bystander.pid}/{secret}"
    way = "os.listdir(sys.argv[1])" if secret == "cwd/" else "open(sys.argv[1], 'rb')"
    assert attempt(any_confiner, way, path) == expected(any_confiner)


def test_the_token_of_another_guest_is_out_of_reach(confiner: Confiner):
    with started(confiner, python(SLEEP), env={"PTC_TOKEN": "canary"}) as other:
        pid = confiner.guest_pid(other) or other.pid
        for number in {pid, other.pid}:
            assert attempt(confiner, "print(open(sys.argv[1]).read())", f"/proc/{number}/environ") == "held"


def test_no_other_process_is_seen(sandbox: Confiner):
    code = "import os; print(sorted(int(n) for n in os.listdir('/proc') if n.isdigit()), os.getppid())"
    assert prints(sandbox, code) == "[1, 2] 1"


@pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL", "SIGSTOP", "SIGCONT"])
def test_other_processes_cannot_be_signalled(number: str, confiner: Confiner, bystander: subprocess.Popen[bytes]):
    way = f"import signal\nos.kill(int(sys.argv[1]), signal.{number})"
    assert attempt(confiner, way, bystander.pid) == "held"
    assert bystander.poll() is None


def test_the_control_shows_that_a_signal_would_arrive(bystander: subprocess.Popen[bytes], control: Confiner):
    assert attempt(control, "os.kill(int(sys.argv[1]), 9)", bystander.pid) == "escaped"
    assert bystander.wait(20) == -9


def test_the_process_that_started_it_cannot_be_killed(confiner: Confiner):
    code = """
import os
for pid in (os.getppid(), -1):
    try:
        os.kill(pid, 9)
    except OSError:
        pass
print("tried", flush=True)
"""
    command = [sys.executable, HOST, confiner.id, code]
    host = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert (host.returncode, host.stdout) == (0, "tried\nhost done\n"), host.stderr


TRICKS = {
    "ptrace": "import ctypes\nl = ctypes.CDLL(None, use_errno=True)\nif l.ptrace(16, int(sys.argv[1]), 0, 0) < 0: raise OSError(ctypes.get_errno())",
    "pidfd": "import ctypes\nfd = os.pidfd_open(int(sys.argv[1]))\nl = ctypes.CDLL(None, use_errno=True)\nif l.syscall(438, fd, 0, 0) < 0: raise OSError(ctypes.get_errno())",
}


@pytest.mark.parametrize("trick", ["ptrace", "pidfd"])
def test_other_processes_cannot_be_taken_over(trick: str, any_confiner: Confiner, bystander: subprocess.Popen[bytes]):
    assert attempt(any_confiner, TRICKS[trick], bystander.pid) == expected(any_confiner)


CALL = "import ctypes\nl = ctypes.CDLL(None, use_errno=True)\nif l.{call} < 0: raise OSError(ctypes.get_errno())"
WAYS_OUT = {
    "a user namespace": "unshare(0x10000000)",
    "a mount namespace": "unshare(0x20000)",
    "a network namespace": "unshare(0x40000000)",
    "clone": "syscall(56 if os.uname().machine == 'x86_64' else 220, 0x10000011, 0, 0, 0, 0)",
    "clone3": "syscall(435, ctypes.create_string_buffer((0x10000000).to_bytes(8, 'little') + bytes(80), 88), 88)",
    "a remount": "mount(b'none', b'/usr', None, 0x1020, None)",
    "a mount": "mount(b'none', os.environb[b'HOME'], b'tmpfs', 0, None)",
    "an unmount": "umount2(b'/usr', 2)",
    "the new mount calls": "syscall(430, b'tmpfs', 0)",
    "chroot": "chroot(b'/usr')",
    "pivot_root": "syscall(155 if os.uname().machine == 'x86_64' else 41, b'/usr', b'/usr')",
    "another's namespace": "setns(os.open('/proc/self/ns/net', 0), 0)",
    "the keyring": "syscall(250 if os.uname().machine == 'x86_64' else 219, 0, -3, 0)",
    "io_uring": "syscall(425, 4, ctypes.create_string_buffer(120))",
    "bpf": "syscall(321 if os.uname().machine == 'x86_64' else 280, 0, ctypes.create_string_buffer(128), 128)",
    "memory without a file": "memfd_create(b'x', 0)",
    "secret memory": "syscall(447, 0)",
    "memory of System V": "shmget(0, 1 << 20, 0o1600)",
    "a queue of System V": "msgget(0, 0o1600)",
    "a semaphore of System V": "semget(0, 1, 0o1600)",
    "a device": "mknod((os.environ['HOME'] + '/sda').encode(), 0o60666, 0x800)",
    "the clock": "settimeofday((ctypes.c_long * 2)(1, 0), None)",
    "another user": "setuid(12345)",
    "the host's name": "sethostname(b'x', 1)",
    "a higher limit": "setrlimit(7, (ctypes.c_long * 2)(1 << 20, 1 << 20))",
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_there_is_no_way_out(way: str, confiner: Confiner):
    assert attempt(confiner, CALL.format(call=WAYS_OUT[way])) == "held"


def test_a_program_with_the_rights_of_root_gives_none(confiner: Confiner):
    code = "import os; print(open('/proc/self/status').read())"
    status = dict(line.split(":\t", 1) for line in prints(confiner, code).splitlines() if ":\t" in line)
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert {int(status[name], 16) for name in ("CapPrm", "CapEff", "CapInh", "CapAmb")} == {0}


def test_only_the_descriptors_that_are_passed_are_there(any_confiner: Confiner):
    read, write = os.pipe()
    other = os.open("/etc/hostname", os.O_RDONLY)
    os.set_inheritable(other, True)
    code = "import os, sys; os.write(int(sys.argv[1]), b'mine'); print(sorted(map(int, os.listdir('/proc/self/fd'))))"
    try:
        told = prints(any_confiner, code, write, fds=(write,))
        assert os.read(read, 10) == b"mine"
    finally:
        for fd in (read, write, other):
            os.close(fd)
    # The last one is the listing's own.
    assert [fd for fd in eval(told) if fd in (0, 1, 2, write)] == [0, 1, 2, write]
    assert len(eval(told)) == 5


def test_the_channel_of_another_guest_cannot_be_opened(confiner: Confiner):
    read, write = os.pipe()
    try:
        with started(confiner, python(SLEEP), fds=(write,)) as other:
            pid = confiner.guest_pid(other) or other.pid
            for number in {pid, other.pid, os.getpid()}:
                way = "os.write(os.open(sys.argv[1], os.O_WRONLY), b'forged')"
                assert attempt(confiner, way, f"/proc/{number}/fd/{write}") == "held"
        os.close(write)
        write = -1
        # The end comes once everyone who held the other side is gone.
        assert os.read(read, 10) == b""
    finally:
        os.close(read)
        if write >= 0:
            os.close(write)


def test_the_environment_is_what_it_was_given(any_confiner: Confiner):
    mark = secrets.token_hex(4)
    code = "import os; print(os.environ['PTC_CHANNEL'], os.environ['PTC_GUEST'], sorted(os.environ))"
    told = prints(any_confiner, code, env={"PTC_CHANNEL": "3,4", "PTC_GUEST": mark})
    assert told.startswith(f"3,4 {mark} ")
    assert set(eval(told.split(" ", 2)[2])) <= {"HOME", "LC_CTYPE", "PATH", "PTC_CHANNEL", "PTC_GUEST", "PWD", "TMPDIR"}


def test_what_is_not_bound_by_a_filter_still_ends_by_its_own_signal(any_confiner: Confiner):
    assert run(any_confiner, python("import os; os.abort()"))[0] == -signal.SIGABRT
    assert run(any_confiner, python("import os; os.killpg(0, 9)"))[0] == -signal.SIGKILL


def test_the_guest_gets_the_signals_that_are_for_it(any_confiner: Confiner):
    code = "import signal\nprint('ready')\nprint(signal.sigwait([signal.SIGUSR2]).name)"
    code = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])\n" + code
    with started(any_confiner, python(code)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        pid = any_confiner.guest_pid(process)
        assert pid is not None
        assert alive(pid)
        os.kill(pid, signal.SIGUSR2)
        assert process.stdout.readline() == b"SIGUSR2\n"
        process.wait(10)
        assert any_confiner.guest_pid(process) is None


REINS = {
    "its limits": "import resource; resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1))",
    "its processors": "os.sched_setaffinity(pid, {0})",
    "its turn": "os.setpriority(os.PRIO_PROCESS, pid, 19)",
    "the turn of all of the user's": "os.setpriority(os.PRIO_USER, 0, 19)",
    "its way of being scheduled": "os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))",
}


def state(pid: int) -> tuple[object, ...]:
    limits = resource.prlimit(pid, resource.RLIMIT_CPU)
    return limits, os.sched_getaffinity(pid), os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid)


@pytest.mark.parametrize("name", REINS)
def test_of_another_process_nothing_can_be_taken_away(name: str, confiner: Confiner):
    with subprocess.Popen(["sleep", "60"]) as other:
        try:
            before = state(other.pid)
            attempt(confiner, f"pid = int(sys.argv[1]); {REINS[name]}", other.pid)
            assert state(other.pid) == before
        finally:
            other.kill()
