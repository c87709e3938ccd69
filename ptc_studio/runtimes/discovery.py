"""Tells of each runtime whether it can be used here, and if not, why and what would mend it."""

import hashlib
import platform
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ptc_studio.runtimes.manifest import Manifest, Probe
from ptc_studio.runtimes.programs import Programs, Unanswered
from ptc_studio.runtimes.sandbox import toolchain_places


@dataclass(frozen=True, slots=True)
class FoundToolchain:
    """The toolchain of a runtime."""

    program: str
    """Empty for a package."""
    version: str
    roots: tuple[str, ...]
    """The folders of the toolchain, which its processes must be able to see."""
    probe: Probe


@dataclass(frozen=True, slots=True)
class MissingToolchain:
    """Why a runtime cannot be used, and what to install."""

    reason: str


def find_toolchain(manifest: Manifest, programs: Programs) -> FoundToolchain | MissingToolchain:
    """The first of the runtime's candidates that is here and new enough."""
    faults: list[str] = []
    for probe in manifest.probe:
        for program in programs.find(probe.program) if probe.program else [""]:
            try:
                found = _program(probe, program, programs) if program else _package(probe)
                if found is not None:
                    _check_age(probe, found)
                    return found
            except Unanswered as error:
                faults.append(str(error))
    return MissingToolchain(_sentence(manifest, faults))


def _check_age(probe: Probe, found: FoundToolchain) -> None:
    if probe.minimum and _number(found.version) < _number(probe.minimum):
        called = probe.package or Path(found.program).stem
        raise Unanswered(f"{called} {found.version} is too old, {probe.minimum} or newer is needed")


def _program(probe: Probe, program: str, programs: Programs) -> FoundToolchain:
    if program == sys.executable:
        return FoundToolchain(program, platform.python_version(), _places(program), probe)
    answer = programs.ask(program, probe.version)
    version = re.search(probe.pattern, answer)
    if version is None:
        said = " ".join(answer.split())[:60] or "nothing"
        raise Unanswered(f"`{Path(program).name} {' '.join(probe.version)}` printed no version but {said!r}")
    root = programs.ask(program, probe.root).strip() if probe.root else ""
    named = programs.ask(program, probe.itself).strip() if probe.itself else ""
    # What the toolchain calls its folder holds the program itself; the one on the path may be a shim.
    candidates = (Path(named), Path(root) / "bin" / Path(program).name)
    chosen = next((str(path) for path in candidates if path.is_absolute() and path.is_file()), program)
    return FoundToolchain(chosen, version[1], (*filter(None, [root]), *_places(chosen)), probe)


def _package(probe: Probe) -> FoundToolchain | None:
    assert probe.package is not None
    try:
        return FoundToolchain("", metadata.version(probe.package), (), probe)
    except metadata.PackageNotFoundError:
        return None


def _places(program: str) -> tuple[str, ...]:
    return tuple(map(str, toolchain_places(Path(program))))


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _sentence(manifest: Manifest, faults: list[str]) -> str:
    what = "; ".join(faults) if faults else f"{manifest.name} is not installed"
    command = install_command(manifest)
    return f"{what}: {command}" if command else f"{what}."


def install_command(manifest: Manifest) -> str:
    """The one command that installs the language on this system, as far as the runtime names one."""
    commands = {
        "apt": "sudo apt-get install {}",
        "brew": "brew install {}",
        "winget": "winget install {}",
        "npm": "npm install --global {}",
        "pip": f"{Path(sys.executable).name} -m pip install {{}}",
    }
    programs = {"apt": "apt-get", "brew": "brew", "winget": "winget", "pip": sys.executable, "npm": "npm"}
    for manager, program in programs.items():
        package = manifest.install.get(manager)  # type: ignore[call-overload]
        if package and shutil.which(program):
            return commands[manager].format(package)
    return ""


def filled(command: Sequence[str], places: Mapping[str, str]) -> list[str]:
    """The command with the places put in."""
    return [_filled(part, places) for part in command]


def filled_values(values: Mapping[str, str], places: Mapping[str, str]) -> dict[str, str]:
    """The same for variables of the environment."""
    return {name: _filled(value, places) for name, value in values.items()}


def fingerprint(*parts: str | bytes) -> str:
    """A name for what is made of these parts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:32]


def kit_fingerprint(manifest: Manifest, found: FoundToolchain) -> str:
    """Changes with every file of the runtime's folder, and with the toolchain."""
    return fingerprint(found.program, found.version, *_contents(manifest.folder))


def _contents(folder: Path) -> Iterable[bytes]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("example."):
            yield path.relative_to(folder).as_posix().encode()
            yield path.read_bytes()


def _filled(text: str, places: Mapping[str, str]) -> str:
    for name, value in places.items():
        text = text.replace(f"{{{name}}}", value)
    return text
