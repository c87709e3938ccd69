"""Declarations for TypeScript, and for editors of JavaScript."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ptc_studio.core.registry import identifier
from ptc_studio.exports.dts_types import SPACE, DtsTypes, comment, key_text
from ptc_studio.exports.schemas import flat_object, properties_of, required_of
from ptc_studio.exports.shown import Shown
from ptc_studio.exports.tool_tree import Branch, placed
from ptc_studio.exports.type_names import TypeNames
from ptc_studio.exports.type_reader import TypeReader
from ptc_studio.exports.types import AnyType, Type

HEAD = "// The tools of PTC Studio as scripts in JavaScript and TypeScript see them."
TREE = "Tools"
"""The type of `tools`: one with a name, for compilers tell a type without one by all that is in it."""
_WHOLE_NAMES = "  [name: `${string}.${string}`]: (args?: { [name: string]: any }) => Promise<any>;"
"""A tool is there under its whole name, too, as in `tools["server.get-sum"]`."""
_GIVEN = (
    "declare function call_tool(",
    "  name: string,",
    "  args?: { [name: string]: unknown } | null,",
    "  options?: { timeout?: number | null } | null,",
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
class _Method:
    """A tool, with types."""

    tool: Shown
    arguments: str
    result: Type


def dts(tools: Sequence[Shown]) -> str:
    """The text of the declarations."""
    names, types = TypeNames({TREE}), DtsTypes()
    declared: list[str] = []
    methods = {tool.name: _method(tool, names, types, declared) for tool in tools}
    tree, _ = placed(tools, lambda tool: tool.name, lambda name: name)
    _add_second_names(tree, tools)
    whole = [_WHOLE_NAMES] if any("." in tool.name for tool in tools) else []
    declared += [f"interface {TREE} {{", *_members(tree, methods, types, "  "), *whole, "}"]
    space = [f"declare namespace {SPACE} {{", *(f"  {line}".rstrip() for line in declared), "}", ""]
    return "\n".join([HEAD, "", *space, f"declare const tools: {SPACE}.{TREE};", *_GIVEN]) + "\n"


def _method(tool: Shown, names: TypeNames, types: DtsTypes, declared: list[str]) -> _Method:
    schema = flat_object(tool.parameters)
    reader = TypeReader(tool.parameters, names, tool.name)
    name = names.claim(tool.name, "Arguments")
    record = reader.record(schema, name)
    results = TypeReader(tool.output, names, tool.name)
    result: Type = results.read(tool.output, "Result") if tool.output is not None else AnyType()
    for declaration in (*reader.declarations, *results.declarations):
        declared += types.declaration(declaration)
    optional = "" if required_of(schema) else "?"
    if properties_of(schema):
        declared += types.declaration(record)
        return _Method(tool, f"args{optional}: {SPACE}.{name}", result)
    takes_any = record.is_open or bool(required_of(schema))
    return _Method(tool, f"args{optional}: {{ [name: string]: {'any' if takes_any else 'never'} }}", result)


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


def _members(tree: Branch[Shown], methods: dict[str, _Method], types: DtsTypes, lead: str) -> Iterator[str]:
    for name, branch in tree.below.items():
        key = key_text(name)
        if branch.tool is not None:
            yield from comment(branch.tool.doc, lead)
        if not branch.below and branch.tool is not None:
            yield f"{lead}{key}{_call(methods[branch.tool.name], types)}"
            continue
        yield f"{lead}{key}: {{"
        if branch.tool is not None:
            yield f"{lead}  {_call(methods[branch.tool.name], types)}"
        yield from _members(branch, methods, types, f"{lead}  ")
        yield f"{lead}}};"


def _call(method: _Method, types: DtsTypes) -> str:
    return f"({method.arguments}): Promise<{types.outside(method.result)}>;"
