"""What can be completed in JavaScript and TypeScript from the tools: `tools.calc.mul({ a: 1 })`."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ptc_studio.ui.language.call_context import CallContext
from ptc_studio.ui.language.hints import ToolHint
from ptc_studio.ui.language.shown_hints import shown_hint
from ptc_studio.ui.language.suggestions import Suggestion, callee_hint, ranked

if TYPE_CHECKING:
    from ptc_studio.exports.dts_signature import DtsSignature

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
    from ptc_studio.exports.dts_signature import dts_signature

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
