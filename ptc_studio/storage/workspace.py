"""The workspace file `studio.yaml`: its model, and reading it with errors that name the line."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from ptc_studio.core.errors import PtcError
from ptc_studio.core.tools import Permission

FILE_NAME = "studio.yaml"
Seconds = Annotated[float, Field(gt=0)]
SourceKind = Literal["functions", "mcp", "openapi", "http", "command", "script", "wasm", "toolregistry", "builtin"]


class WorkspaceError(PtcError):
    """The workspace cannot be read; the message says where and why."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FunctionsEntry(_Section):
    """A folder of Python functions."""

    kind: Literal["functions"]
    path: Path
    name: str = "functions"
    isolation: Literal["thread", "process"] = "thread"
    permission: Permission | None = None
    """For all its tools, unless `permissions` says otherwise."""
    permissions: dict[str, Permission] = {}
    timeout: Seconds | None = None


class OtherEntry(BaseModel):
    """A source of a kind that this version does not load yet; kept as it is."""

    model_config = ConfigDict(extra="allow", frozen=True)
    kind: SourceKind
    name: str = ""


class AliasEntry(_Section):
    """An alias as the file has it."""

    name: str
    tool: str
    description: str | None = None
    preset: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    timeout: Seconds | None = None
    permission: Permission | None = None
    redact: tuple[str, ...] = ()
    enabled: bool = True
    notes: str | None = None


class LimitsEntry(_Section):
    """Bounds for every run; what is left out keeps its default."""

    timeout: Seconds | None = None
    max_depth: Annotated[int, Field(ge=1, le=100)] | None = None
    call_timeout: Seconds | None = None
    result_bytes: Annotated[int, Field(ge=1)] | None = None
    output_bytes: Annotated[int, Field(ge=1)] | None = None


class PatternEntry(_Section):
    """A pattern of the user's own."""

    name: str
    pattern: str


class RedactionEntry(_Section):
    """What is hidden beyond the built-in rules."""

    keys: tuple[str, ...] = ()
    patterns: tuple[PatternEntry, ...] = ()
    to_script: bool = False


class WorkspaceFile(_Section):
    """The whole file."""

    version: Literal[1] = 1
    sources: tuple[FunctionsEntry | OtherEntry, ...] = ()
    aliases: tuple[AliasEntry, ...] = ()
    grants: dict[str, tuple[str, ...]] = {}
    runtimes: dict[str, Any] = {}
    limits: LimitsEntry = LimitsEntry()
    redaction: RedactionEntry = RedactionEntry()


def read_workspace(folder: Path) -> WorkspaceFile:
    """The workspace of the folder; raises WorkspaceError naming file, line and remedy."""
    path = folder / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise WorkspaceError(f"{folder} is no workspace: it has no {FILE_NAME}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise WorkspaceError(f"{path} cannot be read: {error}") from None
    document = _parse(text, path)
    try:
        return WorkspaceFile.model_validate(_checked_sources(document, path))
    except ValidationError as error:
        raise WorkspaceError(_explain(error, document, path)) from None


def _parse(text: str, path: Path) -> Any:
    try:
        document = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise WorkspaceError(f"{path}:{line}: not YAML: {error.problem}") from None
    except YAMLError as error:
        raise WorkspaceError(f"{path}: not YAML: {error}") from None
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise WorkspaceError(f"{path}:1: must be a mapping of keys such as 'sources' and 'aliases'")
    return document


def _checked_sources(document: Any, path: Path) -> Any:
    """Each source is judged as the kind that it says it is, for errors that fit."""
    sources = document.get("sources")
    if isinstance(sources, list):
        for index, entry in enumerate(sources):
            if isinstance(entry, dict) and entry.get("kind") == "functions":
                try:
                    FunctionsEntry.model_validate(entry)
                except ValidationError as error:
                    raise WorkspaceError(_explain(error, document, path, ("sources", index))) from None
    return document


def _explain(error: ValidationError, document: Any, path: Path, before: tuple[str | int, ...] = ()) -> str:
    first = error.errors()[0]
    # The branches of a union put their own names into the place; what the file has no key for is not a place in it.
    place = tuple(part for part in (*before, *first["loc"]) if part not in ("FunctionsEntry", "OtherEntry"))
    key = ".".join(map(str, place))
    if first["type"] == "extra_forbidden":
        what = f"unknown key {str(place[-1])!r}; remove it or correct its spelling"
    elif first["type"] == "missing":
        what = f"the key {str(place[-1])!r} is missing"
    else:
        what = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
    return f"{path}:{_line_of(document, place)}: {key}: {what}"


def _line_of(document: Any, place: tuple[str | int, ...]) -> int:
    """The line of the place, or of the nearest thing around it that has one."""
    line, node = 1, document
    for part in place:
        if not isinstance(node, CommentedBase):
            break
        try:
            line = (node.lc.key(part)[0] if isinstance(node, dict) else node.lc.item(part)[0]) + 1  # type: ignore[attr-defined]
            node = node[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            break
    return line
