"""What can be completed from the tools alone: their names, their namespaces and their parameters."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ptc_studio.ui.language.context import CallContext
from ptc_studio.ui.language.hints import ParameterHint, ToolHint, shown_hint

if TYPE_CHECKING:
    from ptc_studio.exports.dts import DtsSignature


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
