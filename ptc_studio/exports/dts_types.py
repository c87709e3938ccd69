"""Types as TypeScript writes them."""

import json
import re
from collections.abc import Iterator

from ptc_studio.exports.texts import clean
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
)

SPACE = "ToolTypes"
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
# In the type of an object these begin something else than a member of that name.
_SPECIAL = frozenset(("new", "get", "set", "readonly", "constructor", "static", "async", "declare", "__proto__"))


class DtsTypes:
    """Writes types; those that have names live in a namespace of their own, for a page has an `Event` and the like."""

    def outside(self, kind: Type) -> str:
        """The type as it is written outside of the namespace."""
        return self._text(kind, f"{SPACE}.")

    def inside(self, kind: Type) -> str:
        """The type as it is written within the namespace."""
        return self._text(kind, "")

    def declaration(self, declared: Declaration) -> list[str]:
        """The lines that declare it, within the namespace."""
        if isinstance(declared, AliasOf):
            return [f"type {declared.name} = {self._text(declared.type, '')};"]
        return self._interface(declared)

    def _interface(self, record: Record) -> list[str]:
        lines = [*comment(record.description, ""), f"interface {record.name} {{"]
        for field in record.fields:
            lines += comment(field.description, "  ")
            lines.append(f"  {key_text(field.name)}{'' if field.required else '?'}: {self._text(field.type, '')};")
        if record.is_open:
            lines.append("  [name: string]: any;")
        return [*lines, "}"]

    def _text(self, kind: Type, space: str) -> str:
        match kind:
            case AnyType():
                return "any"
            case NeverType():
                return "never"
            case Primitive(name):
                return "number" if name == "integer" else name
            case Named(name):
                return f"{space}{name}"
            case OneValue(value):
                return json.dumps(value)
            case ListOf(item):
                return f"{self._single(item, space)}[]"
            case TupleOf():
                return self._tuple(kind, space)
            case MapOf(value):
                return f"{{ [name: string]: {self._text(value, space)} }}"
            case OneOf(members):
                return " | ".join(dict.fromkeys(self._text(member, space) for member in members))

    def _single(self, kind: Type, space: str) -> str:
        text = self._text(kind, space)
        return f"({text})" if isinstance(kind, OneOf) else text

    def _tuple(self, kind: TupleOf, space: str) -> str:
        parts = [
            self._text(item, space) if number < kind.required else f"{self._single(item, space)}?"
            for number, item in enumerate(kind.items)
        ]
        if kind.rest is not None:
            parts.append(f"...{self._single(kind.rest, space)}[]")
        return f"[{', '.join(parts)}]"


def key_text(name: str) -> str:
    """The name of a member, in quotes if need be."""
    return name if _NAME.fullmatch(name) and name not in _SPECIAL else json.dumps(name)


def comment(text: str, lead: str) -> Iterator[str]:
    """The text as a comment that editors show."""
    lines = clean(text).replace("*/", "*\\/").splitlines()
    if len(lines) == 1:
        yield f"{lead}/** {lines[0]} */"
    elif lines:
        yield f"{lead}/**"
        yield from (f"{lead} * {line}".rstrip() for line in lines)
        yield f"{lead} */"
