"""Stubs for type checkers and editors of Python scripts."""

import keyword
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ptc_studio.core.json_schema import properties_of, required_of
from ptc_studio.core.names import free_name, is_displaced
from ptc_studio.core.registry import identifier
from ptc_studio.exports.schemas import Branch, Shown, flat_object, placed, steps_in
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
    one_line,
    one_of,
    text_of,
)


@dataclass(frozen=True, slots=True)
class TypedArgument:
    """One argument."""

    name: str
    type: Type
    required: bool
    keyword_only: bool
    description: str


def arguments_of(tool: Shown, reader: TypeReader) -> tuple[list[TypedArgument], bool]:
    """The arguments, and whether it takes others too."""
    schema = flat_object(tool.parameters)
    properties = properties_of(schema)
    required = set(required_of(schema))
    told = {parameter.name: parameter for parameter in tool.signature if parameter.name in properties}
    arguments: list[TypedArgument] = []
    optional_before = False
    for name in [*told, *(name for name in properties if name not in told)]:
        needed = name in required
        # A required one cannot follow an optional one by position.
        by_name = told[name].keyword_only if name in told else bool(told)
        by_name = by_name or (optional_before and needed)
        optional_before = optional_before or not needed
        part = properties[name]
        arguments.append(TypedArgument(name, reader.read(part, name), needed, by_name, text_of(part, "description")))
    return arguments, bool(schema.get("additionalProperties")) or "patternProperties" in schema


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
            if text := one_line(field.description):
                lines.append(f"    # {text}")
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


_HEAD = (
    "# The tools of PTC Studio as scripts see them. A type checker knows them everywhere",
    "# when this file is called `__builtins__.pyi` and lies in the project's folder.",
)
_GIVEN = ("aio", "call_tool", "call_tool_async")


@dataclass(frozen=True, slots=True)
class PyiFunction:
    """A tool, with types."""

    tool: Shown
    arguments: list[TypedArgument]
    takes_more: bool
    result: Type


def pyi(tools: Sequence[Shown]) -> str:
    """The text of the stub."""
    tree, homeless = placed(tools, lambda tool: tool.name, _spelled)
    shadowed = set(steps_in(tree))
    names = TypeNames({*shadowed, *_GIVEN}, prefix="_")
    types = PyiTypes(shadowed)
    declared: list[str] = []
    shared = SharedTypes()
    functions = {tool.name: function_of(tool, names, types, declared, shared) for tool in tools}
    for declaration in shared.declarations():
        declared += [*types.declaration(declaration), ""]
    writer = PyiWriter(functions, names, types)
    body = [*writer.branches(tree, ""), *writer.given(tree, shadowed)]
    lost = [f"# call_tool({tool.name!r}, ...): its name is none in Python, or another's too." for tool in homeless]
    return "\n".join([*_HEAD, *types.imports(), "", *declared, *body, *map(one_line, lost)]).rstrip() + "\n"


def function_of(
    tool: Shown, names: TypeNames, types: PyiTypes, declared: list[str], shared: SharedTypes | None = None
) -> PyiFunction:
    """The tool with types; what has to be declared for them is appended to `declared`."""
    reader = TypeReader(tool.parameters, names, tool.name, shared)
    arguments, takes_more = arguments_of(tool, reader)
    results = TypeReader(tool.output, names, tool.name, shared)
    result: Type = results.read(tool.output, "Result") if tool.output is not None else AnyType()
    for declaration in (*reader.declarations, *results.declarations):
        declared += [*types.declaration(declaration), ""]
    return PyiFunction(tool, arguments, takes_more, result)


class PyiWriter:
    """Writes functions and namespaces."""

    def __init__(
        self, functions: dict[str, PyiFunction], names: TypeNames, types: PyiTypes, *, only_async: bool = False
    ) -> None:
        self._functions = functions
        self._only_async = only_async
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
                yield from self.definition(branch.tool, name, lead, is_async=is_async)
            elif branch.tool is None:
                yield f"{lead}class {name}:"
                yield from self.branches(branch, f"{lead}    ", is_async=is_async, static=True)
            else:
                # A tool that is a namespace as well: an object that can be called.
                kind = self._names.claim(branch.tool.name, "Namespace")
                yield f"{lead}class {kind}:"
                yield from self.definition(branch.tool, "__call__", f"{lead}    ", is_async=is_async, first="self")
                yield from self.branches(branch, f"{lead}    ", is_async=is_async, static=True)
                yield f"{lead}{name}: {kind}"
            if not lead:
                yield ""

    def given(self, tree: Branch[Shown], shadowed: set[str]) -> Iterator[str]:
        """What scripts have beside their tools."""
        text, anything = self._types.builtin("str"), self._types.typing("Any")
        seconds = f"{self._types.builtin('float')} | None = ..."
        more = f"arguments: {anything} = ..., timeout: {seconds}, *, timeout_secs: {seconds}"
        for name, start in (("call_tool", "def"), ("call_tool_async", "async def")):
            if name not in tree.below:
                yield f"{start} {name}("
                yield f"    name: {text}, {more}"
                yield f") -> {anything}: ..."
        if "aio" not in shadowed and tree.below:
            yield ""
            yield "class aio:"
            yield '    """The tools once more, to be awaited."""'
            yield from self.branches(tree, "    ", is_async=True, static=True)

    def definition(self, tool: Shown, name: str, lead: str, *, is_async: bool, first: str = "") -> Iterator[str]:
        """The tool as a function of that name; `first` is a parameter before its own."""
        function = self._functions[tool.name]
        parameters, odd = self._parameters(function)
        listed = ", ".join([first, *parameters] if first else parameters)
        start = "async def" if is_async else "def"
        head = f"{lead}{start} {name}({listed}) -> {self._types.text(function.result)}:"
        told_before = is_async and not self._only_async
        doc = [] if told_before else list(_doc(tool, function.arguments, odd, f"{lead}    "))
        yield from [head, *doc, f"{lead}    ..."] if doc else [f"{head} ..."]

    def _parameters(self, function: PyiFunction) -> tuple[list[str], list[str]]:
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

    def _parameter(self, argument: TypedArgument) -> str:
        return f"{argument.name}: {self._types.text(argument.type)}{'' if argument.required else ' = ...'}"


def _spelled(name: str) -> str | None:
    safe = identifier(name)
    safe = free_name(safe) if is_displaced(safe) else safe
    return safe if all(_is_name(part) for part in safe.split(".")) else None


def _is_name(part: str) -> bool:
    # Within a class Python changes a name with two underscores in front.
    return part.isidentifier() and not keyword.iskeyword(part) and not part.startswith("__") and _is_normal(part)


def _is_parameter(name: str) -> bool:
    return _is_name(name) and name != "self"


def _is_normal(name: str) -> bool:
    return unicodedata.is_normalized("NFKC", name)


def _doc(tool: Shown, arguments: list[TypedArgument], odd: list[str], lead: str) -> Iterator[str]:
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
