"""Declarations for TypeScript, and for editors of JavaScript."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ptc_studio.core.registry import identifier
from ptc_studio.exports.dts_types import SPACE, DtsTypes, comment, key_text
from ptc_studio.exports.schemas import flat_object, properties_of, required_of
from ptc_studio.exports.shown import Shown
from ptc_studio.exports.tool_tree import Branch, placed
from ptc_studio.exports.type_names import TypeNames
from ptc_studio.exports.type_reader import TypeReader
from ptc_studio.exports.types import AnyType, Type

_HEAD = "// The tools of PTC Studio as scripts in JavaScript and TypeScript see them."
_GIVEN = (
    "declare function call_tool(",
    "  name: string,",
    "  args?: { [name: string]: unknown } | null,",
    "  options?: { timeout?: number | null } | null,",
    "): Promise<any>;",
    "declare const callTool: typeof call_tool;",
)


@dataclass(frozen=True, slots=True)
class _Method:
    """A tool, with types."""

    tool: Shown
    arguments: str
    result: Type


def dts(tools: Sequence[Shown]) -> str:
    """The text of the declarations."""
    names, types = TypeNames(), DtsTypes()
    declared: list[str] = []
    methods = {tool.name: _method(tool, names, types, declared) for tool in tools}
    tree, _ = placed(tools, lambda tool: tool.name, lambda name: name)
    _add_twins(tree, tools)
    spaces = (
        [f"declare namespace {SPACE} {{", *(f"  {line}".rstrip() for line in declared), "}", ""] if declared else []
    )
    body = ["declare const tools: {", *_members(tree, methods, types, "  "), "};"]
    return "\n".join([_HEAD, "", *spaces, *body, *_GIVEN]) + "\n"


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


def _add_twins(tree: Branch[Shown], tools: Sequence[Shown]) -> None:
    """Tools whose name is no identifier are there under their safe twin, too, where that is nobody else's."""
    twins, _ = placed([tool for tool in tools if _twin(tool.name)], lambda tool: tool.name, _twin)
    _graft(tree, twins)


def _graft(tree: Branch[Shown], twins: Branch[Shown]) -> None:
    for name, twin in twins.below.items():
        own = tree.below.setdefault(name, Branch())
        own.tool = own.tool or twin.tool
        _graft(own, twin)


def _twin(name: str) -> str | None:
    safe = identifier(name)
    return safe if safe != name else None


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
