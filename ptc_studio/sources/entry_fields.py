"""What the entries of the workspace file have in common: the base of their models, and the types of their fields.

Every field that holds text says by its type what the text is. The form draws the field by that, and what names code is
protected from scripts; a text that does not say what it is makes no kind of source.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ptc_studio.core.tools import Permission

Role = Literal[
    "text",
    "prose",
    "items",
    "functions",
    "checklist",
    "secret",
    "secrets",
    "query",
    "entries",
    "folder",
    "code folder",
    "code file",
    "document",
    "module",
    "program",
    "words",
]
PATHS: frozenset[Role] = frozenset(("folder", "code folder", "code file", "document", "module"))
"""Seen from the workspace's folder; a document may be a web address instead, and a module one that is installed."""
CODE: frozenset[Role] = frozenset(("code folder", "code file", "document", "module", "program", "words"))
"""What the studio executes or believes."""


@dataclass(frozen=True, slots=True)
class Holds:
    """Says what a field is for, in its annotation."""

    role: Role


class WorkspaceEntry(BaseModel):
    """A part of a file that people write: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _web_address(text: str) -> str:
    if not text.startswith(("http://", "https://", "${")):
        raise ValueError(f"{text!r} is no web address: write http://... or https://...")
    return text


_Filled = Annotated[str, Field(min_length=1)]
Text = Annotated[_Filled, Holds("text")]
Name = Text
Line = Annotated[str, Holds("text")]
Prose = Annotated[str, Holds("prose")]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Count = Annotated[int, Field(ge=1, strict=True)]
WebAddress = Annotated[Text, AfterValidator(_web_address)]
Items = Annotated[tuple[str, ...], Holds("items")]
"""Written with commas between them."""
SecretText = Annotated[_Filled, Holds("secret")]
"""A text that may refer to a secret, and most likely should."""
Secrets = Annotated[dict[str, str], Holds("secrets")]
"""Texts that may refer to secrets."""

Folder = Annotated[str, Holds("folder")]
CodeFolder = Annotated[Path, Holds("code folder")]
CodeFile = Annotated[_Filled, Holds("code file")]
Document = Annotated[_Filled, Holds("document")]
Module = Annotated[_Filled, Holds("module")]
Program = Annotated[_Filled, Holds("program")]
Words = Annotated[tuple[str, ...], Holds("words")]
"""What a program is started with, written as in a terminal."""

# The fields of most kinds that bring several tools; each is written with its default, as `timeout: CallTime = None`.
ToolsPermission = Annotated[
    Permission | None,
    Field(title="Permission", description="For all its tools, unless `permissions` says otherwise."),
]
PermissionsByName = Annotated[
    dict[str, Permission],
    Field(title="Permissions", description="By a tool's name, or a pattern such as `*.delete_*`."),
]
CallTime = Annotated[Seconds | None, Field(title="Time for a call", description="Seconds; the studio's own if empty.")]
Environment = Annotated[
    Secrets,
    Field(title="Environment", description="Variables for the program; `${secret:NAME}` and `${env:NAME}` work."),
]


def roles_of(entry: type[BaseModel]) -> dict[str, Role]:
    """The role of each field, also of those of entries within; raises TypeError for a text without one."""
    roles: dict[str, Role] = dict(_own_roles(entry))
    for name, role in _own_roles(entry).items():
        if role == "entries":
            for inner in _models(entry.model_fields[name].annotation):
                roles = {**roles_of(inner), **roles}
    return roles


def code_of(entry: BaseModel) -> Iterator[tuple[Role, str]]:
    """Every text of the entry that names code, with its role."""
    for name, role in _own_roles(type(entry)).items():
        value = getattr(entry, name)
        if role == "entries":
            for inner in value if isinstance(value, tuple | list) else (value,):
                yield from code_of(inner) if isinstance(inner, BaseModel) else ()
        elif role in CODE:
            for text in _texts(value):
                yield role, text


@cache
def _own_roles(entry: type[BaseModel]) -> Mapping[str, Role]:
    roles: dict[str, Role] = {}
    for name, field in entry.model_fields.items():
        parts = [*field.metadata, *_parts(field.annotation)]
        found: list[Role] = [part.role for part in parts if isinstance(part, Holds)]
        if any(_models(field.annotation)):
            roles[name] = "entries"
        elif found:
            # What may be code is code.
            roles[name] = min(found, key=lambda role: role not in CODE)
        elif str in parts or Path in parts:
            raise TypeError(
                f"{entry.__name__}.{name} holds text and does not say what it is: take one of the types of "
                f"{__name__}, such as CodeFile for a path of code, or Line for a text that names no file"
            )
    return roles


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    return (part for part in _parts(annotation) if isinstance(part, type) and issubclass(part, BaseModel))


def _parts(annotation: Any) -> Iterator[Any]:
    """The annotation and all that it is made of, from the outside in; without the keys of mappings."""
    yield annotation
    inner = get_args(annotation)
    if get_origin(annotation) is Annotated:
        yield from inner[1:]
        inner = inner[:1]
    for part in inner[1:] if get_origin(annotation) is dict else inner:
        yield from _parts(part)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str | Path):
        yield str(value)
    elif isinstance(value, Mapping):
        yield from _texts(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _texts(item)
