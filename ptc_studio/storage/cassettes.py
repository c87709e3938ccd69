"""Cassettes as files: readable JSON in the workspace's folder `cassettes`."""

import json
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.errors import CallStatus, PtcError
from ptc_studio.core.redaction import Redaction
from ptc_studio.core.responders.cassette import Cassette, Published, RecordedCall, RecordedError, RecordedTool
from ptc_studio.core.tools import Parameter
from ptc_studio.storage.text_files import replace_file

VERSION = 1
Name = Annotated[str, Field(min_length=1)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Parameter(_Entry):
    name: Name
    required: bool = True
    default: Any = None
    annotation: str = ""
    keyword_only: bool = False


class _Tool(_Entry):
    name: Name
    tool: Name
    source: str = ""
    description: str = ""
    also: list[str] = []
    parameters: list[_Parameter] = []
    preset: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    redact: list[str] = []

    def recorded(self) -> RecordedTool:
        """What the rest of the product knows."""
        values: dict[str, Any] = dict(self)
        values |= {"also": tuple(self.also), "redact": tuple(self.redact)}
        values["parameters"] = tuple(Parameter(**dict(parameter)) for parameter in self.parameters)
        return RecordedTool(**values)


class _Error(_Entry):
    type: Name
    message: str
    base: str = ""


class _Redaction(_Entry):
    rule: str
    where: str
    path: str


class _Call(_Entry):
    id: Name
    parent: str | None = None
    depth: Annotated[int, Field(ge=1)] = 1
    line: int | None = None
    name: Name
    tool: Name
    together: str | None = None
    arguments: Any
    status: CallStatus | None
    result: Any = None
    error: _Error | None = None
    truncated: bool = False
    redactions: list[_Redaction] = []

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.error is None) == (self.status not in ("ok", None)):
            needed = "needs an error" if self.error is None else "has no error"
            raise ValueError(f"a call with status {self.status!r} {needed}")
        return self

    def recorded(self) -> RecordedCall:
        """What the rest of the product knows."""
        error = RecordedError(**dict(self.error)) if self.error else None
        redactions = tuple(Redaction(**dict(redaction)) for redaction in self.redactions)
        return RecordedCall(**dict(self) | {"error": error, "redactions": redactions})


class _Published(_Entry):
    status: str = "ok"
    stdout: str | None = None
    stderr: str | None = None
    return_code: int | None = None
    result: Any = None
    reason: str = ""
    note: str = ""


class CassetteFile(_Entry):
    """The whole file."""

    version: Literal[1]
    script: str = ""
    runtime: str = ""
    recorded: str = ""
    status: str | None = None
    target: str = ""
    continues: str = ""
    published: _Published | None = None
    tools: list[_Tool] = []
    calls: list[_Call]

    @field_validator("calls")
    @classmethod
    def _in_order(cls, calls: list[_Call]) -> list[_Call]:
        known: set[str] = set()
        for index, call in enumerate(calls):
            if call.id in known:
                raise ValueError(f"calls[{index}] has the id {call.id!r}, and so has one before it")
            if call.parent is not None and call.parent not in known:
                raise ValueError(f"calls[{index}] has the parent {call.parent!r}, and no call before it has that id")
            known.add(call.id)
        return calls

    def cassette(self, name: str) -> Cassette:
        """What the file holds."""
        return Cassette(
            name,
            tuple(call.recorded() for call in self.calls),
            tuple(tool.recorded() for tool in self.tools),
            self.script,
            self.runtime,
            self.recorded,
            self.status,
            self.target,
            self.continues,
            Published(**dict(self.published)) if self.published else None,
        )


def file_of(cassette: Cassette) -> dict[str, Any]:
    """What is written: nothing that goes without saying, and every call with its key facts first."""
    return {
        "version": VERSION,
        "script": cassette.script,
        "runtime": cassette.runtime,
        "recorded": cassette.recorded,
        "status": cassette.status,
        **_imported(cassette),
        "tools": tools_as_written(cassette.tools),
        "calls": [dict(_said(call, _Call)) for call in cassette.calls],
    }


def tools_as_written(tools: Iterable[RecordedTool]) -> list[dict[str, Any]]:
    """The tools as a file has them."""
    return [dict(_said(tool, _Tool)) for tool in tools]


def tools_as_read(written: Iterable[Any]) -> list[RecordedTool]:
    """What `tools_as_written` gave; raises ValidationError."""
    return [_Tool.model_validate(tool).recorded() for tool in written]


def _imported(cassette: Cassette) -> dict[str, Any]:
    """What only the cassette of a conversation has."""
    named = {"target": cassette.target, "continues": cassette.continues}
    found = cassette.published
    fields = _Published.model_fields.items() if found is not None else ()
    said = {name: value for name, field in fields if (value := getattr(found, name)) != field.default}
    return {key: value for key, value in named.items() if value} | ({} if found is None else {"published": said})


