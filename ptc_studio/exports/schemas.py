"""Tools as they may be shown: JSON Schemas without what an alias hides, in the tree of the tools' dotted names."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import unquote

from ptc_studio.core.json_schema import (
    UNIONS,
    Part,
    SchemaSource,
    flatten,
    parts_of,
    properties_of,
    required_of,
    root_part,
)
from ptc_studio.core.registry import Target
from ptc_studio.core.tools import JsonSchema, Parameter

DEFINITIONS = ("$defs", "definitions")
_SINGLE_PARTS = ("if", "then", "else", "not")


def looked_up(root: SchemaSource, reference: Any) -> Any:
    """What `#/$defs/Name` and the like lead to within the schema; None for what is elsewhere or nowhere."""
    inside = isinstance(reference, str) and reference.startswith("#")
    found = root.referred(reference) if inside else None
    return found.schema if found else None


def without(schema: Any, hidden: AbstractSet[str]) -> dict[str, Any]:
    """The schema of arguments without these properties, wherever in its top it speaks of them."""
    if not isinstance(schema, Mapping):
        return {}
    if not hidden:
        return dict(schema)
    root = root_part(schema)[0]
    if "$ref" in schema:
        schema = {**merged(root, [schema]), **{key: schema[key] for key in DEFINITIONS if key in schema}}
    left: dict[str, Any] = {key: part for key, part in schema.items() if key not in ("default", "examples", "example")}
    if "properties" in left:
        left["properties"] = {name: part for name, part in properties_of(left).items() if name not in hidden}
    if "required" in left:
        left["required"] = [name for name in required_of(left) if name not in hidden]
    for key in ("dependentRequired", "dependentSchemas", "dependencies"):
        if isinstance(left.get(key), Mapping):
            left[key] = {name: _dependent(part, hidden) for name, part in left[key].items() if name not in hidden}
    for key in ("allOf", *UNIONS):
        if key in left:
            left[key] = [_part(part, root, hidden) for part in parts_of(left, key)]
    for key in _SINGLE_PARTS:
        if key in left:
            left[key] = _part(left[key], root, hidden)
    return left


def pruned(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without definitions that nothing refers to: they may tell of what was taken away."""
    bare = {key: part for key, part in schema.items() if key not in DEFINITIONS}
    root, used = root_part(schema)[0], _references(bare)
    waiting = list(used)
    while waiting:
        for more in _references(looked_up(root, waiting.pop())) - used:
            used.add(more)
            waiting.append(more)
    pointers = {unquote(reference).replace("~1", "/").replace("~0", "~") for reference in used}
    for key in DEFINITIONS:
        if isinstance(schema.get(key), Mapping):
            kept = {name: part for name, part in schema[key].items() if _leads_to(f"#/{key}/{name}", pointers)}
            if kept:
                bare[key] = kept
    return bare


def object_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same as a schema that says itself that it is an object's, as all systems want it."""
    return {**schema, "type": "object", "properties": properties_of(schema)}


