"""What can be completed where the cursor stands, from the tools alone: names, namespaces and parameters."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal

from ptc_studio.ui.language.hints import ParameterHint, ToolHint, shown_hint

if TYPE_CHECKING:
    from ptc_studio.exports.dts import DtsSignature


REACH = 2_000
"""How many characters before the cursor are looked at."""
LONGEST_NAME = 200
"""How many characters before a bracket may belong to the name of what is called."""
_TEXTS = re.compile(
    r"\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|(\"\"\"|''')"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*(?=\n)"
)
_OPEN_TEXT = re.compile(r"[\"'][^\n]*$|#[^\n]*$|\"\"\"[\s\S]*$|'''[\s\S]*$")
_BY_NAME = re.compile(r"\bcall_tool(?:_async)?\(\s*[\"']([\w.]*)$")
_WORD = re.compile(r"((?:\w+\.)*)(\w*)$")
_CALLEE = re.compile(r"([A-Za-z_][\w.]*)\s*$")
_NAMED = re.compile(r"^\s*(\w+)\s*=(?!=)")
_DICT_KEY = re.compile(r"[\"'](\w+)[\"']\s*:")
_CLOSING, _OPENING = ")]}", "([{"
_BRACKET = re.compile(r"[()\[\]{}]")


@dataclass(frozen=True, slots=True)
class CallContext:
    """What can be told from the text before the cursor."""

    word: str = ""
    """The identifier that is being typed."""
    base: str = ""
    """What stands before its last dot: `aio` of `aio.get_or`."""
    callee: str = ""
    """The function whose brackets are open, without `aio.`."""
    placed: int = 0
    """How many arguments before this one are given by position."""
    named: frozenset[str] = frozenset()
    """Those given by name."""
    at_argument: bool = False
    """Whether an argument may begin here."""
    in_text: bool = False
    """In a string or a comment."""
    tool_name: bool = False
    """In the first string of a `call_tool`."""
    in_object: bool = False
    """Between the braces of the one object that a call is given, where a key may begin."""


def context_before(text: str) -> CallContext:
    """The context at the end of the text."""
    text = text[-REACH:]
    by_name = _BY_NAME.search(text)
    if by_name:
        return CallContext(word=by_name[1], in_text=True, tool_name=True)
    bare = _TEXTS.sub(lambda match: match[1] or "_" * len(match[0]), text)
    if _OPEN_TEXT.search(bare):
        return CallContext(in_text=True)
    found = _WORD.search(_last_line(bare))
    base, word = (found[1].rstrip("."), found[2]) if found else ("", "")
    before = len(bare) - len(word)
    callee, arguments, in_object = _open_call(bare[:before], _CALLEE)
    parts = split_arguments(arguments)
    empty = bool(callee) and not base and not parts[-1].strip()
    if in_object:
        # The keys are texts, which are hidden in what the brackets are looked for in.
        keys = frozenset(_DICT_KEY.findall(text[before - len(arguments) : before]))
        return CallContext(word, base, callee, 0, keys, in_object=empty)
    named = frozenset(match[1] for part in parts[:-1] if (match := _NAMED.match(part)))
    placed = sum(1 for part in parts[:-1] if not _NAMED.match(part))
    return CallContext(word, base, callee.removeprefix("aio."), placed, named, empty)


def word_before(text: str) -> str:
    """The identifier, or in the first string of a `call_tool` the tool's name, that the text ends in."""
    found = _BY_NAME.search(text) or _WORD.search(text)
    return found[found.lastindex or 0] if found else ""


def _last_line(text: str) -> str:
    return text[text.rfind("\n") + 1 :]


def _open_call(text: str, called: re.Pattern[str]) -> tuple[str, str, bool]:
    """What is called at the innermost open bracket, what it is given so far, and whether that is inside an object.

    The object, or dict, is the first argument.
    """
    depth = 0
    for bracket in reversed(list(_BRACKET.finditer(text))):
        if bracket[0] in _CLOSING:
            depth += 1
        elif depth:
            depth -= 1
        else:
            before = text[: bracket.start()].rstrip()[-LONGEST_NAME:]
            in_object = bracket[0] == "{" and before.endswith("(")
            name = called.search(before[:-1] if in_object else before) if in_object or bracket[0] == "(" else None
            return (name[1], text[bracket.end() :], in_object) if name else ("", "", False)
    return "", "", False


