"""Compiles scripts, and kits, and keeps what came of it for the next time."""

import contextlib
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.scripts import Job
from ptc_studio.locations import RUNTIMES
from ptc_studio.processes.process_tree import end_process_tree
from ptc_studio.runtimes.discovery import (
    FoundToolchain,
    Manifest,
    Prepare,
    filled,
    filled_values,
    fingerprint,
    kit_fingerprint,
)
from ptc_studio.runtimes.sandbox import MEBIBYTE, Bounds, Confiner
from ptc_studio.runtimes.sandbox.launch import confined_process, program_environment
from ptc_studio.runtimes.sandbox.usage_watch import ProgramResult, finished

_HOISTED, _SCRIPT = "{{hoisted}}", "{{script}}"


def wrapped(manifest: Manifest, code: str, filename: str) -> str:
    """The script as the compiler gets it."""
    template = manifest.template
    if template is None or re.search(template.own_main, code):
        return code
    hoisted: list[str] = []

    def lift(found: re.Match[str]) -> str:
        line = code.count("\n", 0, found.start()) + 1
        hoisted.append(_at_line(template.directive, line, filename) + found[0])
        return "\n" * found[0].count("\n")

    # The pieces are found in the code as it is: their place in it is their line.
    pieces = "|".join(f"(?:{part})" for part in template.hoist) or r"(?!)"
    rest = re.sub(pieces, lift, code, flags=re.MULTILINE | re.DOTALL)
    frame = read_bytes(manifest.file(template.file)).decode()
    before, _, after = frame.partition(_SCRIPT)
    before = before.replace(_HOISTED, "\n".join(hoisted))
    return before + _at_line(template.directive, 1, filename) + rest + after


def _at_line(directive: str, line: int, filename: str) -> str:
    return directive.replace("{line}", str(line)).replace("{file}", filename) + "\n" if directive else ""


BUILDS_KEPT = 100
_READY = ".ready"


