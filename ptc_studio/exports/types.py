"""Types as a JSON Schema means them, for no language in particular, and the names they are given."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Union

Kind = Literal["string", "number", "integer", "boolean", "null"]


@dataclass(frozen=True, slots=True)
class AnyType:
    """Everything."""


@dataclass(frozen=True, slots=True)
class NeverType:
    """Nothing at all."""


@dataclass(frozen=True, slots=True)
class Primitive:
    """A value without parts."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class OneValue:
    """Exactly this text, number, boolean or null."""

    value: Any

    @property
    def key(self) -> tuple[str, Any]:
        """What tells it from another: 1 and True are the same to Python."""
        return type(self.value).__name__, self.value


@dataclass(frozen=True, slots=True)
class ListOf:
    """Any number of items."""

    item: "Type"


@dataclass(frozen=True, slots=True)
class TupleOf:
    """Items by their place; the first `required` of them are there always."""

    items: tuple["Type", ...]
    required: int
    rest: "Type | None"


@dataclass(frozen=True, slots=True)
class MapOf:
    """Any names, all with values of one type."""

    value: "Type"


@dataclass(frozen=True, slots=True)
class Named:
    """What is declared elsewhere."""

    name: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of several."""

    members: tuple["Type", ...]


Type = Union[AnyType, NeverType, Primitive, OneValue, ListOf, TupleOf, MapOf, Named, OneOf]  # noqa: UP007


@dataclass(frozen=True, slots=True)
class RecordField:
    """A property."""

    name: str
    type: Type
    required: bool
    description: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """An object with known properties."""

    name: str
    fields: tuple[RecordField, ...]
    is_open: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class AliasOf:
    """A name for a type that contains itself."""

    name: str
    type: Type


Declaration = Record | AliasOf


def one_of(members: list[Type]) -> Type:
    """The types together, each once."""
    seen: dict[Any, Type] = {}
    for member in members:
        for single in member.members if isinstance(member, OneOf) else (member,):
            if isinstance(single, AnyType):
                return single
            if not isinstance(single, NeverType):
                seen.setdefault(single.key if isinstance(single, OneValue) else single, single)
    if not seen:
        return NeverType()
    return next(iter(seen.values())) if len(seen) == 1 else OneOf(tuple(seen.values()))


LIMIT = 60


class TypeNames:
    """Gives names; those that are taken from the start are never given."""

    def __init__(self, taken: Iterable[str] = (), prefix: str = "") -> None:
        self._taken = set(taken)
        self._prefix = prefix

    def claim(self, *words: str) -> str:
        """A name made of the words that nobody else has."""
        base = f"{self._prefix}{_pascal(words)[:LIMIT]}"
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}{number}", number + 1
        self._taken.add(name)
        return name


def _pascal(words: Iterable[str]) -> str:
    parts = [part for word in words for part in re.split(r"[^A-Za-z0-9]+", word) if part]
    name = "".join(part[0].upper() + part[1:] for part in parts)
    return name if name[:1].isalpha() else f"T{name}"


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]")
LINE = 200


def clean(text: str) -> str:
    """Without what no file of code may hold."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def one_line(text: str) -> str:
    """The beginning of it as one line."""
    line = " ".join(clean(text).split())
    return line if len(line) <= LINE else line[: LINE - 1] + "…"
