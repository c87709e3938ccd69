"""Types as a JSON Schema means them, for no language in particular: how they are read, and the names they are given."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args

from ptc_studio.core.json_schema import UNIONS, parts_of, properties_of, required_of, root_part
from ptc_studio.exports.schemas import looked_up, merged

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


DEPTH = 40
BUDGET = 5_000
"""So many parts of a schema are read: alternatives within alternatives multiply."""
VALUES = 200
_ANY, _NEVER = AnyType(), NeverType()
_KINDS = get_args(Kind)
_STRUCTURE = frozenset(
    ("type", "properties", "required", "additionalProperties", "items", "prefixItems", "enum", "const")
)


class TypeReader:
    """Reads one schema, and parts of it; what needs a name is in `declarations` afterwards."""

    def __init__(self, root: Any, names: TypeNames, owner: str, shared: "SharedTypes | None" = None) -> None:
        self.declarations: list[Declaration] = []
        self._shared = shared
        self._root = root_part(root)[0]
        self._names = names
        self._owner = owner
        self._known: dict[str, Type] = {}
        self._open: dict[str, tuple[int, str]] = {}
        self._recursive: set[str] = set()
        self._depth = 0
        self._nesting = 0
        self.parts = 0
        """How many parts of the schema were read: what has more than `BUDGET` is not read to its end."""

    def read(self, schema: Any, *words: str) -> Type:
        """The type; the words name what it is the type of."""
        if schema is False:
            return _NEVER
        self.parts += 1
        if not isinstance(schema, Mapping) or self._nesting > DEPTH or self.parts > BUDGET:
            return _ANY
        self._nesting += 1
        found = self._referred(schema["$ref"]) if "$ref" in schema else self._read(schema, None, words)
        self._nesting -= 1
        return one_of([found, Primitive("null")]) if schema.get("nullable") is True else found

    def _inside(self, schema: Any, *words: str) -> Type:
        """A type that is a part of another: there a type may contain itself."""
        self._depth += 1
        found = self.read(schema, *words)
        self._depth -= 1
        return found

    def _referred(self, reference: Any) -> Type:
        target = looked_up(self._root, reference)
        if target is None:
            return _ANY
        if reference in self._known:
            return self._known[reference]
        if reference in self._open:
            depth, name = self._open[reference]
            if depth == self._depth:
                return _ANY
            self._recursive.add(reference)
            return Named(name)
        word = str(reference).rpartition("/")[2].lstrip("#") or "Value"
        if self._shared is not None and _is_record(target):
            return self._shared.named(target, self, self._names, self._owner, word)
        name = self._names.claim(self._owner, word)
        self._open[reference] = (self._depth, name)
        if isinstance(target, Mapping) and "$ref" not in target and target.get("nullable") is not True:
            found = self._read(target, name, (word,))
        else:
            found = self.read(target, word)
        del self._open[reference]
        if reference in self._recursive and found != Named(name):
            self.declarations.append(AliasOf(name, found))
            found = Named(name)
        self._known[reference] = found
        return found

    def _read(self, schema: Mapping[str, Any], name: str | None, words: tuple[str, ...]) -> Type:
        if parts_of(schema, "allOf"):
            schema = merged(self._root, [schema])
        if "const" in schema:
            return _value(schema["const"])
        if isinstance(schema.get("enum"), list):
            values = schema["enum"]
            return one_of([_value(value) for value in values]) if len(values) <= VALUES else _kinds_of(values)
        for key in UNIONS:
            if branches := parts_of(schema, key):
                return self._alternatives(schema, branches, words)
        kind = schema.get("type")
        if isinstance(kind, list):
            return one_of([self._of_kind(schema, single, name, words) for single in kind])
        return self._of_kind(schema, kind if isinstance(kind, str) else _guessed(schema), name, words)

    def _alternatives(self, schema: Mapping[str, Any], branches: list[Any], words: tuple[str, ...]) -> Type:
        base = {name: part for name, part in schema.items() if name in _STRUCTURE}
        found: list[Type] = []
        for branch in branches:
            # What stands beside the alternatives holds for each of them.
            both = merged(self._root, [base, branch]) if base and isinstance(branch, Mapping) else branch
            title = branch.get("title") if isinstance(branch, Mapping) else None
            found.append(self.read(both, *words, title if isinstance(title, str) else ""))
        return one_of(found)

    def _of_kind(self, schema: Mapping[str, Any], kind: Any, name: str | None, words: tuple[str, ...]) -> Type:
        if kind in _KINDS:
            return Primitive(kind)
        if kind == "array":
            return self._array(schema, words)
        return self._object(schema, name, words) if kind == "object" else _ANY

    def _array(self, schema: Mapping[str, Any], words: tuple[str, ...]) -> Type:
        items = schema.get("items", True)
        places = parts_of(schema, "prefixItems")
        if not places and isinstance(items, list):
            places, items = items, schema.get("additionalItems", True)
        if not places:
            return ListOf(self._inside(items, *words, "Item"))
        types = tuple(self._inside(part, *words, f"Item{number}") for number, part in enumerate(places, 1))
        least = schema.get("minItems")
        required = min(least, len(types)) if isinstance(least, int) and least > 0 else 0
        closed = items is False or schema.get("maxItems") == len(types)
        return TupleOf(types, required, None if closed else self._inside(items, *words, "Item"))

    def _object(self, schema: Mapping[str, Any], name: str | None, words: tuple[str, ...]) -> Type:
        properties = properties_of(schema)
        if not properties:
            return MapOf(self._values(schema, words))
        name = name or self._names.claim(self._owner, *words)
        self.declarations.append(self.record(schema, name, words))
        return Named(name)

    def record(self, schema: Mapping[str, Any], name: str, words: tuple[str, ...] = ()) -> Record:
        """The object's properties."""
        required = set(required_of(schema))
        fields = tuple(
            RecordField(key, self._inside(part, *words, key), key in required, text_of(part, "description"))
            for key, part in properties_of(schema).items()
        )
        more = schema.get("additionalProperties")
        is_open = more is True or isinstance(more, Mapping) or isinstance(schema.get("patternProperties"), Mapping)
        return Record(name, fields, is_open, text_of(schema, "description"))

    def _values(self, schema: Mapping[str, Any], words: tuple[str, ...]) -> Type:
        patterns = schema.get("patternProperties")
        found = (
            [self._inside(part, *words, "Value") for part in patterns.values()] if isinstance(patterns, Mapping) else []
        )
        more = schema.get("additionalProperties", True)
        if more is not False:
            found.append(self._inside(more, *words, "Value"))
        return one_of(found)


