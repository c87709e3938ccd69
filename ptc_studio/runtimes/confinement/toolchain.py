"""Which folders a program needs to see of its own installation."""

import contextlib
from pathlib import Path

from ptc_studio.runtimes.confinement.bounds import real, too_wide
from ptc_studio.runtimes.confinement.system import PROGRAMS, SETTINGS

LINKS = 16


def toolchain_places(program: Path) -> tuple[Path, ...]:
    """The program's installation, each one that its links pass through, and the Python behind a virtual environment."""
    places: dict[Path, None] = {}
    for step in _steps(program):
        for place in (_installation(step), *_behind(step)):
            if not any(place.is_relative_to(shown) for shown in (*PROGRAMS, *SETTINGS)):
                places[place] = None
    return tuple(places)


def _steps(program: Path) -> list[Path]:
    """The program's path, and the path after each link that is followed."""
    steps = [program]
    while steps[-1].is_symlink() and len(steps) < LINKS:
        steps.append(steps[-1].parent / steps[-1].readlink())
    return [*steps, real(program)]


def _installation(program: Path) -> Path:
    """The folder above `bin`; the program alone where that folder holds other things than this installation."""
    prefix = program.parent.parent
    shared = prefix.name == ".local" or too_wide(prefix) or too_wide(real(prefix))
    return program if program.parent.name not in ("bin", "sbin") or shared else prefix


def _behind(program: Path) -> tuple[Path, ...]:
    """The installation that a virtual environment was made from."""
    with contextlib.suppress(OSError):
        for line in (program.parent.parent / "pyvenv.cfg").read_text().splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "home":
                return (_installation(Path(value.strip()) / "python"),)
    return ()
