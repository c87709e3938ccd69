"""The workspace file `studio.yaml`: its model, and reading it with errors that name the line."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from ptc_studio.bounded_files import Reading, reading_of
from ptc_studio.core.errors import PtcError
from ptc_studio.core.redaction import KnownSecrets, Redactor
from ptc_studio.core.redaction.keys import Exceptions
from ptc_studio.core.redaction.patterns import UserPattern
from ptc_studio.core.registry import Alias
from ptc_studio.core.run import Limits
from ptc_studio.core.tools import Permission
from ptc_studio.sources.entry_fields import Count, Name, Role, Seconds, WorkspaceEntry, code_of
from ptc_studio.sources.functions.entry import functions_of
from ptc_studio.sources.functions.folder_files import importable
from ptc_studio.sources.kinds import SourceEntry
from ptc_studio.sources.registry_sync import PlacedAlias
from ptc_studio.storage.yaml_with_lines import FileWithLines, YamlError, YamlWithLines, understood

if TYPE_CHECKING:
    from ptc_studio.runtimes.process_runtime import Freedoms

FILE_NAME = "studio.yaml"
BELIEVED = (FILE_NAME, "mocks.yaml", "cassettes", ".git")
CODE_ENDINGS = frozenset(
    (".bat", ".cjs", ".cmd", ".js", ".lua", ".mjs", ".php", ".pl", ".ps1", ".py", ".rb", ".sh", ".ts")
)
RUNNERS = frozenset(
    (
        "bash", "bun", "bunx", "bundle", "cargo", "composer", "deno", "docker", "dotnet", "go", "gradle", "java",
        "just", "make", "mvn", "node", "npm", "npx", "perl", "php", "pip", "pipx", "pnpm", "podman", "poetry", "pytest",
        "python", "rake", "ruby", "sh", "task", "ts-node", "tsx", "uv", "uvx", "yarn", "zsh",
    )
)  # fmt: skip
"""Programs that execute what they find in the folder they are started in: modules, `node_modules`, a `Makefile`."""
Switch = Annotated[bool, Field(strict=True)]


class WorkspaceError(PtcError):
    """The workspace cannot be read; the message says where and why."""


class AliasEntry(WorkspaceEntry):
    """An alias as the file has it."""

    name: Name
    tool: Name
    description: str | None = None
    preset: dict[str, Any] = Field(default={})
    defaults: dict[str, Any] = Field(default={})
    timeout: Seconds | None = None
    permission: Permission | None = None
    redact: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    enabled: Switch = True
    notes: str | None = None

    def alias(self) -> Alias:
        """The alias itself; notes are for whoever reads the file."""
        return Alias(**self.model_dump(exclude={"notes"}))


class LimitsEntry(WorkspaceEntry):
    """Bounds for every run; what is left out keeps its default."""

    timeout: Seconds | None = None
    max_depth: Annotated[Count, Field(le=100)] | None = None
    call_timeout: Seconds | None = None
    result_bytes: Count | None = None
    output_bytes: Count | None = None

    def limits(self) -> Limits:
        return Limits(**self.model_dump(exclude_none=True))


class RuntimeEntry(WorkspaceEntry):
    """What the scripts of a runtime may do beyond the usual."""

    network: Switch = False
    workspace: Literal["read", "write"] = "read"
    memory_mb: Annotated[Count, Field(ge=64)] | None = None

    def freedoms(self, protected: tuple[Path, ...]) -> "Freedoms":
        """What it grants, but for writing what is protected."""
        # Whoever only reads the file needs no runtimes.
        from ptc_studio.runtimes.process_runtime import Freedoms

        writes = self.workspace == "write"
        return Freedoms(self.network, writes, self.memory_mb, protected if writes else ())


class PatternEntry(WorkspaceEntry):
    """A pattern of the user's own."""

    name: Name
    pattern: str

    @field_validator("pattern")
    @classmethod
    def _usable(cls, pattern: str, info: ValidationInfo) -> str:
        UserPattern(info.data.get("name", "pattern"), pattern)
        return pattern


class ExceptionEntry(WorkspaceEntry):
    """What rules hide and is no secret: a value by its fingerprint, what stands under a key, or all of a rule."""

    value: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")] | None = None
    key: Name | None = None
    rule: Name | None = None

    @model_validator(mode="after")
    def _one(self) -> "ExceptionEntry":
        if [self.value, self.key, self.rule].count(None) != 2:
            raise ValueError("must have one of value, key and rule")
        return self


class RedactionEntry(WorkspaceEntry):
    """What is hidden beyond the built-in rules, and what is not."""

    keys: tuple[str, ...] = ()
    patterns: tuple[PatternEntry, ...] = ()
    to_script: Switch = False
    exceptions: tuple[ExceptionEntry, ...] = ()

    def redactor(self, secrets: KnownSecrets, *, trusted: bool = True) -> Redactor:
        """Exceptions count in a folder that is trusted: a stranger's must not show what the user wants hidden."""
        patterns = [(rule.name, rule.pattern) for rule in self.patterns]
        excepted = self.exceptions if trusted else ()
        exceptions = Exceptions.of(
            *([name for entry in excepted if (name := getattr(entry, kind))] for kind in ("rule", "key", "value"))
        )
        return Redactor(keys=self.keys, patterns=patterns, secrets=secrets, exceptions=exceptions)


