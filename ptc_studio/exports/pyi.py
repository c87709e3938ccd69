"""Stubs for type checkers and editors of Python scripts."""

import keyword
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ptc_studio.core.registry import identifier
from ptc_studio.exports.arguments import Argument, arguments_of
from ptc_studio.exports.pyi_types import PyiTypes
from ptc_studio.exports.shown import Shown
from ptc_studio.exports.texts import clean, one_line
from ptc_studio.exports.tool_tree import Branch, placed, steps_in
from ptc_studio.exports.type_names import TypeNames
from ptc_studio.exports.type_reader import TypeReader
from ptc_studio.exports.types import AnyType, Type

_HEAD = (
    "# The tools of PTC Studio as scripts see them. A type checker knows them everywhere",
    "# when this file is called `__builtins__.pyi` and lies in the project's folder.",
)
_GIVEN = ("aio", "call_tool", "call_tool_async")


@dataclass(frozen=True, slots=True)
class _Function:
    """A tool, with types."""

    tool: Shown
    arguments: list[Argument]
    takes_more: bool
    result: Type


def pyi(tools: Sequence[Shown]) -> str:
    """The text of the stub."""
    tree, homeless = placed(tools, lambda tool: tool.name, _spelled)
    shadowed = set(steps_in(tree))
    names = TypeNames({*shadowed, *_GIVEN}, prefix="_")
    types = PyiTypes(shadowed)
    declared: list[str] = []
    functions: dict[str, _Function] = {}
    for tool in tools:
        functions[tool.name] = _function(tool, names, types, declared)
    writer = _Writer(functions, names, types)
    body = [*writer.branches(tree, ""), *writer.given(tree, shadowed)]
    lost = [f"# call_tool({tool.name!r}, ...): its name is none in Python, or another's too." for tool in homeless]
    return "\n".join([*_HEAD, *types.imports(), "", *declared, *body, *map(one_line, lost)]).rstrip() + "\n"


def _function(tool: Shown, names: TypeNames, types: PyiTypes, declared: list[str]) -> _Function:
    reader = TypeReader(tool.parameters, names, tool.name)
    arguments, takes_more = arguments_of(tool, reader)
    results = TypeReader(tool.output, names, tool.name)
    result: Type = results.read(tool.output, "Result") if tool.output is not None else AnyType()
    for declaration in (*reader.declarations, *results.declarations):
        declared += [*types.declaration(declaration), ""]
    return _Function(tool, arguments, takes_more, result)


class _Writer:
    """Writes functions and namespaces."""

    def __init__(self, functions: dict[str, _Function], names: TypeNames, types: PyiTypes) -> None:
        self._functions = functions
        self._names = names
        self._types = types

    def branches(
        self, tree: Branch[Shown], lead: str, *, is_async: bool = False, static: bool = False
    ) -> Iterator[str]:
        """What is below, as functions and classes."""
        for name, branch in tree.below.items():
            if not branch.below and branch.tool is not None:
                if static:
                    yield f"{lead}@{self._types.builtin('staticmethod')}"
                yield from self._definition(branch.tool, name, lead, is_async=is_async)
            elif branch.tool is None:
                yield f"{lead}class {name}:"
                yield from self.branches(branch, f"{lead}    ", is_async=is_async, static=True)
            else:
                # A tool that is a namespace as well: an object that can be called.
                kind = self._names.claim(branch.tool.name, "Namespace")
                yield f"{lead}class {kind}:"
                yield from self._definition(branch.tool, "__call__", f"{lead}    ", is_async=is_async, of_object=True)
                yield from self.branches(branch, f"{lead}    ", is_async=is_async, static=True)
                yield f"{lead}{name}: {kind}"
            if not lead:
                yield ""

    def given(self, tree: Branch[Shown], shadowed: set[str]) -> Iterator[str]:
        """What scripts have beside their tools."""
        text, anything = self._types.builtin("str"), self._types.typing("Any")
        more = f"arguments: {anything} = ..., timeout: {self._types.builtin('float')} | None = ..."
        if "call_tool" not in tree.below:
            yield f"def call_tool(name: {text}, {more}) -> {anything}: ..."
        if "call_tool_async" not in tree.below:
            yield f"async def call_tool_async(name: {text}, {more}) -> {anything}: ..."
        if "aio" not in shadowed and tree.below:
            yield ""
            yield "class aio:"
            yield '    """The tools once more, to be awaited."""'
            yield from self.branches(tree, "    ", is_async=True, static=True)

    def _definition(
        self, tool: Shown, name: str, lead: str, *, is_async: bool, of_object: bool = False
    ) -> Iterator[str]:
        function = self._functions[tool.name]
        parameters, odd = self._parameters(function)
        listed = ", ".join(["self", *parameters] if of_object else parameters)
        start = "async def" if is_async else "def"
        head = f"{lead}{start} {name}({listed}) -> {self._types.text(function.result)}:"
        doc = [] if is_async else list(_doc(tool, function.arguments, odd, f"{lead}    "))
        yield from [head, *doc, f"{lead}    ..."] if doc else [f"{head} ..."]

    def _parameters(self, function: _Function) -> tuple[list[str], list[str]]:
        """The parameters, and the names that none can have."""
        fit = [argument for argument in function.arguments if _is_parameter(argument.name)]
        odd = [argument.name for argument in function.arguments if not _is_parameter(argument.name)]
        placed_ = [self._parameter(argument) for argument in fit if not argument.keyword_only]
        by_name = [self._parameter(argument) for argument in fit if argument.keyword_only]
        parameters = [*placed_, *(["*", *by_name] if by_name else [])]
        if odd or function.takes_more:
            rest = "more"
            while any(argument.name == rest for argument in fit):
                rest += "_"
            parameters.append(f"**{rest}: {self._types.typing('Any')}")
        return parameters, odd

    def _parameter(self, argument: Argument) -> str:
        return f"{argument.name}: {self._types.text(argument.type)}{'' if argument.required else ' = ...'}"


def _spelled(name: str) -> str | None:
    safe = identifier(name)
    return safe if all(_is_name(part) for part in safe.split(".")) else None


def _is_name(part: str) -> bool:
    # Within a class Python changes a name with two underscores in front.
    return part.isidentifier() and not keyword.iskeyword(part) and not part.startswith("__") and _is_normal(part)


def _is_parameter(name: str) -> bool:
    return _is_name(name) and name != "self"


def _is_normal(name: str) -> bool:
    return unicodedata.is_normalized("NFKC", name)


def _doc(tool: Shown, arguments: list[Argument], odd: list[str], lead: str) -> Iterator[str]:
    lines = clean(tool.doc).splitlines()
    told = [one_line(f"{argument.name}: {argument.description}") for argument in arguments if argument.description]
    if told:
        lines += ["", *told]
    if odd:
        lines += ["", f"To be given as **{{...}}: {one_line(', '.join(map(repr, odd)))}"]
    if not lines:
        return
    text = "\n".join(lines).strip().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    text = f'{text[:-1]}\\"' if text.endswith('"') else text
    first, *rest = text.split("\n")
    yield f'{lead}"""{first}' + ("" if rest else '"""')
    for number, line in enumerate(rest, 1):
        yield f"{lead}{line}".rstrip() + ('"""' if number == len(rest) else "")
