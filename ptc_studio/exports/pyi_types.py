"""Types as Python writes them."""

import keyword
from collections.abc import Iterable, Iterator

from ptc_studio.exports.texts import one_line
from ptc_studio.exports.types import (
    AliasOf,
    AnyType,
    Declaration,
    ListOf,
    MapOf,
    Named,
    NeverType,
    OneOf,
    OneValue,
    Primitive,
    Record,
    TupleOf,
    Type,
    one_of,
)

_BUILTINS = {"string": "str", "number": "float", "integer": "int", "boolean": "bool"}
_TYPES = frozenset((*_BUILTINS.values(), "list", "dict", "Any", "Never", "Literal", "Sequence", "NotRequired"))


class PyiTypes:
    """Writes types, and knows what has to be imported for them. Names that tools have are written in full."""

    def __init__(self, shadowed: Iterable[str]) -> None:
        self._shadowed = frozenset(shadowed)
        self._typing: set[str] = set()
        self._modules: set[str] = set()

    def imports(self) -> Iterator[str]:
        """The import statements for all that was written so far."""
        yield from (f"import {module} as _{module}" for module in sorted(self._modules))
        if self._typing:
            yield f"from typing import {', '.join(sorted(self._typing))}"

    def builtin(self, name: str) -> str:
        """A name that every module has, unless a tool has it."""
        return self._from("builtins", name) if name in self._shadowed else name

    def typing(self, name: str) -> str:
        """A name of `typing`."""
        if name in self._shadowed:
            return self._from("typing", name)
        self._typing.add(name)
        return name

    def text(self, kind: Type) -> str:
        """The type."""
        match kind:
            case AnyType():
                return self.typing("Any")
            case NeverType():
                return self.typing("Never")
            case Primitive("null"):
                return "None"
            case Primitive(name):
                return self.builtin(_BUILTINS[name])
            case Named(name):
                return name
            case OneValue(value):
                return f"{self.typing('Literal')}[{value!r}]"
            case ListOf(item):
                return f"{self.builtin('list')}[{self.text(item)}]"
            case TupleOf(items, _, rest):
                # A script gives a tuple or a list, and gets a list.
                return f"{self.typing('Sequence')}[{self.text(one_of([*items, *([rest] if rest else [])]))}]"
            case MapOf(value):
                return f"{self.builtin('dict')}[{self.builtin('str')}, {self.text(value)}]"
            case OneOf(members):
                return self._union(members)

    def declaration(self, declared: Declaration) -> list[str]:
        """The lines that declare it."""
        if isinstance(declared, AliasOf):
            return [f"{declared.name}: {self.typing('TypeAlias')} = {self.text(declared.type)}"]
        return self._class(declared) if all(_is_key(field.name) for field in declared.fields) else self._call(declared)

    def _union(self, members: tuple[Type, ...]) -> str:
        values = [repr(member.value) for member in members if isinstance(member, OneValue)]
        parts = [f"{self.typing('Literal')}[{', '.join(values)}]"] if values else []
        others = [self.text(member) for member in members if not isinstance(member, OneValue)]
        return " | ".join(dict.fromkeys([*parts, *others]))

    def _class(self, record: Record) -> list[str]:
        lines = [f"class {record.name}({self.typing('TypedDict')}):"]
        for field in record.fields:
            if said := one_line(field.description):
                lines.append(f"    # {said}")
            lines.append(f"    {field.name}: {self._value(field.type, field.required)}")
        return lines

    def _call(self, record: Record) -> list[str]:
        """For keys that are no names."""
        # The one name that a TypedDict cannot have is the empty one.
        named = [field for field in record.fields if field.name]
        parts = ", ".join(f"{field.name!r}: {self._value(field.type, field.required)}" for field in named)
        return [f'{record.name} = {self.typing("TypedDict")}("{record.name}", {{{parts}}})']

    def _value(self, kind: Type, required: bool) -> str:
        text = self.text(kind)
        return text if required else f"{self.typing('NotRequired')}[{text}]"

    def _from(self, module: str, name: str) -> str:
        self._modules.add(module)
        return f"_{module}.{name}"


def _is_key(name: str) -> bool:
    """Whether it can stand in a class: it must not be the name of a type that stands there too."""
    plain = name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
    return plain and not name.startswith("_") and name not in _TYPES
