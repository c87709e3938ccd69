"""Looking for toolchains, with programs that are small shell scripts on a path of the test's own."""

import os
import threading
import time
from pathlib import Path

import pytest

from ptc_studio.runtimes import programs as probing
from ptc_studio.runtimes import programs as programs_module
from ptc_studio.runtimes.discovery import FoundToolchain, Manifest, MissingToolchain, Probe, find_toolchain
from ptc_studio.runtimes.programs import Programs


class Machine:
    """A path with the programs that the test puts there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.memory = folder / "memory.json"

    def program(self, name: str, body: str, folder: str = "bin") -> Path:
        path = self.folder / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho asked >> {self.folder}/asked\n{body}\n")
        path.chmod(0o755)
        return path

    @property
    def questions(self) -> int:
        asked = self.folder / "asked"
        return len(asked.read_text().splitlines()) if asked.exists() else 0

    def look(
        self, *probes: Probe, programs: Programs | None = None, **more: object
    ) -> FoundToolchain | MissingToolchain:
        manifest = Manifest(
            id="x", name="Exotic", language="x", extensions=(".x",), probe=probes, run={"command": ["x"]}, **more
        )
        return find_toolchain(manifest, programs or Programs(self.memory))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:{tmp_path / 'bin'}:/usr/bin:/bin")
    return Machine(tmp_path)


def test_the_first_candidate_that_is_here_is_taken(machine: Machine):
    machine.program("exotic2", "echo exotic 2.5.1 of today")
    found = machine.look(Probe(program="exotic"), Probe(program="exotic2"))
    assert isinstance(found, FoundToolchain)
    assert (found.version, Path(found.program).name, found.probe.program) == ("2.5.1", "exotic2", "exotic2")


def test_a_program_with_questions_of_its_own_is_asked_these(machine: Machine):
    machine.program("go", '[ "$1" = version ] && echo go version go1.27.3 linux/amd64 || exit 2')
    found = machine.look(Probe(program="go", version=("version",), pattern=r"go(\d+\.\d+(?:\.\d+)?)", minimum="1.19"))
    assert isinstance(found, FoundToolchain)
    assert found.version == "1.27.3"
    wrong = machine.look(Probe(program="go"))
    assert isinstance(wrong, MissingToolchain)
    assert "`go --version` failed with status 2" in wrong.reason


def test_where_the_one_on_the_path_is_too_old_the_one_beside_the_studio_is_taken(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(programs_module, "beside_the_studio", lambda: str(machine.folder / "beside"))
    machine.program("node", "echo v18.0.0")
    newer = machine.program("node", "echo v24.1.0", folder="beside")
    found = machine.look(Probe(program="node", minimum="22"))
    assert isinstance(found, FoundToolchain)
    assert (found.program, found.version) == (str(newer), "24.1.0")


def test_a_broken_shim_on_the_path_does_not_hide_the_program_behind_it(machine: Machine):
    machine.program("rustc", "echo no toolchain is installed; exit 1", folder="shims")
    real = machine.program("rustc", "echo rustc 1.63.0")
    found = machine.look(Probe(program="rustc"))
    assert isinstance(found, FoundToolchain)
    assert (found.program, found.version) == (str(real), "1.63.0")


def test_versions_are_compared_as_numbers(machine: Machine):
    machine.program("exotic", "echo 1.9.0")
    assert isinstance(machine.look(Probe(program="exotic", minimum="1.10")), MissingToolchain)
    assert isinstance(machine.look(Probe(program="exotic", minimum="1.9")), FoundToolchain)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("echo 0.9.1", "exotic 0.9.1 is too old, 1.2 or newer is needed"),
        ("echo I am exotic, whatever you say", "printed no version but 'I am exotic, whatever you say'"),
        ("true", "printed no version but 'nothing'"),
        ("exit 3", "`exotic --version` failed with status 3"),
        ("kill -9 $$", "`exotic --version` failed with status -9"),
        ("printf '\\377\\376\\0'", "printed no version"),
    ],
)
def test_one_that_cannot_be_used_says_why_and_what_to_install(machine: Machine, body: str, told: str):
    machine.program("exotic", body)
    missing = machine.look(Probe(program="exotic", minimum="1.2"), install={"apt": "exotic-lang"})
    assert isinstance(missing, MissingToolchain)
    assert told in missing.reason
    assert missing.reason.endswith(": sudo apt-get install exotic-lang")


def test_one_that_is_not_there_says_what_to_install(machine: Machine):
    missing = machine.look(Probe(program="exotic"), install={"pip": "exotic"})
    assert isinstance(missing, MissingToolchain)
    assert missing.reason.startswith("Exotic is not installed: ")
    assert missing.reason.endswith(" -m pip install exotic")


def test_a_program_that_hangs_is_a_reason(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(probing, "PROBE_SECONDS", 0.3)
    machine.program("exotic", "sleep 60")
    began = time.monotonic()
    missing = machine.look(Probe(program="exotic"))
    assert isinstance(missing, MissingToolchain)
    assert "did not answer within 0.3 s" in missing.reason
    assert time.monotonic() - began < 30


def test_what_a_program_said_is_remembered_until_it_changes(machine: Machine):
    path = machine.program("exotic", "echo 1.0.0")
    for _ in range(2):
        programs = Programs(machine.memory)
        machine.look(Probe(program="exotic"), programs=programs)
        programs.remember()
    assert machine.questions == 1
    machine.program("exotic", "echo 2.0.0")
    os.utime(path, ns=(1, 1))
    found = machine.look(Probe(program="exotic"))
    assert isinstance(found, FoundToolchain)
    assert (found.version, machine.questions) == ("2.0.0", 2)


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"a": 3}'])
def test_a_memory_that_is_no_memory_is_forgotten(machine: Machine, content: str):
    machine.memory.write_text(content)
    machine.program("exotic", "echo 1.0.0")
    assert isinstance(machine.look(Probe(program="exotic")), FoundToolchain)


def test_a_memory_that_cannot_be_written_is_no_harm(machine: Machine):
    machine.program("exotic", "echo 1.0.0")
    programs = Programs(Path("/proc/nowhere/memory.json"))
    assert isinstance(machine.look(Probe(program="exotic"), programs=programs), FoundToolchain)
    programs.remember()


def test_the_program_behind_a_shim_is_found(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    real = machine.program("ruby", "echo ruby 3.2.1", folder=".rbenv/versions/3.2.1/bin")
    machine.program("ruby", "exec rbenv exec ruby", folder=".rbenv/shims")
    machine.program("rbenv", f'[ "$1" = which ] && echo {real}', folder=".rbenv/bin")
    monkeypatch.setenv("PATH", f"{machine.folder / '.rbenv/shims'}:/usr/bin:/bin")
    found = machine.look(Probe(program="ruby"))
    assert isinstance(found, FoundToolchain)
    assert found.program == str(real)


def test_the_folder_that_a_toolchain_names_holds_the_program_itself(machine: Machine):
    real = machine.program("rustc", "echo rustc 1.80.0", folder="toolchains/stable/bin")
    machine.program("rustc", f'[ "$1" = --print ] && echo {real.parent.parent} || echo rustc 1.80.0')
    found = machine.look(Probe(program="rustc", root=("--print", "sysroot")))
    assert isinstance(found, FoundToolchain)
    assert found.program == str(real)
    assert str(real.parent.parent) in found.roots


def test_a_program_that_names_its_own_file_is_taken_at_its_word(machine: Machine):
    real = machine.program("node-24", "echo v24.0.0", folder="wheel")
    machine.program("node", f'[ "$1" = -p ] && echo {real} || echo v24.0.0')
    found = machine.look(Probe(program="node", itself=("-p", "process.execPath")))
    assert isinstance(found, FoundToolchain)
    assert found.program == str(real)


def test_a_package_is_found_by_its_name(machine: Machine):
    found = machine.look(Probe(package="pydantic", minimum="2.0"))
    assert isinstance(found, FoundToolchain)
    assert (found.program, found.version.split(".")[0]) == ("", "2")
    missing = machine.look(Probe(package="pydantic", minimum="99"), install={"pip": "pydantic"})
    assert isinstance(missing, MissingToolchain)
    assert "pydantic" in missing.reason
    assert isinstance(machine.look(Probe(package="no-such-package-at-all")), MissingToolchain)


def test_many_threads_may_ask_at_once(machine: Machine):
    machine.program("exotic", "echo 1.0.0")
    programs = Programs(machine.memory)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(machine.look(Probe(program="exotic"), programs=programs)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(one, FoundToolchain) for one in found)
