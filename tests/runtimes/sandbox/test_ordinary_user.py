"""The sandbox holds for an ordinary user too, and there the kernel bounds the number of processes. Root plays one."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptc_studio.runtimes.sandbox import Bounds, Confiner
from tests.runtimes.sandbox.confined import alive, run, started
from tests.support import wait_until

NOBODY = 65534
AS_USER = {} if os.getuid() else {"user": NOBODY, "group": NOBODY, "extra_groups": []}


@pytest.fixture(autouse=True)
def _an_ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is started is what a user starts; the tests' own process stays root's."""
    monkeypatch.setattr(os, "geteuid", lambda: NOBODY)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everyone may read, as those of tests are not."""
    with tempfile.TemporaryDirectory(prefix="ptc-user-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        (path / "data").write_text("canary\n")
        yield path


def test_a_user_is_confined_as_root_is(sandbox: Confiner, public: Path):
    script = f"id -un; cat {public}/data; touch {public}/new; cat /etc/shadow; ls /proc | grep -c '^[0-9]'; echo $HOME"
    status, out, _ = run(sandbox, ["/bin/sh", "-c", script], Bounds(workspace=public), **AS_USER)
    name, data, count, home = out.split()
    assert (status, name, data, home) == (0, "script", "canary", "/tmp")
    assert int(count) < 8
    assert not (public / "new").exists()


def test_the_kernel_bounds_a_users_processes(sandbox: Confiner):
    script = "i=0; while [ $i -lt 60 ]; do sleep 30 & i=$((i+1)); echo $i; done"
    status, out, error = run(sandbox, ["/bin/sh", "-c", script], Bounds(processes=40), **AS_USER)
    assert status != 0
    assert "fork" in error
    assert 30 < int(out.split()[-1]) < 40


def test_a_user_may_have_as_many_processes_elsewhere_as_he_likes(sandbox: Confiner):
    with started(sandbox, ["/bin/sh", "-c", "sleep 30 & sleep 30 & sleep 30 & echo on; wait"], **AS_USER) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"on\n"
        # Five here and those four: more than the limit together, but each sandbox counts its own.
        script = "sleep 0 & sleep 0 & wait; echo done"
        assert run(sandbox, ["/bin/sh", "-c", script], Bounds(processes=5), **AS_USER)[1] == "done\n"


def test_a_users_guest_is_found_and_ended(sandbox: Confiner):
    with started(
        sandbox, ["/bin/sh", "-c", "trap 'echo got' USR2; echo on; while :; do sleep 0.05; done"], **AS_USER
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n"
        pid = sandbox.guest_pid(process)
        assert pid is not None
        os.kill(pid, signal.SIGUSR2)
        assert process.stdout.readline() == b"got\n"
        process.kill()
        process.wait()
        wait_until(lambda: not alive(pid))