def split_arguments(arguments: str) -> list[str]:
    """The arguments, split at the commas that are not in brackets of their own."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


_JS_TEXTS = re.compile(
    r"/\*[\s\S]*?\*/|//[^\n]*(?=\n)"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
)
_JS_OPEN_TEXT = re.compile(r"//[^\n]*$|/\*[\s\S]*$|[\"'][^\n]*$|`[\s\S]*$")
_JS_BY_NAME = re.compile(r"\bcall_?[tT]ool\(\s*[\"'`]([\w.-]*)$")
_JS_WORD = re.compile(r"((?:[\w$]+\.)*)([\w$]*)$")
_KEY = re.compile(r"\s*([\w$]+)")


def js_context_before(text: str, root: str = "tools") -> CallContext:
    """The context at the end of the text; the callee is without the root, where there is one."""
    text = text[-REACH:]
    by_name = _JS_BY_NAME.search(text)
    if by_name:
        return CallContext(word=by_name[1], in_text=True, tool_name=True)
    bare = _JS_TEXTS.sub(lambda match: "_" * len(match[0]), text)
    open_text = _JS_OPEN_TEXT.search(bare)
    if open_text:
        _, placeholder, code = open_text[0].rpartition("${") if open_text[0].startswith("`") else ("", "", "")
        return js_context_before(code, root) if placeholder and "}" not in code else CallContext(in_text=True)
    found = _JS_WORD.search(bare)
    base, word = (found[1].rstrip("."), found[2]) if found else ("", "")
    callee, arguments, in_object = _open_call(bare[: len(bare) - len(word)], _js_callee(root))
    parts = split_arguments(arguments)
    named = frozenset(match[1] for part in parts[:-1] if in_object and (match := _KEY.match(part)))
    first = in_object or len(parts) == 1
    at_argument = bool(callee) and not base and first and not parts[-1].strip()
    return CallContext(word, base, callee, len(parts) - 1, named, at_argument, in_object=in_object)


def js_word_before(text: str) -> str:
    """The identifier, or in the first string of a `call_tool` the tool's name, that the text ends in."""
    found = _JS_BY_NAME.search(text) or _JS_WORD.search(text)
    return found[found.lastindex or 0] if found else ""


@cache
def _js_callee(root: str) -> re.Pattern[str]:
    before = rf"\b{root}\." if root else r"(?<![\w$.])"
    return re.compile(rf"{before}((?:[\w$]+\.)*[\w$]+)\s*$")


