"""Kills the studio at random moments, again and again: `python -m tests.e2e.kills 200`.

After each kill nothing that it started is left, and what it wrote can be read: settings, the history, the cassette.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ptc_studio.processes.process_tree import VARIABLE, descendants
from ptc_studio.storage.cassettes import read_cassette
from tests.support import PROGRAM

TOOLS = """
import subprocess, time

def add(a: int, b: int) -> int:
    "Adds."
    return a + b

def slow(seconds: float) -> str:
    "Starts a program, and waits."
    subprocess.run(["sleep", str(seconds)])
    return "done"
"""
SCRIPTS = {
    "quick.py": "print(sum(add(n, 1) for n in range(50)))\n",
    "busy.py": "while True:\n    add(1, 2)\n",
    "slow.py": "slow(60)\n",
    "child.py": "import subprocess\nsubprocess.Popen(['sleep', '300'])\nsubprocess.run(['sleep', '300'])\n",
    "quick.js": "console.log(await tools.add({a: 1, b: 2}));\n",
}
RUNTIMES = {
    "quick.py": ("python", "python-inprocess", "monty"),
    "busy.py": ("python", "monty"),
    "slow.py": ("python", "python-inprocess"),
}
GRACE = 10.0


class Killer:
    """A workspace, a home, and the studios that are killed in them."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self._folder = folder
        self._chance = random.Random(seed)
        (folder / "tools").mkdir()
        (folder / "tools" / "kit.py").write_text(TOOLS)
        (folder / "studio.yaml").write_text("version: 1\nsources:\n  - {kind: functions, path: tools}\n")
        for name, text in SCRIPTS.items():
            (folder / name).write_text(text)
        names = {"HOME": "home", "XDG_DATA_HOME": "home/data", "XDG_CACHE_HOME": "home/cache"}
        self._environment = {**os.environ, **{name: str(folder / place) for name, place in names.items()}}
        # Or it would be taken for what a tool of another studio started.
        self._environment.pop(VARIABLE, None)
        self.data = folder / "home" / "data" / "ptc-studio"

    def kill_one(self) -> str:
        """Starts a studio, kills it, and looks at what is left; gives what it was doing."""
        name = self._chance.choice(sorted(SCRIPTS))
        runtime = self._chance.choice(RUNTIMES.get(name, ("",)))
        command = [*PROGRAM, "run", name, "--workspace", ".", *(["--runtime", runtime] if runtime else [])]
        if name.startswith("quick"):
            command += ["--record", "cassettes/x.json"]
        process = subprocess.Popen(
            command, cwd=self._folder, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        seen: set[int] = set()
        end = time.monotonic() + self._chance.uniform(0.05, 2.5)
        while time.monotonic() < end and process.poll() is None:
            seen |= set(descendants(process.pid))
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        told = f"{name} in {runtime or 'its runtime'}"
        self._look_for_left_over(seen, told)
        self._look_at_files(told)
        return told

    def _look_for_left_over(self, seen: set[int], told: str) -> None:
        end = time.monotonic() + GRACE
        while left := [pid for pid in seen if _is_ours(pid, self._folder)]:
            if time.monotonic() > end:
                raise AssertionError(f"{told}: left behind: {[_command(pid) for pid in left]}")
            time.sleep(0.05)

    def _look_at_files(self, told: str) -> None:
        settings, history = self.data / "settings.json", self.data / "history.db"
        if settings.exists():
            json.loads(settings.read_text())
        if history.exists() and history.stat().st_size:
            with sqlite3.connect(history) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), told
            connection.close()
        cassette = self._folder / "cassettes" / "x.json"
        if cassette.exists():
            read_cassette(cassette)


def _is_ours(pid: int, folder: Path) -> bool:
    """Whether the process still runs, and is not another that got its number."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:120]
    except OSError:
        return "?"


def main(times: int) -> None:
    with tempfile.TemporaryDirectory(prefix="ptc-kills-") as folder:
        killer = Killer(Path(folder))
        for number in range(times):
            print(number + 1, killer.kill_one(), flush=True)
    print(f"killed {times} times, nothing left behind, every file whole")


if __name__ == "__main__":
    main(int(sys.argv[1]))
