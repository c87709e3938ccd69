"""Sets each machine up, runs its tests there, and prints a table of what passed.

A machine is a mount namespace with an overlay over this one's root: whatever its setup installs or removes is seen there
alone, and is kept for the next time below `.venv/machines`. That takes root.
"""

import argparse
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from tests.machines.variants import MACHINES, Machine

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".venv" / "machines"
PLAIN_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
MINUTES = 20.0
"""A machine that takes longer has failed, unless more is asked for: a shared one is slow."""
SUMMARY = re.compile(r"(\d+) (passed|failed|error|errors|skipped)\b")

ENTER = """
set -eu
mount -t overlay overlay -o "lowerdir=/,upperdir=$WORK/upper,workdir=$WORK/overlay" "$WORK/root"
for each in proc sys dev; do mount --rbind /$each "$WORK/root/$each"; done
mount --bind "$WORK/tmp" "$WORK/root/tmp"
mkdir -p "$WORK/root$ROOT" "$WORK/root/machine"
mount --bind "$ROOT" "$WORK/root$ROOT"
mount --bind "$WORK/own" "$WORK/root/machine"
cd "$WORK/root"
mkdir -p .outside
pivot_root . .outside
cd /
umount -l /.outside
exec "$@"
"""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one machine."""

    machine: Machine
    outcome: str
    seconds: float
    passed: bool
    lines: tuple[str, ...] = ()
    """What failed, a line each."""


class Place:
    """The folders of one machine, here and as it sees them."""

    def __init__(self, machine: Machine, minutes: float) -> None:
        self.machine, self.minutes = machine, minutes
        self.folder = KEPT / machine.id
        for name in ("upper", "overlay", "root", "tmp", "own"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "tmp").chmod(0o1777)
        (self.folder / "own").chmod(0o755)
        # Of those that a machine names for itself, these are always there.
        for name, mode in (("TMPDIR", 0o1777), ("XDG_RUNTIME_DIR", 0o700)):
            if name in machine.environment:
                own = Path(machine.environment[name].format(work=self.folder / "own"))
                own.mkdir(exist_ok=True)
                own.chmod(mode)
        self.is_own = bool(machine.checkout)
        """Whether it has a checkout of its own, made ready from nothing."""
        self.home = f"/home/{machine.checkout.split('/')[0]}"
        self.checkout = f"/home/{machine.checkout}" if self.is_own else str(ROOT)

    def environment(self) -> dict[str, str]:
        machine = self.machine
        # Most people have Python write its bytecode.
        left_out = {*machine.without, "PYTHONDONTWRITEBYTECODE"}
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        own = {"HOME": self.home, "PATH": PLAIN_PATH} if self.is_own else {}
        given = {name: value.format(work="/machine") for name, value in machine.environment.items()}
        # Room for the line that says why a test failed.
        return {**kept, **own, **given, "PTC_FORBID_SKIPS": "1", "COLUMNS": "240"}

    def run(self, command: list[str], log: Path, *, as_root: bool = False) -> int:
        """Has the machine carry out the command, in its checkout."""
        inside = ["env", "-C", "/" if as_root else self.checkout, *command]
        if self.machine.user and not as_root:
            inside = [
                "setpriv",
                f"--reuid={self.machine.user}",
                f"--regid={self.machine.user}",
                "--init-groups",
                *inside,
            ]
        environment = {**self.environment(), "WORK": str(self.folder), "ROOT": str(ROOT)}
        with log.open("ab") as out:
            process = subprocess.Popen(
                ["nice", "unshare", "--mount", "bash", "-c", ENTER, "enter", *inside],
                env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            try:
                return process.wait(60 * self.minutes)
            except subprocess.TimeoutExpired:
                return 124
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()

    def shell(self, text: str, log: Path, *, as_root: bool = False) -> bool:
        return self.run(["bash", "-euc", text], log, as_root=as_root) == 0

    def make_ready(self, log: Path) -> str:
        """Empty, or what went wrong."""
        python = _found_python(self.machine.python or "/usr/bin/python3") if self.is_own else ""
        if self.is_own and not python:
            return f"not tried: there is no {self.machine.python} here"
        setup = f"{self.machine.setup}\n{self._own_setup(python)}"
        mark = self.folder / "ready"
        now = hashlib.sha256(setup.encode()).hexdigest()
        if not mark.exists() or mark.read_text() != now:
            if not self.shell(setup, log, as_root=True):
                return f"could not be set up: see {log}"
            mark.write_text(now)
        if not self.is_own:
            return ""
        self._copy_files(log)
        ready = f"make .venv/.ready PYTHON={shlex.quote(python)} && packaging/node-packages .venv/node && packaging/openapi-documents .venv/openapi"
        return "" if self.shell(ready, log) else f"`make` did not make it ready: see {log}"

    def _own_setup(self, python: str) -> str:
        """What a newcomer's machine needs, asked for as the Makefile asks, where nothing of root's HOME helps."""
        if not self.is_own:
            return ""
        venv = "python3-venv" if python == "/usr/bin/python3" else ""
        packages = f"apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq make {venv} >/dev/null"
        return f"{packages}\nHOME=/nonexistent {shlex.quote(str(ROOT))}/packaging/system-libraries test"

    def _copy_files(self, log: Path) -> None:
        """The files as git knows them, and those that it will."""
        names = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=True,
        ).stdout  # fmt: skip
        files = b"\0".join(name for name in names.split(b"\0") if name and (ROOT / os.fsdecode(name)).exists())
        archive = self.folder / "own" / "files.tar"
        subprocess.run(["tar", "-C", str(ROOT), "--null", "-T", "-", "-cf", str(archive)], input=files, check=True)
        where, owner = shlex.quote(self.checkout), self.machine.user or "root"
        top = shlex.quote(self.home)
        self.shell(
            f"mkdir -p {where} && tar -C {where} -xf /machine/files.tar && chown -R {owner}: {top}", log, as_root=True
        )


def _found_python(name: str) -> str:
    """The program itself: what a version manager has on the path may only point to it."""
    version = name.removeprefix("python")
    pyenv = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}*/bin/{name}"))
    for each in [shutil.which(name), *map(str, pyenv)]:
        if (
            each
            and subprocess.run([each, "-c", "import venv, ensurepip"], capture_output=True, check=False).returncode == 0
        ):
            found = subprocess.run(
                [each, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True, check=True
            )
            return found.stdout.strip()
    return name if name.startswith("/") and Path(name).exists() else ""


def try_out(machine: Machine, *, workers: str, minutes: float, pictures: Path | None) -> Tried:
    """Runs the machine's tests on it."""
    began, place = time.monotonic(), Place(machine, minutes)
    log = place.folder / "log.txt"
    log.write_bytes(b"")
    wrong = place.make_ready(log)
    if wrong:
        return Tried(machine, wrong, time.monotonic() - began, wrong.startswith("not tried"))
    tests = [".venv/bin/python", "-m", "pytest", "-n", workers, "--tb=short", "-rfE", *machine.tests]
    tests += ["-k", machine.only] if machine.only else []
    # As nice as the tests: neither goes before the other.
    busy = [subprocess.Popen(["nice", sys.executable, "-c", "while True: pass"]) for _ in range(machine.busy)]
    start = log.stat().st_size
    try:
        status = place.run(tests, log)
    finally:
        for each in busy:
            each.kill()
            each.wait()
    said = log.read_bytes()[start:].decode(errors="replace")
    counts = {word.rstrip("s"): int(number) for number, word in SUMMARY.findall(said[-4000:])}
    outcome = ", ".join(f"{number} {word}" for word, number in counts.items()) or f"ended with {status}: see {log}"
    failed = tuple(line for line in said.splitlines() if line.startswith(("FAILED tests/", "ERROR tests/")))
    if pictures is not None:
        picture = f"{place.checkout}/tests/machines/picture.py"
        place.run([f"{place.checkout}/.venv/bin/python", picture, "/tmp/window.png"], log)
        made = place.folder / "tmp" / "window.png"  # where anybody may write
        if made.exists():
            pictures.mkdir(parents=True, exist_ok=True)
            shutil.move(made, pictures / f"{machine.id}.png")
            outcome += ", window opened"
        else:
            outcome, status = f"{outcome}, no window: see {log}", 1
    return Tried(machine, outcome, time.monotonic() - began, status == 0, failed)


