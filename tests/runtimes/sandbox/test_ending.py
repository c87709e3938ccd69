"""Nothing that a confined process started outlives it, or the studio."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ptc_studio.processes.process_tree import descendants
from ptc_studio.runtimes.sandbox import Confiner
from tests.runtimes.sandbox.confined import HOST, alive, python, started
from tests.support import wait_until

# A daemon by the book, without a trace of its origin; its number is of no use outside, so it is known by its name.
DAEMON = """
import os, sys, time
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(w, b"x")
        os.execve("/bin/sleep", ["{name}", "300"], {{}})
    os._exit(0)
os.read(r, 1)
print("ready", flush=True)
{end}
"""
ENDS = {"it ends": "time.sleep(0.05)", "it fails": "time.sleep(0.05); os._exit(3)", "it is ended": "time.sleep(300)"}


def named(name: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "cmdline").read_bytes().startswith(name.encode() + b"\0") and alive(int(entry.name)):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def name_for(request: pytest.FixtureRequest) -> str:
    return f"ptc-{os.getpid()}-" + re.sub(r"\W+", "-", request.node.name)


@pytest.mark.parametrize("end", ENDS)
def test_a_daemon_ends_with_the_process_that_left_it(end: str, sandbox: Confiner, request: pytest.FixtureRequest):
    name = name_for(request)
    with started(sandbox, python(DAEMON.format(name=name, end=ENDS[end]))) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        if end == "it is ended":
            wait_until(lambda: named(name))
            process.kill()
        process.wait(10)
        wait_until(lambda: not named(name))


@pytest.mark.parametrize("left", ["nothing", "a daemon"])
def test_killing_the_studio_ends_everything(left: str, sandbox: Confiner, request: pytest.FixtureRequest):
    name = name_for(request)
    code = (
        DAEMON.format(name=name, end="time.sleep(300)")
        if left == "a daemon"
        else "print('ready'); import time; time.sleep(300)"
    )
    host = subprocess.Popen([sys.executable, HOST, sandbox.id, code], stdout=subprocess.PIPE)
    assert host.stdout is not None
    with host.stdout:
        assert host.stdout.readline() == b"ready\n"
        family = list(descendants(host.pid))
        assert len(family) >= 3
        host.send_signal(signal.SIGKILL)
        host.wait()
    wait_until(lambda: not any(map(alive, family)) and not named(name))


def test_killing_the_studio_ends_the_guest_itself_by_landlock_too(landlock: Confiner, tmp_path: Path):
    code = "print('ready'); import time; time.sleep(300)"
    # Whoever is killed does not clear away.
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    host = subprocess.Popen([sys.executable, HOST, landlock.id, code], stdout=subprocess.PIPE, env=environment)
    assert host.stdout is not None
    with host.stdout:
        assert host.stdout.readline() == b"ready\n"
        (guest,) = descendants(host.pid)
        host.kill()
        host.wait()
    wait_until(lambda: not alive(guest))


def test_what_a_landlocked_process_left_stays_its_own_until_it_ends(landlock: Confiner, request: pytest.FixtureRequest):
    name = name_for(request)
    with started(landlock, python(DAEMON.format(name=name, end="time.sleep(300)"))) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        wait_until(lambda: named(name))
        assert set(named(name)) <= set(descendants(process.pid))
    wait_until(lambda: not named(name))


def test_one_who_stops_his_own_helper_is_ended_all_the_same(sandbox: Confiner):
    code = "import os, signal\nprint('ready', flush=True)\nos.kill(-1, signal.SIGSTOP)\nos.kill(os.getpid(), signal.SIGSTOP)"
    with started(sandbox, python(code)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        family = list(descendants(process.pid))
    wait_until(lambda: not any(map(alive, family)))