def flat_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An object's schema without alternatives at its top, which some systems refuse: what any of them has is there,
    what all of them require is required."""
    root = root_part(schema)[0]
    flat = merged(root, [schema])
    for key in UNIONS:
        branches = [merged(root, [branch]) for branch in parts_of(flat, key) if isinstance(branch, Mapping)]
        flat.pop(key, None)
        if not branches:
            continue
        properties = properties_of(flat)
        for branch in branches:
            for name, part in properties_of(branch).items():
                properties.setdefault(name, part)
        shared = [name for name in required_of(branches[0]) if all(name in required_of(other) for other in branches)]
        flat["properties"] = properties
        flat["required"] = list(dict.fromkeys([*required_of(flat), *shared]))
    for key in (*_SINGLE_PARTS, "enum", "const", "$ref"):
        flat.pop(key, None)
    for key in DEFINITIONS:
        if key in schema:
            flat[key] = schema[key]
    return pruned(object_schema(flat))


def merged(root: SchemaSource, parts: list[Any]) -> dict[str, Any]:
    """The parts of an `allOf` as one schema, references followed; where two say different things the first counts."""
    flat = flatten(tuple(root.within(part) for part in parts))
    whole = dict(flat.keywords)
    if "required" in whole:
        whole["required"] = required_of(whole)
    for keyword, source in flat.unions:
        whole.setdefault(keyword, source.schema[keyword])
    for keyword, named in (("properties", flat.properties), ("patternProperties", flat.patterns)):
        whole[keyword] = {str(name): _schema_of(part) for name, part in named.items()}
    for keyword, part in (("additionalProperties", flat.additional), ("items", flat.items)):
        whole[keyword] = True if part is None else _schema_of(part)
    written = dict.fromkeys(keyword for source in flat.sources for keyword in source.schema)
    ordered = {keyword: whole[keyword] for keyword in written if keyword in whole}
    return ordered | ({"prefixItems": [_schema_of(part) for part in flat.prefix]} if flat.prefix else {})


def _schema_of(part: Part) -> Any:
    """What all of them say, each once."""
    schemas: list[Any] = []
    for source in part:
        if source.schema not in schemas:
            schemas.append(source.schema)
    if len(schemas) == 1:
        return schemas[0]
    return False if any(schema is False for schema in schemas) else {"allOf": schemas}


def moved(schema: Any, location: str) -> Any:
    """The schema with its references right for the place `#/...` to which it goes."""
    if isinstance(schema, Mapping):
        return {
            key: f"#{location}{part[1:]}"
            if key == "$ref" and isinstance(part, str) and part[:1] == "#"
            else moved(part, location)
            for key, part in schema.items()
        }
    return [moved(part, location) for part in schema] if isinstance(schema, list) else schema


class Bound:
    """Keeps schemas within a size: definitions that are further from the top than that are left out.

    One serves a whole export: of a definition that many tools refer to it looks at the size and the references once.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, int, tuple[str, ...]]] = {}

    def fits(self, schema: Mapping[str, Any], limit: int) -> bool:
        """Whether the schema, as JSON, has so many characters at most."""
        definitions = [part for key in DEFINITIONS for part in _named_parts(schema, key).values()]
        size = self._looked_at(_bare(schema))[1]
        for part in definitions:
            size += self._looked_at(part)[1]
            if size > limit:
                return False
        return size <= limit

    def bounded(self, schema: Mapping[str, Any], limit: int) -> dict[str, Any]:
        """The schema if it fits; else the nearest of its definitions, and anything in place of the others."""
        if self.fits(schema, limit):
            return dict(schema)
        top = _bare(schema)
        kept, size, waiting = set[str](), self._looked_at(top)[1], [top]
        while waiting:
            for reference in self._looked_at(waiting.pop(0))[2]:
                part = self._definition(schema, reference)
                if reference not in kept and part is not None and size + self._looked_at(part)[1] <= limit:
                    kept.add(reference)
                    size += self._looked_at(part)[1]
                    waiting.append(part)
        cut = _shallow(_cut_references(top, kept), limit)
        parts = {
            key: {
                name: _cut_references(part, kept)
                for name, part in _named_parts(schema, key).items()
                if _reference_to(key, name) in kept
            }
            for key in DEFINITIONS
        }
        return {**cut, **{key: part for key, part in parts.items() if part}}

    def _looked_at(self, part: Any) -> tuple[Any, int, tuple[str, ...]]:
        """The part itself, so that nothing else gets its number; its size; where it refers to."""
        if id(part) not in self._known:
            text = json.dumps(part, ensure_ascii=False, default=str)
            self._known[id(part)] = (part, len(text), tuple(sorted(_references(part))))
        return self._known[id(part)]

    def _definition(self, schema: Mapping[str, Any], reference: str) -> Any:
        for key in DEFINITIONS:
            for name, part in _named_parts(schema, key).items():
                if _reference_to(key, name) == reference:
                    return part
        return None


_TOO_LARGE = "Left out here: the whole definition is too large."


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in schema.items() if key not in DEFINITIONS}


