"""A busy worker ends with a studio that is killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from ptc_studio.processes.process_tree import descendants
from tests.runtimes.sandbox.confined import alive
from tests.support import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")


def busy_workers(studio: int) -> list[int]:
    """Those that have used a fifth of a second."""
    found = []
    for pid in descendants(studio):
        try:
            name, _, fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")
        except OSError:
            continue
        if name.endswith("(monty") and int(fields.split()[11]) >= 20:
            found.append(pid)
    return found


def test_a_busy_worker_ends_with_a_killed_studio(tmp_path: Path):
    (tmp_path / "busy.py").write_text("while True:\n    pass\n")
    command = [sys.executable, "-m", "ptc_studio", "run", str(tmp_path / "busy.py"), "--runtime", "monty"]
    studio = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: busy_workers(studio.pid), 60)
        workers = busy_workers(studio.pid)
    finally:
        studio.kill()
        studio.wait()
    wait_until(lambda: not any(map(alive, workers)), 20)
