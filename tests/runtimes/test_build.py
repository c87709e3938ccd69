"""Compiling and its cache, with a compiler that is a small shell script."""

import asyncio
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.scripts import Job, Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import build as building
from ptc_studio.runtimes.build import Builder, BuildFailed
from ptc_studio.runtimes.discovery import FoundToolchain, find_toolchain, read_manifest
from ptc_studio.runtimes.programs import Programs
from ptc_studio.runtimes.sandbox import best_confiner
from tests.support import Engine

TOML = """
id = "shouty"
name = "Shouty"
language = "shouty"
extensions = [".sh"]
[[probe]]
program = "{folder}/bin/compiler"
[prepare]
kit = [["{{program}}", "kit", "{{kit}}/kit.txt", "{{kit_build}}/kit"]]
commands = [["{{program}}", "script", "{{build}}/script.sh", "{{build}}/out", "{{kit_build}}/kit"]]
timeout = {timeout}
memory_mb = 100
error = '(?m)^script\\.sh:(?P<line>\\d+): (?P<message>.*)$'
[run]
command = ["{{build}}/out"]
"""
COMPILER = """#!/bin/sh
[ "$1" = --version ] && echo 1.0 && exit
grep -n wrong "$2" | sed 's/^\\([0-9]*\\):.*/script.sh:\\1: this is wrong/' && grep -q wrong "$2" && exit 1
grep -q slow "$2" && sleep 30
grep -q mute "$2" && exit 7
grep -q greedy "$2" && head -c 150000000 /dev/zero | tail
grep -q noisy "$2" && { head -c 50000000 /dev/zero | tr '\\0' x; exit 7; }
cat "$2" > "$3"
[ -f "$4" ] && cat "$4" >> "$3"
exit 0
"""


class Workshop:
    """A runtime with that compiler, and its cache."""

    def __init__(self, folder: Path, timeout: float = 20) -> None:
        self.folder = folder / "shouty"
        (self.folder / "bin").mkdir(parents=True)
        compiler = self.folder / "bin" / "compiler"
        compiler.write_text(COMPILER)
        compiler.chmod(0o755)
        (self.folder / "kit.txt").write_text("# kit\n")
        (self.folder / "runtime.toml").write_text(TOML.format(folder=self.folder, timeout=timeout))
        self.cache = folder / "cache"
        self.engine = Engine()

    def builder(self) -> Builder:
        manifest = read_manifest(self.folder)
        found = find_toolchain(manifest, Programs())
        assert isinstance(found, FoundToolchain)
        return Builder(manifest, found, self.cache, best_confiner())

    def job(self, code: str) -> Job:
        session = Session(self.engine.executor)
        return Job(Script(code, "my.sh"), session.run, self.engine.executor, (), session.write)

    def build(self, code: str) -> Any:
        return self.builder().build(self.job(code))


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_a_script_is_compiled_once_and_linked_with_the_kit(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    start, started = building.confined_process, []
    monkeypatch.setattr(building, "confined_process", lambda *a, **o: (started.append(a[1][1]), start(*a, **o))[1])
    first, second = workshop.build("echo hi\n"), workshop.build("echo hi\n")
    assert Path(first.places["build"], "out").read_text() == "echo hi\n# kit\n"
    assert second.places == first.places
    assert started == ["kit", "script"]


def test_nobody_else_reads_a_script_in_the_cache_nor_what_compilers_keep_of_it(workshop: Workshop):
    before = os.umask(0o022)
    try:
        # One of an older studio, which was open to everybody.
        (workshop.cache / "toolchains" / "shouty").mkdir(parents=True)
        build = workshop.build("echo hi\n")
    finally:
        os.umask(before)
    (Path(build.places["cache"]) / "kept").write_text("echo hi\n")
    files = [path for path in workshop.cache.rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"script.sh", "out", "kept"}
    for file in files:
        above = [parent for parent in file.parents if parent.is_relative_to(workshop.cache)]
        assert any(not parent.stat().st_mode & 0o077 for parent in above), file


def test_another_script_kit_or_name_is_another_build(workshop: Workshop):
    first = workshop.build("echo hi\n").places["build"]
    assert workshop.build("echo ho\n").places["build"] != first
    (workshop.folder / "kit.txt").write_text("# newer kit\n")
    changed = workshop.build("echo hi\n").places["build"]
    assert changed != first
    assert Path(changed, "out").read_text().endswith("# newer kit\n")


def test_what_the_compiler_refuses_is_told_with_the_line_and_leaves_nothing(workshop: Workshop):
    with pytest.raises(BuildFailed, match="this is wrong") as error:
        workshop.build("echo hi\necho wrong\n")
    assert (error.value.line, error.value.output) == (2, "my.sh:2: this is wrong\n")
    assert not [path for path in (workshop.cache / "builds" / "shouty").iterdir() if path.is_dir()]


def test_a_compiler_that_says_nothing_has_still_failed(workshop: Workshop):
    with pytest.raises(BuildFailed, match="the compiler failed"):
        workshop.build("mute\n")


def test_compiling_has_a_bound(tmp_path: Path):
    with pytest.raises(BuildFailed, match=r"Compiling took more than 0.5 s"):
        Workshop(tmp_path, timeout=0.5).build("slow\n")


def test_a_compiler_is_bounded_in_memory(workshop: Workshop):
    with pytest.raises(BuildFailed, match=r"^The compiler used more than 100 MB of memory\.$"):
        workshop.build("greedy\n")


def test_of_what_a_compiler_prints_the_beginning_is_kept(workshop: Workshop):
    with pytest.raises(BuildFailed) as failed:
        workshop.build("noisy\n")
    assert len(failed.value.output) == 1 << 20


def test_a_run_that_is_stopped_stops_the_compiler(workshop: Workshop):
    job = workshop.job("slow\n")
    threading.Timer(0.3, lambda: job.run.stop("cancelled")).start()
    began = time.monotonic()
    with pytest.raises(BuildFailed, match="stopped while it was compiled"):
        workshop.builder().build(job)
    assert time.monotonic() - began < 20


async def test_two_who_want_the_same_build_get_one(workshop: Workshop):
    builds = await asyncio.gather(*(asyncio.to_thread(workshop.build, "echo both\n") for _ in range(4)))
    assert len({build.places["build"] for build in builds}) == 1
    assert Path(builds[0].places["build"], "out").read_text() == "echo both\n# kit\n"


def test_a_build_that_was_broken_off_is_made_anew(workshop: Workshop):
    folder = Path(workshop.build("echo hi\n").places["build"])
    (folder / ".ready").unlink()
    (folder / "out").write_text("half")
    assert Path(workshop.build("echo hi\n").places["build"], "out").read_text() == "echo hi\n# kit\n"


def test_builds_that_nobody_used_for_long_are_cleared_away(workshop: Workshop, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(building, "BUILDS_KEPT", 3)
    for number in range(6):
        workshop.build(f"echo {number}\n")
    left = [path for path in (workshop.cache / "builds" / "shouty").iterdir() if path.is_dir()]
    assert len(left) == 3


def test_the_compiler_sees_nothing_of_the_users_home(workshop: Workshop, tmp_path: Path):
    secret = tmp_path / "home" / "secret.txt"
    secret.parent.mkdir()
    secret.write_text("canary")
    (workshop.folder / "bin" / "compiler").write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo 1.0 && exit\ncat {secret} > "$3"\n'
    )
    # In whatever language the machine says that there is no such file.
    with pytest.raises(BuildFailed, match=secret.name):
        workshop.build("echo hi\n")
