"""What there is to say of an alias while it is typed: its name, what it calls, how a script sees it. Knows no Qt."""

import builtins
import difflib
import json
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ptc_studio.core.registry import EVERYTHING, Registry, Target, identifier
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.runtimes.bash.arguments import RESERVED as SHELL_WORDS
from ptc_studio.ui.calls.code import skeleton

WIDEST = 48
"""A longer list of parameters has a line for each."""
_PYTHON = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "object": "dict"}
_SCRIPT = {"integer": "number", "object": "object"}
DEEPEST = 4


def signature_in(language: str, spec: ToolSpec) -> str:
    """The signature; for languages without one of their own, a call."""
    if language == "bash":
        return _bash(spec)
    if language in ("javascript", "typescript"):
        return _javascript(spec)
    if language in ("go", "rust", "csharp", "wat"):
        needed = [parameter.name for parameter in _parameters(spec) if parameter.required]
        return skeleton(spec.name, needed, language)
    return _python(spec)


def python_type(schema: Any, depth: int = 0) -> str:
    """A schema as a type of Python, without names of its own."""
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return "Any"
    if "enum" in schema:
        return f"Literal[{', '.join(map(_python_value, schema['enum']))}]"
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return " | ".join(dict.fromkeys(python_type(part, depth + 1) for part in schema[key]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(python_type({**schema, "type": each}, depth + 1) for each in kind)
    if kind == "array":
        return f"list[{python_type(schema['items'], depth + 1)}]" if schema.get("items") else "list"
    return _PYTHON.get(str(kind), "dict" if "properties" in schema or "$ref" in schema else "Any")


def _python(spec: ToolSpec) -> str:
    properties: Mapping[str, Any] = spec.parameters.get("properties", {})
    told: list[str] = []
    star = False
    for parameter in _parameters(spec):
        if parameter.keyword_only and not star:
            star = True
            told.append("*")
        kind = parameter.annotation or python_type(properties.get(parameter.name))
        default = "" if parameter.required else f" = {_python_value(parameter.default)}"
        told.append(f"{parameter.name}: {kind}{default}")
    result = f"\n    -> {python_type(spec.output)}" if spec.output is not None else ""
    return f"{identifier(spec.name)}{_listed(told)}{result}"


def _javascript(spec: ToolSpec) -> str:
    properties: Mapping[str, Any] = spec.parameters.get("properties", {})
    told = [
        f"{parameter.name}{'' if parameter.required else '?'}: {_script_type(properties.get(parameter.name))}"
        for parameter in _parameters(spec)
    ]
    result = _script_type(spec.output) if spec.output is not None else "any"
    given = f"({{ {', '.join(told)} }})" if told else "()"
    if len(given) > WIDEST:
        given = "({\n" + "".join(f"    {each},\n" for each in told) + "})"
    return f"tools.{spec.name}{given}\n    : Promise<{result}>"


def _bash(spec: ToolSpec) -> str:
    words = []
    for parameter in _parameters(spec):
        word = f"--{parameter.name} {parameter.name.upper()}"
        words.append(word if parameter.required else f"[{word}]")
    one = " ".join([spec.name, *words])
    return one if len(one) <= WIDEST else " \\\n    ".join([spec.name, *words])


def _script_type(schema: Any, depth: int = 0) -> str:
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return "any"
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            return " | ".join(dict.fromkeys(_script_type(part, depth + 1) for part in schema[key]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(_script_type({**schema, "type": each}, depth + 1) for each in kind))
    if kind == "array":
        return f"{_script_type(schema.get('items'), depth + 1)}[]"
    return _SCRIPT.get(str(kind), str(kind)) if kind else "object" if "properties" in schema else "any"


def _parameters(spec: ToolSpec) -> tuple[Parameter, ...]:
    if spec.signature:
        return spec.signature
    required = spec.parameters.get("required", ())
    properties: Mapping[str, Any] = spec.parameters.get("properties", {})
    made = (Parameter(name, name in required, _default(part)) for name, part in properties.items())
    return tuple(sorted(made, key=lambda parameter: not parameter.required))


def _default(part: Any) -> Any:
    return part.get("default") if isinstance(part, Mapping) else None


def _listed(told: list[str]) -> str:
    one = f"({', '.join(told)})"
    return one if len(one) <= WIDEST else "(\n" + "".join(f"    {each},\n" for each in told) + ")"


def _python_value(value: Any) -> str:
    """As people write it: with double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


_SHELL_GRAMMAR = "if then elif else fi for while until do done case esac in select function time coproc"
_JAVASCRIPT = """
arguments await break case catch class const continue debugger default delete do else enum eval export extends false
finally for function if implements import in instanceof interface let new null package private protected public return
static super switch this throw true try typeof var void while with yield
"""
_GO = """
break case chan const continue default defer else fallthrough for func go goto if import interface map package range
return select struct switch type var
"""
_RUST = """
as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub
ref return self static struct super trait true type unsafe use where while
"""
_CSHARP = """
abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else
enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock
long namespace new null object operator out override params private protected public readonly ref return sbyte sealed
short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using
virtual void volatile while
"""
KEYWORDS: dict[str, frozenset[str]] = {
    "Python": frozenset(keyword.kwlist),
    "bash": frozenset(_SHELL_GRAMMAR.split()),
    "JavaScript": frozenset(_JAVASCRIPT.split()),
    "Go": frozenset(_GO.split()),
    "Rust": frozenset(_RUST.split()),
    "C#": frozenset(_CSHARP.split()),
}
STUDIO_NAMES = frozenset(("aio", "call_tool", "call_tool_async", "callTool", "tools"))
"""What scripts have beside their tools."""
PYTHON_BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("_")) - KEYWORDS["Python"]
SHELL_COMMANDS = SHELL_WORDS - KEYWORDS["bash"]


def language_with(word: str) -> str | None:
    """The first language of which it is a keyword."""
    return next((language for language, words in KEYWORDS.items() if word in words), None)


Tone = Literal["ok", "muted", "warning", "error"]
MARKS: dict[Tone, str] = {"ok": "✓", "muted": "", "warning": "▲", "error": "✕"}
FREE = "free, and a valid name in every runtime"
NO_NAME = "What scripts will call it by."
NO_TARGET = "The tool it calls."
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
_UNFIT = re.compile(r"[^A-Za-z0-9_.]")


@dataclass(frozen=True, slots=True)
class AliasCheck:
    """A sentence, and whether it can stay so."""

    tone: Tone
    text: str

    @property
    def fits(self) -> bool:
        return self.tone in ("ok", "warning")

    @property
    def line(self) -> str:
        """The sentence behind its mark."""
        return f"{MARKS[self.tone]} {self.text}".strip()


class Neighbours:
    """The names that are there already: every one that leads to a tool, and the aliases beside the one in question."""

    def __init__(self, registry: Registry, aliases: Mapping[str, str]) -> None:
        """`aliases` are those of the file: what each leads to."""
        targets = [target for target in registry.targets(EVERYTHING) if target.alias is None]
        self.tools: tuple[Target, ...] = tuple(targets)
        self._named = {name: target for target in targets for name in registry.names_of(target)}
        self.aliases = dict(aliases)

    def tool(self, name: str) -> Target | None:
        """The tool that the name leads to."""
        return self._named.get(name)

    def near(self, name: str) -> str | None:
        """The name of a tool that may have been meant."""
        return next(iter(difflib.get_close_matches(name, self._named, n=1)), None)

    def circle(self, name: str, target: str) -> list[str]:
        """The way from the name back to itself, if the target leads there."""
        path = [name, target]
        while path[-1] != name and path[-1] in self.aliases and self.aliases[path[-1]] not in path[1:]:
            path.append(self.aliases[path[-1]])
        return path if path[-1] == name else []


def check_name(name: str, neighbours: Neighbours, *, former: str = "", target: str = "") -> AliasCheck:
    """Whether an alias can be called that; a name that it has already may stay, with a warning."""
    if not name:
        return AliasCheck("muted", NO_NAME)
    taken = _taken(name, neighbours, target)
    if taken:
        return AliasCheck("error", taken)
    unfit = _unfit(name)
    if unfit and name == former:
        safe = identifier(name)
        also = f" Scripts can write {safe!r}, too." if safe != name else ""
        return AliasCheck("warning", f"{unfit.partition(':')[0]}.{also}")
    if unfit:
        return AliasCheck("error", unfit)
    return _hint(name) or AliasCheck("ok", "a valid name in every runtime" if name == former else FREE)


def check_target(target: str, neighbours: Neighbours, name: str = "") -> AliasCheck:
    """Whether an alias can lead there; nothing is to be said of a tool that is there."""
    if not target:
        return AliasCheck("muted", NO_TARGET)
    if neighbours.tool(target) is not None:
        return AliasCheck("ok", "")
    circle = neighbours.circle(name, target) if name else []
    if circle:
        return AliasCheck(
            "error", f"These aliases would call each other in a circle, {' → '.join(circle)}: choose a tool."
        )
    if target in neighbours.aliases:
        return AliasCheck(
            "error", f"{target!r} is an alias itself: choose the tool it calls, {neighbours.aliases[target]!r}."
        )
    near = neighbours.near(target)
    return AliasCheck("error", f"There is no tool {target!r}" + (f": did you mean {near!r}?" if near else "."))


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The name, or with a number behind it, that nobody has."""
    known, made, number = set(taken), wanted, 2
    while made in known:
        made, number = f"{wanted}_{number}", number + 1
    return made


def _taken(name: str, neighbours: Neighbours, target: str) -> str:
    if name == target and neighbours.tool(name) is None:
        return "It would call itself: choose another name, or another tool."
    tool = neighbours.tool(name)
    if tool is not None:
        own = "" if tool.spec.name == name else f" is a name of {tool.spec.name!r}"
        where = f"of the source {tool.spec.source!r}" if tool.spec.source else ""
        if own:
            return f"{name!r}{own}, a tool {where}: choose another name."
        return f"There is already a tool {name!r} {where}: choose another name."
    return f"There is already an alias {name!r}: choose another name." if name in neighbours.aliases else ""


def _unfit(name: str) -> str:
    """Why it is no name in some language."""
    odd = _UNFIT.search(name)
    if odd:
        what = "a blank" if odd[0].isspace() else repr(odd[0])
        return f"A name cannot have {what} in it: write {_mended(name)!r}."
    if not _NAME.fullmatch(name):
        if re.search(r"(^|\.)[0-9]", name):
            return f"A name cannot begin with a digit: write {_mended(name)!r}."
        return "A dot stands between two names: write it as in 'shop.price'."
    for part in name.split("."):
        language = language_with(part)
        if language:
            return f"{part!r} is a keyword of {language}: choose another name."
    if name.split(".")[0] in STUDIO_NAMES:
        return f"{name.split('.')[0]!r} is reserved in scripts: choose another name."
    return ""


def _hint(name: str) -> AliasCheck | None:
    first = name.split(".")[0]
    if name in SHELL_COMMANDS:
        return AliasCheck("warning", f"In bash {name!r} stays the shell's own: call it there with call_tool {name}.")
    if first in PYTHON_BUILTINS:
        return AliasCheck("warning", f"In Python scripts it takes the place of the built-in {first!r}.")
    return None


def _mended(name: str) -> str:
    safe = re.sub(r"_+", "_", _UNFIT.sub("_", name.strip())).strip("_.") or "alias"
    return identifier(re.sub(r"\.+", ".", safe))
