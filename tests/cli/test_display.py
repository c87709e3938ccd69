"""Where no window can be opened the program says why, in one line, and does not crash."""

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ptc_studio.cli.open_window import PACKAGES, missing_library

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
ROOT = Path(__file__).parents[2]
NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XAUTHORITY", "XDG_SESSION_TYPE")
DEAD = ":9987"
INSTEAD = "; ptc-studio run SCRIPT works in the terminal\n"


def started(
    folder: Path, *before: str, module: str = "ptc_studio", **variables: str
) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name not in NAMES}
    environment |= {"PYTHONPATH": str(ROOT), "HOME": str(folder), "XDG_DATA_HOME": str(folder), "TMPDIR": str(folder)}
    command = [*before, sys.executable, "-m", module]
    return subprocess.run(
        command, env=environment | variables, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


NONE = "there is no display to open a window on; set WAYLAND_DISPLAY or DISPLAY to one that runs"
ONE = "the display {!r} ({name}) does not answer, or may not be used; set {name} to one that runs"
BOTH = f"the displays 'wayland-987' (WAYLAND_DISPLAY) and {DEAD!r} (DISPLAY) do not answer, or may not be used"


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, NONE),
        ({"QT_QPA_PLATFORM": "xcb"}, NONE),
        ({"DISPLAY": DEAD}, ONE.format(DEAD, name="DISPLAY")),
        ({"DISPLAY": "what is this"}, ONE.format("what is this", name="DISPLAY")),
        ({"WAYLAND_DISPLAY": "wayland-987"}, ONE.format("wayland-987", name="WAYLAND_DISPLAY")),
        (
            {"WAYLAND_DISPLAY": "wayland-987", "DISPLAY": DEAD},
            f"{BOTH}; set WAYLAND_DISPLAY or DISPLAY to one that runs",
        ),
        (
            {"QT_QPA_PLATFORM": "hologram"},
            "no window can be opened on the platform 'hologram'; correct QT_QPA_PLATFORM, or unset it",
        ),
    ],
    ids=["none", "none for X", "dead", "no name of one", "dead Wayland", "both dead", "unknown platform"],
)
def test_a_display_that_is_not_there_is_named_with_the_remedy(tmp_path: Path, variables: dict[str, str], told: str):
    done = started(tmp_path, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ptc-studio: {told}{INSTEAD}")


def without(library: str) -> list[str]:
    """The beginning of a command for which the library is no library."""
    if shutil.which("bwrap") is None:
        pytest.skip("a library is hidden by bubblewrap (apt install bubblewrap)")
    ctypes.CDLL(library)
    stem = library.partition(".so")[0]
    loaded = next(line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if f"/{stem}." in line)
    return ["bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", loaded]


@pytest.mark.parametrize("library", ["libxcb-cursor.so.0", "libxcb-keysyms.so.1", "libEGL.so.1"])
def test_a_library_that_is_missing_is_named_with_the_package_to_install(tmp_path: Path, library: str):
    done = started(tmp_path, *without(library), DISPLAY=DEAD)
    package = PACKAGES[library.partition(".so")[0]]
    told = f"no window can be opened, for the library {library} cannot be loaded; install it: sudo apt-get install {package}"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ptc-studio: {told}{INSTEAD}")


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        ("libfoo.so.2: cannot open shared object file: No such file or directory", "libfoo.so.2 cannot be loaded"),
        ("/usr/lib/libxkbcommon-x11.so.0: file too short", "sudo apt-get install libxkbcommon-x11-0"),
        ("libxcb-image.so.0: cannot open shared object file", "sudo apt-get install libxcb-image0"),
    ],
)
def test_what_the_system_says_of_a_library_tells_which(complaint: str, told: str):
    assert told in missing_library(complaint)


def test_other_reasons_are_not_taken_for_a_library():
    assert missing_library("No module named 'PySide6'") == ""


def test_what_the_packaging_installs_is_known_here():
    script = (ROOT / "packaging" / "system-libraries").read_text()
    lines = [line.split() for line in script.splitlines() if line.startswith("library lib")]
    assert {words[1].partition(".so")[0]: words[2] for words in lines}.items() <= PACKAGES.items()


@pytest.mark.parametrize("variables", [{}, {"DISPLAY": DEAD}], ids=["none", "dead"])
def test_the_demo_runs_in_the_terminal_instead(tmp_path: Path, variables: dict[str, str]):
    done = started(tmp_path, module="ptc_studio.cli.demo", **variables)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].endswith(". The example runs in the terminal instead.")
    assert "Katherine" in done.stdout
