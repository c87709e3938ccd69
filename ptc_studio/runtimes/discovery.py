"""What a folder `runtimes/<id>/` says of its runtime, whether it can be used here, and if not, what would mend it."""

import hashlib
import platform
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from ptc_studio.bounded_files import read_bytes
from ptc_studio.locations import FROZEN, PYTHON
from ptc_studio.runtimes.programs import Programs, Unanswered
from ptc_studio.runtimes.sandbox import toolchain_places

FILE_NAME = "runtime.toml"
LARGEST = 1_000_000
Command = Annotated[tuple[str, ...], Field(min_length=1)]
Driver = Literal["process", "inprocess", "monty", "bash", "wasm"]


class ManifestError(Exception):
    """A runtime.toml that cannot be used; the message names the file, the key and what is wrong."""


def _regular(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from None
    return pattern


Pattern = Annotated[str, AfterValidator(_regular)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Probe(_Section):
    """One way to have the language: a program and how its version is told, or a Python package."""

    program: str | None = None
    package: str | None = None
    version: tuple[str, ...] = ("--version",)
    pattern: Pattern = r"(\d+(?:\.\d+)+)"
    minimum: str | None = None
    root: tuple[str, ...] = ()
    """Arguments with which the program prints the folder of its toolchain."""
    itself: tuple[str, ...] = ()
    """Arguments with which the program prints its own file: the one on the path may only start it."""
    run: Command | None = None
    prepare: tuple[Command, ...] | None = None

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if (self.program is None) == (self.package is None):
            raise ValueError("needs either a program or a package")
        return self


class Prepare(_Section):
    """How a script is compiled before it runs."""

    commands: tuple[Command, ...] = ()
    kit: tuple[Command, ...] = ()
    """How the kit is compiled, once."""
    timeout: float = 120.0
    memory_mb: int = 2048
    error: Pattern = r"(?P<line>\d+): (?P<message>.*)"


class RunCommand(_Section):
    """How the process is started."""

    command: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    script_file: str | None = None
    heap: tuple[str, ...] = ()
    """The options, behind the program, that bound the engine's own memory, with a place for the `megabytes`."""
    warm: bool = False
    """Whether a process can be started before the script is known."""
    again: bool = False
    """Whether a process of a compiled script does nothing of it until it is told to, so that one can be kept ready."""
    report: bool = False
    """Whether the kit, asked by a signal, writes where its script is to the descriptor in PTC_REPORT."""


class ScriptTemplate(_Section):
    """What a short script is wrapped in where its language needs a frame."""

    file: str
    own_main: Pattern
    hoist: tuple[Pattern, ...] = ()
    directive: str = ""


class Isolation(_Section):
    """What the runtime needs of its confinement, or what it has of its own."""

    name: str | None = None
    """How the driver inside the studio keeps the script apart; processes are confined by the studio."""
    memory_mb: int | None = None
    readable: tuple[str, ...] = ()
    writable_cache: bool = False


class Manifest(_Section):
    """A whole runtime.toml."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    name: str
    language: str
    extensions: Annotated[tuple[str, ...], Field(min_length=1)]
    highlighter: str = "text"
    order: int = 100
    example: str = ""
    """A script that shows the runtime at work; where it is left out, `example` with the runtime's extension."""
    driver: Driver = "process"
    probe: tuple[Probe, ...]
    prepare: Prepare | None = None
    run: RunCommand = RunCommand()
    template: ScriptTemplate | None = None
    isolation: Isolation = Isolation()
    install: dict[Literal["apt", "brew", "winget", "npm", "pip"], str] = {}
    _folder: Path = PrivateAttr(Path())

    @model_validator(mode="after")
    def _can_run(self) -> Self:
        if self.driver == "process" and not self.run.command and not all(probe.run for probe in self.probe):
            raise ValueError("needs a run.command")
        return self

    @property
    def folder(self) -> Path:
        """Where the runtime.toml is, and the kit."""
        return self._folder

    @property
    def example_file(self) -> Path:
        return self._folder / (self.example or f"example{self.extensions[0]}")

    def file(self, name: str) -> Path:
        """A file of the folder."""
        return self._folder / name


def read_manifest(folder: Path) -> Manifest:
    """The folder's runtime; raises ManifestError."""
    path = folder / FILE_NAME
    try:
        content = tomllib.loads(read_bytes(path, LARGEST).decode())
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"{path} is not TOML: {error}") from None
    return _understood(content, folder)


def read_manifests(folders: Iterable[Path]) -> tuple[list[Manifest], list[str]]:
    """Every runtime of the folders, in their order, and what is wrong with the others; the first of an id counts."""
    found: dict[str, Manifest] = {}
    errors: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob(f"*/{FILE_NAME}")):
            try:
                manifest = read_manifest(path.parent)
            except ManifestError as error:
                errors.append(str(error))
                continue
            if manifest.id in found:
                errors.append(f"{path}: there is a runtime {manifest.id!r} already, in {found[manifest.id].folder}.")
                continue
            found[manifest.id] = manifest
    return sorted(found.values(), key=lambda manifest: manifest.order), errors


def _understood(content: dict[str, Any], folder: Path) -> Manifest:
    try:
        manifest = Manifest.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join(map(str, first["loc"])) or "the file"
        reason = first["msg"].removeprefix("Value error, ")
        raise ManifestError(f"{folder / FILE_NAME}: {location}: {reason[:1].lower()}{reason[1:]}.") from None
    manifest._folder = folder  # noqa: SLF001 - a frozen model's own private field
    return manifest


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
    errors: list[str] = []
    for probe in manifest.probe:
        for program in programs.find(probe.program) if probe.program else [""]:
            try:
                found = _program(probe, program, programs) if program else _package(probe)
                if found is not None:
                    _check_age(probe, found)
                    return found
            except Unanswered as error:
                errors.append(str(error))
    return MissingToolchain(_sentence(manifest, errors))


def _check_age(probe: Probe, found: FoundToolchain) -> None:
    if probe.minimum and _number(found.version) < _number(probe.minimum):
        called = probe.package or Path(found.program).stem
        raise Unanswered(f"{called} {found.version} is too old, {probe.minimum} or newer is needed")


def _program(probe: Probe, program: str, programs: Programs) -> FoundToolchain:
    if program == PYTHON:
        return FoundToolchain(program, platform.python_version(), _places(program), probe)
    answer = programs.ask(program, probe.version)
    version = re.search(probe.pattern, answer)
    if version is None:
        text = " ".join(answer.split())[:60] or "nothing"
        raise Unanswered(f"`{Path(program).name} {' '.join(probe.version)}` printed no version but {text!r}")
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


def _sentence(manifest: Manifest, errors: list[str]) -> str:
    what = "; ".join(dict.fromkeys(errors)) or f"{manifest.name} is not installed"
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
    pip = "" if FROZEN else sys.executable
    programs = {"apt": "apt-get", "brew": "brew", "winget": "winget", "pip": pip, "npm": "npm"}
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
            yield read_bytes(path)


def _filled(text: str, places: Mapping[str, str]) -> str:
    for name, value in places.items():
        text = text.replace(f"{{{name}}}", value)
    return text
