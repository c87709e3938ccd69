"""What a folder `runtimes/<id>/` says of its runtime, in its `runtime.toml`."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

FILE_NAME = "runtime.toml"
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
    error: Pattern = r"(?P<line>\d+): (?P<message>.*)"


class RunCommand(_Section):
    """How the process is started."""

    command: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    script_file: str | None = None
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
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ManifestError(f"{path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"{path} is not TOML: {error}") from None
    return _understood(content, folder)


def read_manifests(folders: Iterable[Path]) -> tuple[list[Manifest], list[str]]:
    """Every runtime of the folders, in their order, and what is wrong with the others; the first of an id counts."""
    found: dict[str, Manifest] = {}
    faults: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob(f"*/{FILE_NAME}")):
            try:
                manifest = read_manifest(path.parent)
            except ManifestError as error:
                faults.append(str(error))
                continue
            if manifest.id in found:
                faults.append(f"{path}: there is a runtime {manifest.id!r} already, in {found[manifest.id].folder}.")
                continue
            found[manifest.id] = manifest
    return sorted(found.values(), key=lambda manifest: manifest.order), faults


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
