"""Stubs of tools as the scripts of a deployment target call them: its names, its arguments, what comes back there."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ptc_studio.core.scripts import Visible
from ptc_studio.exports.dts import SPACE, DtsMethod, DtsTypes, comment, members, method_of
from ptc_studio.exports.pyi import PyiFunction, PyiTypes, PyiWriter, TypedArgument, function_of
from ptc_studio.exports.schemas import Branch, Shown, flat_object, placed, shown, steps_in
from ptc_studio.exports.types import Named, Primitive, Type, TypeNames, TypeReader
from ptc_studio.targets import CallStyle, DeploymentTarget

FORMS = {"python": "pyi", "javascript": "dts", "typescript": "dts"}


def target_stubs(target: DeploymentTarget, tools: Sequence[Visible]) -> str:
    """The text of a `.pyi` or `.d.ts` file, by the target's language; raises PtcError if it refuses the tools."""
    assert target.call is not None
    renamed = _renamed(target, target.call, tools)
    head = f"The tools of PTC Studio as scripts of {target.name} see them."
    if target.call.takes_object:
        return "\n".join([f"// {head}", "", *_typescript(target.call, renamed)]).rstrip() + "\n"
    return "\n".join([f"# {head}", *_python(target.call, renamed)]).rstrip() + "\n"


def _renamed(target: DeploymentTarget, style: CallStyle, tools: Sequence[Visible]) -> list[Shown]:
    """The tools under their names there; under the first alone where the name is a text, and any other is none."""
    own = {visible.names[0]: shown(visible.target) for visible in tools}
    found = [replace(own[name], name=there) for there, name in target.names(tools).items() if name in own]
    if not style.by_name:
        return found
    firsts = {name: there for there, name in reversed(list(target.names(tools).items()))}
    return [tool for tool in found if tool.name in firsts.values()]


# Python


def _python(style: CallStyle, tools: Sequence[Shown]) -> Iterator[str]:
    tree, _ = placed(tools, lambda tool: tool.name, _identifiers)
    shadowed = {"call_tool"} if style.by_name else set(steps_in(tree))
    names, types = TypeNames(shadowed, prefix="_"), PyiTypes(shadowed)
    declared: list[str] = []
    functions = {tool.name: _function(style, tool, names, types, declared) for tool in tools}
    writer = PyiWriter(functions, names, types, only_async=style.is_async)
    body = (
        list(_overloads(style, tools, writer, types))
        if style.by_name
        else list(writer.branches(tree, "", is_async=style.is_async))
    )
    yield from (*types.imports(), "", *declared, *body)


def _identifiers(name: str) -> str | None:
    return name if all(map(str.isidentifier, name.split("."))) else None


def _function(style: CallStyle, tool: Shown, names: TypeNames, types: PyiTypes, declared: list[str]) -> PyiFunction:
    if "{dict}" not in style.call:
        function = function_of(tool, names, types, declared)
        arguments = [replace(each, keyword_only=each.keyword_only or style.keyword_only) for each in function.arguments]
        return replace(function, arguments=arguments, result=_result(style, function.result))
    schema = flat_object(tool.parameters)
    function = function_of(replace(tool, parameters={"type": "object"}, signature=()), names, types, declared)
    reader = TypeReader(tool.parameters, names, tool.name)
    record = reader.record(schema, names.claim(tool.name, "Input"))
    for declaration in (*reader.declarations, record):
        declared += [*types.declaration(declaration), ""] if declaration is not record or record.fields else []
    # A class without fields is no class: then any dict will do.
    kind: Type = Named(record.name) if record.fields else Named("dict")
    given = TypedArgument("params" if style.by_name else "input", kind, bool(record.fields), False, "")
    return PyiFunction(tool, [given], False, _result(style, function.result))


def _result(style: CallStyle, otherwise: Type) -> Type:
    return Primitive("string") if style.gives else otherwise


def _overloads(style: CallStyle, tools: Sequence[Shown], writer: PyiWriter, types: PyiTypes) -> Iterator[str]:
    """One function for all of them, which is told the name."""
    for tool in tools:
        if len(tools) > 1:
            yield f"@{types.typing('overload')}"
        name = f"name: {types.typing('Literal')}[{tool.name!r}]"
        yield from writer.definition(tool, "call_tool", "", is_async=style.is_async, first=name)
        yield ""


# JavaScript and TypeScript


def _typescript(style: CallStyle, tools: Sequence[Shown]) -> Iterator[str]:
    names, types = TypeNames(), DtsTypes()
    declared: list[str] = []
    gives = style.gives or "{}"
    gives = f"Promise<{gives}>" if style.is_async else gives
    methods = {tool.name: method_of(tool, names, types, declared, gives) for tool in tools}
    if declared:
        yield from (f"declare namespace {SPACE} {{", *(f"  {line}".rstrip() for line in declared), "}", "")
    if style.root:
        # A dot is part of the name there: `tools["shop.price"]`.
        flat = Branch[Shown](None, {tool.name: Branch(tool) for tool in tools})
        yield from (f"declare const {style.root}: {{", *members(flat, methods, "  "), "};")
        return
    tree, _ = placed(tools, lambda tool: tool.name, lambda name: name)
    for name, branch in tree.below.items():
        yield from _space(style, name, branch, methods)


def _space(style: CallStyle, name: str, branch: Branch[Shown], methods: dict[str, DtsMethod]) -> Iterator[str]:
    """A function, or what has functions: a module that is imported, or a global."""
    if branch.tool is not None:
        yield from comment(branch.tool.doc, "")
        yield f"declare function {name}{methods[branch.tool.name].call}"
    if branch.below and style.module:
        yield f'declare module "{style.module.format(space=name)}" {{'
        for function, inner in branch.below.items():
            if inner.tool is not None:
                yield from comment(inner.tool.doc, "  ")
                yield f"  export function {function}{methods[inner.tool.name].call}"
        yield "}"
    elif branch.below and branch.tool is None:
        yield from (f"declare const {name}: {{", *members(branch, methods, "  "), "};")
