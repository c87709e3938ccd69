"""Types as a JSON Schema means them, for no language in particular."""

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
class Field:
    """A property."""

    name: str
    type: Type
    required: bool
    description: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """An object with known properties."""

    name: str
    fields: tuple[Field, ...]
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