def _said(entry: Any, model: type[_Entry]) -> Iterator[tuple[str, Any]]:
    """In the model's order, without what is as it is by default."""
    for name, field in model.model_fields.items():
        value = getattr(entry, name)
        if name in _NESTED and value is not None:
            inside = _NESTED[name]
            value = [dict(_said(item, inside)) for item in value] if name != "error" else dict(_said(value, inside))
        elif isinstance(value, tuple):
            value = list(cast("tuple[Any, ...]", value))
        given = name == "result" and entry.status == "ok"
        if given or field.is_required() or value != field.default:
            yield name, value


_NESTED: dict[str, type[_Entry]] = {"parameters": _Parameter, "error": _Error, "redactions": _Redaction}


def cassette_error(error: ValidationError) -> str:
    """The first thing that does not fit, and where."""
    first = error.errors()[0]
    location = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"]).lstrip(".")
    match first["type"]:
        case "missing":
            what = "is missing"
        case "extra_forbidden":
            what = "is unknown"
        case "value_error":
            text = str(first.get("ctx", {}).get("error"))
            return text if text.startswith("calls[") else f"{location}: {text}"
        case "literal_error" if location == "version":
            return f"its version is {first['input']!r}, and this studio knows {VERSION}"
        case "model_type" if not location:
            return "it is not an object"
        case _:
            what = f"{first['msg'][:1].lower()}{first['msg'][1:]}, not {_short(first['input'])}"
    return f"{location} {what}" if what.startswith("is ") else f"{location}: {what}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


WIDTH = 100


def readable(value: Any, indent: str = "") -> str:
    """The value as JSON text."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= WIDTH or not value or not isinstance(value, (dict, list)):
        return flat
    deeper = indent + "  "
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    lines = ",\n".join(deeper + line for line in _lines(value, deeper))
    return f"{opening}\n{lines}\n{indent}{closing}"


def _lines(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            yield f"{json.dumps(key, ensure_ascii=False)}: {readable(item, indent)}"
    else:
        for item in cast("list[Any]", value):
            yield readable(item, indent)


FOLDER = "cassettes"
LARGEST = 200_000_000
AGAIN = "Correct it, or record the run again."


class CassetteError(PtcError):
    """A cassette that cannot be read or written; the message says which, where and what to do."""


def cassettes_in(folder: Path) -> list[Path]:
    """The cassettes of a workspace, by name."""
    try:
        found = [path for path in (folder / FOLDER).iterdir() if path.suffix == ".json" and path.is_file()]
    except OSError:
        return []
    return sorted(found, key=lambda path: path.stem.casefold())


def read_cassette(path: Path) -> Cassette:
    """Raises CassetteError naming the file, the line or the entry, and the remedy."""
    document = _parsed(_text(path), path)
    try:
        return CassetteFile.model_validate(document).cassette(path.stem)
    except ValidationError as error:
        raise CassetteError(f"{path} is no cassette: {cassette_error(error)}. {AGAIN}") from None
    except RecursionError:
        raise CassetteError(f"{path} is no cassette: it is nested too deeply. {AGAIN}") from None


def check_target(path: Path) -> None:
    """Raises CassetteError if there is no hope of writing there, before anything is done that is worth keeping."""
    if path.is_dir():
        raise CassetteError(f"{path} is a folder: name a file for the cassette, such as {path / 'demo.json'}.")
    _make_folder(path)


def write_cassette(path: Path, cassette: Cassette) -> None:
    """Puts the file in its place whole, or leaves what there was; raises CassetteError."""
    check_target(path)
    try:
        replace_file(path.resolve(), cassette_text(cassette))
    except OSError as error:
        raise CassetteError(f"The cassette {path} cannot be written: {error.strerror or error}.") from None


def cassette_text(cassette: Cassette) -> bytes:
    """What is written for the cassette."""
    # Half a character, as a tool of somebody else's may give it, cannot be written.
    return (readable(file_of(cassette)) + "\n").encode("utf-8", "backslashreplace")


def _make_folder(path: Path) -> None:
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CassetteError(f"The cassette {path} cannot be written: {error.strerror or error}.") from None


def _text(path: Path) -> str:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise CassetteError(f"{path} is no file: name a cassette, such as cassettes/demo.json.")
        if found.st_size > LARGEST:
            raise CassetteError(f"{path} is too large for a cassette: {found.st_size:,} bytes, at most {LARGEST:,}.")
        return read_bytes(path, LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        raise CassetteError(f"There is no cassette {path}: record one with --record {path}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CassetteError(f"{path}:{line}: this is not UTF-8 text. {AGAIN}") from None
    except OSError as error:
        raise CassetteError(f"{path} cannot be read: {error.strerror or error}.") from None


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        what = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise CassetteError(
            f"{path}:{error.lineno}: this is not JSON: {what} (column {error.colno}). {AGAIN}"
        ) from None
    except (RecursionError, ValueError) as error:
        raise CassetteError(f"{path} is no cassette: {error}. {AGAIN}") from None