class WorkspaceFile(FileWithLines):
    """The whole file."""

    version: Count = 1
    sources: tuple[SourceEntry, ...] = ()
    aliases: tuple[AliasEntry, ...] = ()
    grants: dict[str, tuple[str, ...]] = Field(default={})
    runtimes: dict[str, RuntimeEntry] = Field(default={})
    limits: LimitsEntry = LimitsEntry()
    redaction: RedactionEntry = RedactionEntry()

    @field_validator("version")
    @classmethod
    def _known(cls, version: int) -> int:
        if version != 1:
            raise ValueError(f"must be 1, for this studio knows no version {version} of the file")
        return version

    def placed_aliases(self, path: str) -> list[PlacedAlias]:
        """The aliases, with the lines in which they stand in the file of that path."""
        return [
            PlacedAlias(entry.alias(), path, self.line_of("aliases", index)) for index, entry in enumerate(self.aliases)
        ]

    def lines_differ(self, other: "WorkspaceFile") -> bool:
        """Whether what both say the same stands in other lines."""
        places = [("sources", i) for i in range(len(self.sources))] + [("aliases", i) for i in range(len(self.aliases))]
        return any(self.line_of(*location) != other.line_of(*location) for location in places)


def read_workspace(folder: Path, reading: Reading | None = None) -> WorkspaceFile:
    """The workspace that the folder is, as it was read before or is now; without a file it has its functions.

    Raises WorkspaceError naming file, line and remedy.
    """
    path = folder / FILE_NAME
    try:
        text = (reading or reading_of(path)).content()
    except (FileNotFoundError, NotADirectoryError):
        if not folder.is_dir():
            raise WorkspaceError(f"There is no folder {str(folder)!r}.") from None
        return WorkspaceFile(sources=(functions_of(folder),))
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return understood(WorkspaceFile, YamlWithLines(text))
    except YamlError as fault:
        raise WorkspaceError(f"{path}:{fault.line}: {fault}") from None


def believed(file: WorkspaceFile, folder: Path, functions: Path | None = None) -> tuple[Path, ...]:
    """What scripts must not write, be it there or not: what the studio or git executes or believes.

    These are the workspace's own files, the code of tools, the documents of sources, and the programs that commands and
    servers are, each with the folder that it lies in, for programs load what lies beside them; so do the folders that
    interpreters and the like are started in, and what tools import from the folders above them.
    """
    named = [_named(folder, role, text) for entry in file.sources for role, text in code_of(entry) if text]
    started = [_started_in(folder, entry, words) for entry in file.sources for words in _programs(entry)]
    others = [functions.resolve()] if functions else []
    folders = [*((folder / entry.path).resolve() for entry in file.sources if entry.kind == "functions"), *others]
    imported = [importable(path, folder.resolve()) for path in folders]
    return tuple(sorted({folder / name for name in BELIEVED}.union(others, *named, *started, *imported)))


def _programs(entry: SourceEntry) -> Iterator[tuple[str, ...]]:
    """What a source starts, in the folder that it names or the workspace's."""
    if entry.kind == "mcp" and entry.command:
        yield (entry.command, *entry.args)
    elif entry.kind == "command":
        yield from filter(None, (entry.argv, *(each.argv for each in entry.commands)))


def _started_in(folder: Path, entry: SourceEntry, words: tuple[str, ...]) -> set[Path]:
    """The folder in which a program looks for what it executes: that of the file it is given, or where it starts."""
    name = Path(words[0]).stem.lower().rstrip("0123456789.")
    where = _real(folder / (getattr(entry, "cwd", None) or "."))
    if name not in RUNNERS or not where.is_relative_to(folder):
        return set()
    files = [path for path in (where / word for word in words[1:]) if _is_file(path)]
    return {_real(files[0]).parent} if files and _real(files[0]).is_relative_to(folder) else {where}


def _named(folder: Path, role: Role, name: str) -> set[Path]:
    """A file or folder, the package of a module such as `agents.tools`, or a program's word that is a file."""
    if role in ("program", "words"):
        path = _real(folder / name)
        return {_with_folder(path, folder)} if _is_file(path) and path.is_relative_to(folder) else set()
    if "://" in name or "$" in name:
        return set()
    if role == "module" and "/" not in name and Path(name).suffix not in CODE_ENDINGS:
        first = name.partition(".")[0]
        return {folder / first, folder / f"{first}.py"}
    path = _real(folder / name)
    return {_with_folder(path, folder) if _is_file(path) and role == "module" else path}


def _is_file(path: Path) -> bool:
    """Words of programs are any text: one that is too long for a name, or holds what no name can, is no file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _real(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return path


def _with_folder(path: Path, folder: Path) -> Path:
    """The folder of a program; the file alone where that is the workspace itself, or it is no program."""
    is_code = path.suffix in CODE_ENDINGS or os.access(path, os.X_OK)
    return path.parent if is_code and path.parent != folder else path