Kind = Literal["parameter", "tool", "namespace", "function", "class", "module", "keyword", "name"]
MOST = 200


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One line of the completion list."""

    text: str
    """What is inserted in place of the word."""
    kind: Kind
    detail: str = ""
    """Shown small beside it: a type, a signature."""
    signature: str = ""
    description: str = ""
    required: bool = False
    after: str = ""
    """Put in behind the cursor."""
    later: Callable[[], str] | None = field(default=None, compare=False, repr=False)
    """Gives the signature, where making it for every line of a list would take too long."""

    @property
    def shown_signature(self) -> str:
        return self.signature or (self.later() if self.later else "")


def tool_suggestions(context: CallContext, hints: Sequence[ToolHint]) -> list[Suggestion]:
    """Parameters first, where one may stand, then tools; best matches first."""
    if context.in_text and not context.tool_name:
        return []
    found = _parameters(context, hints) if context.at_argument else []
    if context.word or context.base or context.tool_name:
        found += _tools(context, hints)
    return ranked(found, context.word)


def callee_hint(context: CallContext, hints: Iterable[ToolHint]) -> ToolHint | None:
    """The tool whose call is being written."""
    return next((hint for hint in hints if hint.name == context.callee), None)


def ranked(found: Iterable[Suggestion], word: str) -> list[Suggestion]:
    """Those that fit the word: those that begin with it, then those that contain it, then its letters in order."""
    if not word:
        return list(found)[:MOST]
    ranks = [(_rank(each.text, word), index, each) for index, each in enumerate(found)]
    return [each for rank, _, each in sorted(ranks, key=lambda entry: entry[:2]) if rank < 4][:MOST]


def _rank(text: str, word: str) -> int:
    if text.startswith(word):
        return 0
    text, word = text.lower(), word.lower()
    if text.startswith(word):
        return 1
    if word in text:
        return 2
    letters = iter(text)
    return 3 if len(word) > 2 and all(letter in letters for letter in word) else 4


def _parameters(context: CallContext, hints: Sequence[ToolHint]) -> list[Suggestion]:
    hint = callee_hint(context, hints)
    if hint is None:
        return []
    by_place = [each for each in hint.parameters if not each.keyword_only]
    taken = {each.name for each in by_place[: context.placed]} | context.named
    left = [each for each in hint.parameters if each.name not in taken]
    return [_parameter(each, hint) for each in sorted(left, key=lambda each: not each.required)]


def _parameter(parameter: ParameterHint, hint: ToolHint) -> Suggestion:
    default = "" if parameter.required or parameter.default is None else f" = {parameter.default}"
    detail = (parameter.annotation + default).strip()
    return Suggestion(
        f"{parameter.name}=", "parameter", detail, hint.shown_signature, hint.description, parameter.required
    )


def _tools(context: CallContext, hints: Sequence[ToolHint]) -> list[Suggestion]:
    base = "" if context.base == "aio" else context.base.removeprefix("aio.")
    start = f"{base}." if base else ""
    found: dict[str, Suggestion] = {}
    for hint in hints:
        if not hint.name.startswith(start):
            continue
        name, dot, _ = hint.name[len(start) :].partition(".")
        if context.tool_name:
            name, dot = hint.name, ""
        if dot:
            found.setdefault(name, Suggestion(name, "namespace", "tools"))
        else:
            detail = ", ".join(each.name for each in hint.parameters)
            found[name] = Suggestion(name, "tool", f"({detail})", hint.shown_signature, hint.description)
    return list(found.values())


LANGUAGES = frozenset({"javascript", "typescript"})
ROOT = "tools"
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def js_suggestions(context: CallContext, hints: Sequence[ToolHint]) -> list[Suggestion]:
    """Keys of the object that a tool is given first, where one may stand, then tools; best matches first."""
    if context.in_text and not context.tool_name:
        return []
    found = _keys(context, hints) if context.at_argument else []
    if context.tool_name:
        found += [_tool(hint, hint.name) for hint in hints]
    elif context.base == ROOT or context.base.startswith(f"{ROOT}."):
        found += _below(context.base[len(ROOT) + 1 :], hints)
    elif context.word and not context.base and not context.in_object:
        found += _from_the_root(hints)
    return ranked(found, context.word)


def js_signature(hint: ToolHint) -> "DtsSignature":
    """The tool with the types that are exported for compilers."""
    from ptc_studio.exports.dts import dts_signature

    return dts_signature(shown_hint(hint))


def _keys(context: CallContext, hints: Sequence[ToolHint]) -> list[Suggestion]:
    hint = callee_hint(context, hints)
    if hint is None:
        return []
    signature = js_signature(hint)
    shown, defaults = str(signature), {each.name: each.default for each in hint.parameters}
    found: list[Suggestion] = []
    for name, kind in sorted(signature.parameters.items(), key=lambda entry: entry[0] not in signature.required):
        if name in context.named or not _NAME.fullmatch(name):
            continue
        text, after = (f"{name}: ", "") if context.in_object else (f"{{ {name}: ", " }")
        required, default = name in signature.required, defaults.get(name)
        detail = kind if required or default in (None, "None") else f"{kind} = {default}"
        found.append(Suggestion(text, "parameter", detail, shown, hint.description, required, after))
    return found


def _below(base: str, hints: Sequence[ToolHint]) -> Iterator[Suggestion]:
    """The tools and namespaces under a namespace, or under `tools` itself."""
    start = f"{base}." if base else ""
    found: dict[str, Suggestion] = {}
    for hint in hints:
        name, dot, _ = hint.name[len(start) :].partition(".") if hint.name.startswith(start) else ("", "", "")
        if not _NAME.fullmatch(name):
            continue
        if dot:
            found.setdefault(name, Suggestion(name, "namespace", "tools"))
        else:
            found[name] = _tool(hint, name)
    return iter(found.values())


def _from_the_root(hints: Sequence[ToolHint]) -> Iterator[Suggestion]:
    """A tool is found by its bare name, too, and put in with `tools.` before it."""
    yield Suggestion(ROOT, "namespace", "tools")
    yield from (_tool(hint, f"{ROOT}.{hint.name}") for hint in hints if all(map(_NAME.fullmatch, hint.name.split("."))))


def _tool(hint: ToolHint, text: str) -> Suggestion:
    names = ", ".join(each.name for each in hint.parameters)
    detail = f"({{ {names} }})" if names else "()"
    return Suggestion(text, "tool", detail, "", hint.description, later=lambda: str(js_signature(hint)))