def _named_parts(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = schema.get(key)
    return found if isinstance(found, Mapping) else {}


def _reference_to(key: str, name: str) -> str:
    return f"#/{key}/{name.replace('~', '~0').replace('/', '~1')}"


def _cut_references(part: Any, kept: AbstractSet[str]) -> Any:
    if isinstance(part, list):
        return [_cut_references(one, kept) for one in part]
    if not isinstance(part, Mapping):
        return part
    if isinstance(part.get("$ref"), str) and part["$ref"] not in kept:
        return {"description": part.get("description") or _TOO_LARGE}
    return {key: _cut_references(one, kept) for key, one in part.items()}


def _shallow(schema: dict[str, Any], limit: int) -> dict[str, Any]:
    """The schema with what is nested deepest left out, until it fits."""
    for depth in (12, 9, 7, 5, 3):
        if len(json.dumps(schema, ensure_ascii=False, default=str)) <= limit:
            break
        schema = _down_to(schema, depth)
    return schema


def _down_to(part: Any, depth: int) -> Any:
    if isinstance(part, list):
        return [_down_to(one, depth) for one in part]
    if not isinstance(part, Mapping):
        return part
    if depth == 0:
        return {key: part[key] for key in ("type", "description") if key in part and isinstance(part[key], str)}
    return {key: _down_to(one, depth - 1) for key, one in part.items()}


def _part(part: Any, root: SchemaSource, hidden: AbstractSet[str]) -> Any:
    """A part of the top, with what it refers to in its place: that may speak of the hidden ones."""
    if not isinstance(part, Mapping):
        return part
    return without(merged(root, [part]) if "$ref" in part else part, hidden)


def _dependent(part: Any, hidden: AbstractSet[str]) -> Any:
    if isinstance(part, list):
        return [name for name in part if name not in hidden]
    return without(part, hidden) if isinstance(part, Mapping) else part


def _references(schema: Any) -> set[str]:
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("$ref"), str):
                found.add(part["$ref"])
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return found


def _leads_to(location: str, pointers: AbstractSet[str]) -> bool:
    return location in pointers or any(pointer.startswith(f"{location}/") for pointer in pointers)


@dataclass(frozen=True, slots=True)
class Shown:
    """One tool."""

    name: str
    description: str
    doc: str
    parameters: dict[str, Any]
    """Of type `object`, with everything that it refers to and nothing else."""
    signature: tuple[Parameter, ...]
    output: JsonSchema | None
    also: tuple[str, ...] = ()
    """Further names of its, such as `calc.add` beside `add`."""


def shown(target: Target) -> Shown:
    """The target without what its alias presets or hides."""
    spec = target.spec
    hidden = target.alias.unseen if target.alias else frozenset[str]()
    # The documentation of the tool tells of all its parameters; the description of the first paragraph does not.
    doc = spec.description if hidden else spec.doc or spec.description
    return Shown(
        spec.name,
        spec.description,
        doc,
        pruned(object_schema(without(spec.parameters, hidden))),
        tuple(parameter for parameter in spec.signature if parameter.name not in hidden),
        spec.output,
        spec.also,
    )


T = TypeVar("T")


@dataclass(slots=True)
class Branch(Generic[T]):
    """A namespace, a tool, or both in one."""

    tool: T | None = None
    below: "dict[str, Branch[T]]" = field(default_factory=dict)

    def put(self, path: Sequence[str], tool: T) -> None:
        """Hangs the tool under the path."""
        branch = self
        for step in path:
            branch = branch.below.setdefault(step, Branch())
        branch.tool = tool


def placed(
    tools: Iterable[T], name_of: Callable[[T], str], spelled: Callable[[str], str | None]
) -> tuple[Branch[T], list[T]]:
    """The tree, and the tools that have no place in it: those whose name cannot be spelled, or is another's too."""
    wanted: dict[str, list[T]] = {}
    homeless: list[T] = []
    for tool in tools:
        spelling = spelled(name_of(tool))
        if spelling is None:
            homeless.append(tool)
        else:
            wanted.setdefault(spelling, []).append(tool)
    tree: Branch[T] = Branch()
    for spelling, rivals in wanted.items():
        # Of two that would be alike the one whose own name it is has it.
        owner = rivals[0] if len(rivals) == 1 else next((tool for tool in rivals if name_of(tool) == spelling), None)
        homeless.extend(tool for tool in rivals if tool is not owner)
        if owner is not None:
            tree.put(spelling.split("."), owner)
    return tree, homeless


def steps_in(tree: Branch[T]) -> Iterator[str]:
    """Every name in the tree, of tools and namespaces."""
    for name, branch in tree.below.items():
        yield name
        yield from steps_in(branch)