class BuildFailed(Exception):
    """The compiler refused the script, or could not be used at all."""

    def __init__(self, message: str, output: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.output = output
        self.line = line


@dataclass(frozen=True, slots=True)
class Build:
    """A script that is ready to run."""

    places: Mapping[str, str]
    milliseconds: float | None
    """How long it took; None where there is nothing to compile."""

    @property
    def folder(self) -> str:
        """What tells it from other builds."""
        return self.places.get("build", "")


class Builder:
    """Makes builds for one runtime with one toolchain."""

    def __init__(self, manifest: Manifest, found: FoundToolchain, cache: Path, confiner: Confiner) -> None:
        self._manifest = manifest
        self._found = found
        self._cache = cache
        self._confiner = confiner
        self._plan = _plan_of(manifest, found)
        self._kit: str | None = None

    def build(self, job: Job) -> Build:
        """The script, compiled now or before; raises BuildFailed."""
        began = time.monotonic()
        kit = self._kit_fingerprint()
        places = self._places(kit)
        private_folder(Path(places["cache"]))
        if self._plan.kit:
            with _made(Path(places["kit_build"])) as missing:
                if missing:
                    self._compile(self._plan.kit, places, "kit_build", job)
        file = self._manifest.run.script_file
        if file is None and not self._plan.commands:
            return Build(places, None)
        source = wrapped(self._manifest, job.script.code, job.script.filename)
        folder = self._cache / "builds" / self._manifest.id / fingerprint(kit, source, job.script.filename)
        places = {**places, "build": str(folder)}
        with _made(folder) as missing:
            if missing:
                (folder / (file or f"script{self._manifest.extensions[0]}")).write_text(source, encoding="utf-8")
                self._compile(self._plan.commands, places, "build", job)
        if missing:
            _prune(folder.parent)
        spent = round((time.monotonic() - began) * 1000, 3)
        return Build(places, spent if self._plan.commands else None)

    def _kit_fingerprint(self) -> str:
        if self._kit is None:
            self._kit = kit_fingerprint(self._manifest, self._found)
        return self._kit

    def _places(self, kit: str) -> dict[str, str]:
        return {
            "program": self._found.program,
            "kit": str(self._manifest.folder),
            "root": next(iter(self._found.roots), ""),
            "cache": str(self._cache / "toolchains" / self._manifest.id),
            "kit_build": str(self._cache / "kits" / self._manifest.id / kit),
        }

    def _compile(self, commands: Sequence[Sequence[str]], places: dict[str, str], target: str, job: Job) -> None:
        end = time.monotonic() + self._plan.timeout
        writable = [Path(places[target])]
        if self._manifest.isolation.writable_cache:
            writable.append(Path(places["cache"]))
        shown = [*self._found.roots, RUNTIMES, self._manifest.folder, places["kit_build"]]
        shown += self._manifest.isolation.readable
        memory = self._plan.memory_mb * MEBIBYTE
        bounds = Bounds(readable=tuple(map(Path, shown)), writable=tuple(writable), memory_bytes=memory)
        environment = program_environment(filled_values(self._manifest.run.environment, places))
        for command in commands:
            done = self._finished(filled(command, places), bounds, environment, end, job)
            if job.run.stop_reason is not None:
                raise BuildFailed("The script was stopped while it was compiled.")
            if done.status is None:
                raise BuildFailed(done.excess or f"Compiling took more than {self._plan.timeout:g} s.", done.output)
            if done.status:
                raise self._failure(done.output.replace(places[target] + os.sep, ""), job.script.filename)

    def _finished(
        self, command: Sequence[str], bounds: Bounds, environment: Mapping[str, str], end: float, job: Job
    ) -> ProgramResult:
        """What became of a compiler."""
        try:
            process, launch = confined_process(
                self._confiner, command, bounds, environment, directory=bounds.writable[0]
            )
        except OSError as error:
            raise BuildFailed(f"{command[0]!r} cannot be started: {error.strerror}.") from None
        job.run.on_stop(lambda: _end(process))
        try:
            return finished(process, bounds, end)
        finally:
            launch.close()

    def _failure(self, output: str, filename: str) -> BuildFailed:
        found = re.search(self._plan.error, output)
        own = f"script{self._manifest.extensions[0]}"
        shown = output.replace(own, filename)
        if found is None:
            last = next((line for line in reversed(shown.splitlines()) if line.strip()), "the compiler failed")
            return BuildFailed(last, shown)
        return BuildFailed(found["message"], shown, int(found["line"]))


def _plan_of(manifest: Manifest, found: FoundToolchain) -> Prepare:
    plan = manifest.prepare or Prepare()
    return plan if found.probe.prepare is None else plan.model_copy(update={"commands": found.probe.prepare})


PRIVATE = 0o700
_making: dict[Path, threading.Lock] = {}
_making_lock = threading.Lock()


@contextlib.contextmanager
def _made(folder: Path) -> Iterator[bool]:
    """True if the folder's content is to be made now; if that fails nothing is left of it. One maker at a time."""
    ready = folder / _READY
    if ready.exists():
        ready.touch()
        yield False
        return
    with _making_lock:
        lock = _making.setdefault(folder, threading.Lock())
    with lock, _alone(folder):
        if ready.exists():
            yield False
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
        try:
            yield True
            ready.touch()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def private_folder(folder: Path) -> None:
    """Has the folder, for nobody else to look into: the text of scripts lies there, or what a compiler made of it."""
    folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE)
    with contextlib.suppress(OSError):
        # One that was made earlier may be open to others.
        folder.chmod(PRIVATE)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keeps other processes of the studio from making the same; where the system has no such lock, nothing does."""
    private_folder(folder.parent)
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (folder.parent / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _prune(folder: Path) -> None:
    """Takes away the builds that were not used for longest, once there are many."""
    builds = [path for path in folder.iterdir() if (path / _READY).exists()]
    builds.sort(key=lambda path: (path / _READY).stat().st_mtime)
    for path in builds[:-BUILDS_KEPT]:
        shutil.rmtree(path, ignore_errors=True)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        end_process_tree(process)