def table(results: list[Tried]) -> str:
    """As Markdown, for a person to read and to quote."""
    rows = [("machine", "what is different", "tests", "seconds")]
    rows += [
        (
            each.machine.id,
            each.machine.different,
            f"{'✓' if each.passed else '✕'} {each.outcome}",
            f"{each.seconds:.0f}",
        )
        for each in results
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.machines", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these machines")
    parser.add_argument(
        "--pictures", type=Path, metavar="DIR", help="also open the window by `make run`, and keep a picture"
    )
    parser.add_argument("--workers", default="auto", help="as pytest's -n")
    parser.add_argument(
        "--tests", action="append", metavar="PATH", help="only these instead of the machine's; repeated"
    )
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long a machine's tests may take")
    options = parser.parse_args()
    known = {machine.id: machine for machine in MACHINES}
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"there is no machine {unknown[0]!r}; there are {', '.join(known)}")
    if os.geteuid() != 0:
        print("Other machines are made of mounts, which takes root: sudo make test-machines", file=sys.stderr)
        return 2
    # Ended by anybody, nothing of a machine stays behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    results = []
    for machine in (known[name] for name in options.names or known):
        if options.tests:
            machine = replace(machine, tests=tuple(options.tests))
        print(f"{machine.id}: {machine.different}...", file=sys.stderr, flush=True)
        results.append(try_out(machine, workers=options.workers, minutes=options.minutes, pictures=options.pictures))
        print(f"  {results[-1].outcome}", *results[-1].lines, sep="\n  ", file=sys.stderr, flush=True)
    print(table(results))
    return 0 if all(each.passed for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