class SharedTypes:
    """Definitions that several tools refer to, each declared once: the tools of one document have the very same ones.

    They are read one after the other, and not within each other: those of a large document lead on without end.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Mapping[str, Any], Named]] = {}
        self._waiting: list[tuple[Mapping[str, Any], TypeReader, str, str]] = []

    def named(self, target: Mapping[str, Any], reader: TypeReader, names: TypeNames, owner: str, word: str) -> Named:
        """The name of the definition, which is declared later."""
        if id(target) not in self._known:
            name = names.claim(owner.partition(".")[0] if "." in owner else owner, word)
            # The definition itself is kept, too: so nothing else can get its number.
            self._known[id(target)] = (target, Named(name))
            self._waiting.append((target, reader, name, word))
        return self._known[id(target)][1]

    def declarations(self) -> Iterator[Declaration]:
        """All that were named, and what they need in turn."""
        while self._waiting:
            target, reader, name, word = self._waiting.pop()
            reader.parts = 0
            reader.declarations = []
            record = reader.record(target, name, (word,))
            yield from (*reader.declarations, record)


def _is_record(target: Any) -> bool:
    """Whether it is plainly an object with known properties."""
    plain = isinstance(target, Mapping) and bool(properties_of(target)) and target.get("type", "object") == "object"
    return plain and not any(key in target for key in ("allOf", *UNIONS, "$ref", "enum", "const", "nullable"))


def text_of(schema: Any, key: str) -> str:
    """A text of the schema's, if there is one."""
    found = schema.get(key) if isinstance(schema, Mapping) else None
    return found if isinstance(found, str) else ""


def _guessed(schema: Mapping[str, Any]) -> str:
    if any(key in schema for key in ("properties", "additionalProperties", "patternProperties")):
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else ""


def _value(value: Any) -> Type:
    if value is None:
        return Primitive("null")
    if isinstance(value, bool | str | int):
        return OneValue(value)
    return _kinds_of([value])


def _kinds_of(values: list[Any]) -> Type:
    kinds: dict[type, Type] = {
        bool: Primitive("boolean"),
        str: Primitive("string"),
        int: Primitive("integer"),
        float: Primitive("number"),
        type(None): Primitive("null"),
        list: ListOf(_ANY),
        dict: MapOf(_ANY),
    }
    return one_of([kinds.get(type(value), _ANY) for value in values])
