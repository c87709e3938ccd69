"""When the studio is killed, nothing stays of what its tools started."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ptc_studio.processes.process_tree import unmarked
from tests.runtimes.sandbox.confined import alive
from tests.support import wait_until

TOOLS = """
import subprocess, time

def linger() -> None:
    \"\"\"Starts a process that leaves its group, and never ends.\"\"\"
    subprocess.Popen(["setsid", "sleep", "MARK"])
    subprocess.Popen(["sleep", "MARK"])
    time.sleep(600)
"""
WORKSPACE = """
sources:
  - {kind: functions, path: threaded}
  - {kind: functions, path: tools, isolation: process}
  - {kind: command, name: wait, argv: [sh, -c, "setsid sleep MARK & sleep MARK"]}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize("tool", ["linger", "wait", "stay"])
def test_what_a_tool_started_ends_with_a_killed_studio(tool: str, tmp_path: Path):
    number = str(600 + os.getpid() / 1_000_000)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "slow.py").write_text(textwrap.dedent(TOOLS).replace("MARK", number))
    (tmp_path / "threaded").mkdir()
    (tmp_path / "threaded" / "own.py").write_text(TOOLS.replace("MARK", number).replace("linger", "stay"))
    (tmp_path / "studio.yaml").write_text(WORKSPACE.replace("MARK", number))
    command = [sys.executable, "-m", "ptc_studio", "call", tool, "--workspace", str(tmp_path)]
    # One that was started by another studio is ended with that: and an earlier test may have been one here.
    with unmarked():
        studio = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: len(sleepers(number)) >= 2, 60)
    left = sleepers(number)
    studio.send_signal(signal.SIGKILL)
    studio.wait()
    wait_until(lambda: not any(map(alive, left)), 20)


def sleepers(number: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[:2] == [b"sleep", number.encode()] and alive(int(entry.name)):
                found.append(int(entry.name))
    return found
