"""Declarations for TypeScript, and for editors of JavaScript."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ptc_studio.core.json_schema import properties_of, required_of
from ptc_studio.core.registry import identifier
from ptc_studio.exports.schemas import Branch, Shown, flat_object, placed
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
    SharedTypes,
    TupleOf,
    Type,
    TypeNames,
    TypeReader,
    clean,
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


HEAD = "// The tools of PTC Studio as scripts in JavaScript and TypeScript see them."
TREE = "Tools"
"""The type of `tools`: one with a name, for compilers tell a type without one by all that is in it."""
_WHOLE_NAMES = "  [name: `${string}.${string}`]: (args?: { [name: string]: any }) => Promise<any>;"
"""A tool is there under its whole name, too, as in `tools["server.get-sum"]`."""
_GIVEN = (
    "declare function call_tool(",
    "  name: string,",
    "  args?: { [name: string]: unknown } | null,",
    "  options?: { timeout?: number | null; timeout_secs?: number | null } | null,",
    "): Promise<any>;",
    "declare const callTool: typeof call_tool;",
    "/** What a tool raised. */",
    "declare class ToolError extends Error {",
    "  private constructor();",
    '  /** The type of its exception, such as "KeyError"; `name` is the same. */',
    "  readonly type: string;",
    "  /** The name of the tool. */",
    "  readonly tool: string;",
    "  /** The line of the call in the script. */",
    "  readonly line: number | null;",
    "  /** Where in the tool it was raised. */",
    "  readonly remoteTraceback: string;",
    "}",
)


@dataclass(frozen=True, slots=True)
class DtsMethod:
    """A tool, with types."""

    tool: Shown
    arguments: str
    result: str

    @property
    def call(self) -> str:
        return f"({self.arguments}): {self.result};"


def dts(tools: Sequence[Shown]) -> str:
    """The text of the declarations."""
    names, types = TypeNames({TREE}), DtsTypes()
    declared: list[str] = []
    shared = SharedTypes()
    methods = {tool.name: method_of(tool, names, types, declared, shared=shared) for tool in tools}
    for declaration in shared.declarations():
        declared += types.declaration(declaration)
    tree, _ = placed(tools, lambda tool: tool.name, lambda name: name)
    _add_second_names(tree, tools)
    whole = [_WHOLE_NAMES] if any("." in tool.name for tool in tools) else []
    declared += [f"interface {TREE} {{", *members(tree, methods, "  "), *whole, "}"]
    space = [f"declare namespace {SPACE} {{", *(f"  {line}".rstrip() for line in declared), "}", ""]
    return "\n".join([HEAD, "", *space, f"declare const tools: {SPACE}.{TREE};", *_GIVEN]) + "\n"


def method_of(
    tool: Shown,
    names: TypeNames,
    types: DtsTypes,
    declared: list[str],
    gives: str = "Promise<{}>",
    shared: SharedTypes | None = None,
) -> DtsMethod:
    """The tool with types; what has to be declared for them is appended to `declared`. `gives` has a place for the
    type of the result."""
    schema = flat_object(tool.parameters)
    reader = TypeReader(tool.parameters, names, tool.name, shared)
    name = names.claim(tool.name, "Arguments")
    record = reader.record(schema, name)
    results = TypeReader(tool.output, names, tool.name, shared)
    result: Type = results.read(tool.output, "Result") if tool.output is not None else AnyType()
    for declaration in (*reader.declarations, *results.declarations):
        declared += types.declaration(declaration)
    optional, given = "" if required_of(schema) else "?", gives.format(types.outside(result))
    if properties_of(schema):
        declared += types.declaration(record)
        return DtsMethod(tool, f"args{optional}: {SPACE}.{name}", given)
    takes_any = record.is_open or bool(required_of(schema))
    return DtsMethod(tool, f"args{optional}: {{ [name: string]: {'any' if takes_any else 'never'} }}", given)


def _add_second_names(tree: Branch[Shown], tools: Sequence[Shown]) -> None:
    """Tools are there under their further names, too, then under the safe twins of names that are no identifiers."""
    taken = {tool.name for tool in tools}
    further = [(name, tool) for tool in tools for name in tool.also]
    _add_unambiguous(tree, taken, further)
    twins = [(identifier(name), tool) for tool in tools for name in (tool.name, *tool.also)]
    _add_unambiguous(tree, taken, twins)


def _add_unambiguous(tree: Branch[Shown], taken: set[str], wanted: Iterable[tuple[str, Shown]]) -> None:
    """A name that two tools want is neither's."""
    rivals: dict[str, dict[str, Shown]] = {}
    for name, tool in wanted:
        rivals.setdefault(name, {})[tool.name] = tool
    for name, tools in rivals.items():
        if name not in taken and len(tools) == 1:
            tree.put(name.split("."), next(iter(tools.values())))
            taken.add(name)


def members(tree: Branch[Shown], methods: dict[str, DtsMethod], lead: str) -> Iterator[str]:
    """What is below, as members of an object's type."""
    for name, branch in tree.below.items():
        key = key_text(name)
        if branch.tool is not None:
            yield from comment(branch.tool.doc, lead)
        if not branch.below and branch.tool is not None:
            yield f"{lead}{key}{methods[branch.tool.name].call}"
            continue
        yield f"{lead}{key}: {{"
        if branch.tool is not None:
            yield f"{lead}  {methods[branch.tool.name].call}"
        yield from members(branch, methods, f"{lead}  ")
        yield f"{lead}}};"


@dataclass(frozen=True, slots=True)
class DtsSignature:
    """The types of a tool's parameters, by name, and of its result."""

    name: str
    parameters: dict[str, str]
    required: frozenset[str]
    result: str

    def __str__(self) -> str:
        fields = [
            f"{key_text(name)}{'' if name in self.required else '?'}: {kind}" for name, kind in self.parameters.items()
        ]
        given = f"{{ {'; '.join(fields)} }}" if fields else ""
        return f"tools.{self.name}({given}): Promise<{self.result}>"


def dts_signature(tool: Shown) -> DtsSignature:
    """The types as in the declarations, without the namespace that they are in."""
    names, types = TypeNames(), DtsTypes()
    record = TypeReader(tool.parameters, names, tool.name).record(flat_object(tool.parameters), "Arguments")
    result: Type = AnyType()
    if tool.output is not None:
        result = TypeReader(tool.output, names, tool.name).read(tool.output, "Result")
    return DtsSignature(
        tool.name,
        {field.name: types.inside(field.type) for field in record.fields},
        frozenset(field.name for field in record.fields if field.required),
        types.inside(result),
    )
