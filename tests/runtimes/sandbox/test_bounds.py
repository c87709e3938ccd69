"""Which paths are shown, and which never are."""

import struct
import sys
from pathlib import Path

import pytest

from ptc_studio.runtimes.sandbox import Bounds, toolchain_places
from ptc_studio.runtimes.sandbox.system_calls import AF_INET, filter_program


@pytest.mark.parametrize("wide", ["/", "/home", "/tmp", "/etc", str(Path.home()), str(Path.home().parent)])
def test_a_folder_that_holds_too_much_is_not_shown_and_that_is_said(wide: str):
    bounds = Bounds(workspace=Path(wide))
    assert bounds.places() == []
    assert bounds.notes() == (
        f"The folder {wide!r} is not shown to scripts, because it holds more than a project. Open a folder inside it.",
    )


def test_the_outer_comes_before_the_inner_and_nothing_twice(tmp_path: Path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    bounds = Bounds(readable=(inner, tmp_path / "a" / "b", tmp_path), writable=(tmp_path / "a",))
    assert bounds.places() == [(tmp_path, False), (tmp_path / "a", True), (inner, False)]
    assert Bounds(readable=(inner, tmp_path)).places() == [(tmp_path, False)]


def test_what_is_asked_for_twice_may_be_written_if_either_says_so(tmp_path: Path):
    assert Bounds(readable=(tmp_path,), writable=(tmp_path,)).places() == [(tmp_path, True)]


def test_the_systems_own_folders_need_not_be_shown_again():
    assert Bounds(readable=(Path("/usr/lib"), Path("/etc/alternatives"))).places() == []


def test_a_toolchain_is_followed_through_its_links(tmp_path: Path):
    real = tmp_path / "versions" / "1.2" / "bin" / "tool"
    real.parent.mkdir(parents=True)
    real.write_text("")
    (tmp_path / "shown" / "bin").mkdir(parents=True)
    link = tmp_path / "shown" / "bin" / "tool"
    link.symlink_to(real)
    assert toolchain_places(link) == (tmp_path / "shown", tmp_path / "versions" / "1.2")
    assert toolchain_places(Path("/bin/sh")) == ()


def test_a_shared_folder_of_programs_shows_the_one_program(tmp_path: Path):
    program = tmp_path / ".local" / "bin" / "tool"
    program.parent.mkdir(parents=True)
    program.write_text("")
    assert toolchain_places(program) == (program,)


def test_links_in_a_circle_end(tmp_path: Path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert toolchain_places(tmp_path / "a")


def test_the_python_of_the_tests_is_found_whole():
    places = toolchain_places(Path(sys.executable))
    wanted = {Path(sys.prefix, "lib"), Path(sys.base_prefix, "lib")} - {Path("/usr/lib"), Path("/usr/local/lib")}
    assert [path for path in wanted if not any(path.is_relative_to(place) for place in places)] == []


def test_of_a_folder_that_holds_more_than_programs_only_these_are_shown(tmp_path: Path):
    for name in ("x/bin/tool", "x/lib/tool.so", "x/project/secret.txt", "x/credentials.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert toolchain_places(tmp_path / "x" / "bin" / "tool") == (tmp_path / "x" / "bin", tmp_path / "x" / "lib")


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_filter_has_whole_steps_and_jumps_that_stay_inside(machine: str):
    program = filter_program((AF_INET,), machine, attributes=False, shared=True)
    assert program is not None
    steps = list(struct.iter_unpack("=HBBI", program))
    for number, (_, if_true, if_false, _) in enumerate(steps):
        assert number + 1 + max(if_true, if_false) < len(steps) or (if_true, if_false) == (0, 0)
    assert steps[-1] == (0x06, 0, 0, 0x7FFF0000)


def test_a_machine_that_is_not_known_gets_no_filter():
    assert filter_program((), "vax") is None
