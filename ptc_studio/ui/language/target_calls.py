"""How a call of a tool is written where a script is going: for Insert call, completion and signatures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ptc_studio.targets import CallStyle, DeploymentTarget
from ptc_studio.ui.language.hints import ParameterHint, ToolHint
from ptc_studio.ui.language.suggestions import (
    LANGUAGES,
    CallContext,
    Suggestion,
    callee_hint,
    js_signature,
    js_suggestions,
    ranked,
    tool_suggestions,
)


@dataclass(frozen=True, slots=True)
class TargetCalls:
    """The tools as a target's scripts call them."""

    convention: CallStyle
    names: Mapping[str, str]
    """From the names there to the tools' own."""

    def name_of(self, own: str) -> str:
        """What the tool is called there; its own name if the target does not say."""
        return next((there for there, name in self._usable_names().items() if name == own), own)

    def call(self, own: str, needed: Sequence[str]) -> str:
        """A call with a place for every argument that is needed."""
        return self._written(self.name_of(own), dict.fromkeys(needed, ""))

    def signature(self, hint: ToolHint, there: str) -> str:
        """The call with the types of its arguments, and what comes back."""
        result = self.convention.gives
        if self.convention.takes_object:
            typed = js_signature(hint)
            result = result or (typed.result if typed.result != "any" else "")
            marks = {name: "" if name in typed.required else "?" for name in typed.parameters}
            types = {f"{name}{marks[name]}": kind for name, kind in typed.parameters.items()}
        else:
            types = {each.name: _typed(each, defaults="{keywords}" in self.convention.call) for each in hint.parameters}
        return self._written(there, types) + (f" -> {result}" if result else "")

    def hints(self, hints: Iterable[ToolHint]) -> tuple[ToolHint, ...]:
        """The tools under their names there."""
        by_tool = {hint.own_name: hint for hint in hints}
        names = self._usable_names()
        return tuple(self._renamed(by_tool[own], there) for there, own in names.items() if own in by_tool)

    def _usable_names(self) -> Mapping[str, str]:
        """Those that can be written as they are: identifiers; where the name is a text, the first of each tool."""
        if not self.convention.by_name:
            # Behind a root there are no namespaces: a dot is part of the name.
            parts = (lambda name: [name]) if self.convention.root else (lambda name: name.split("."))
            return {there: own for there, own in self.names.items() if all(map(str.isidentifier, parts(there)))}
        firsts = {own: there for there, own in reversed(list(self.names.items()))}
        return {there: own for there, own in self.names.items() if firsts[own] == there}

    def _renamed(self, hint: ToolHint, there: str) -> ToolHint:
        return ToolHint(
            there,
            "",
            hint.description,
            hint.parameters,
            hint.schema,
            hint.output,
            hint.own_name,
            hint.granted,
        )

    def _written(self, there: str, arguments: Mapping[str, str]) -> str:
        as_dict = ", ".join(f'"{name}": {value}' for name, value in arguments.items())
        as_object = ", ".join(f"{name}: {value}" for name, value in arguments.items())
        equals = ": " if any(arguments.values()) else "="
        written = {
            "{name}": there,
            "{dict}": f"{{{as_dict}}}",
            "{object}": f"{{ {as_object.rstrip()} }}" if as_object else "{}",
            "{keywords}": ", ".join(f"{name}{equals}{value}" for name, value in arguments.items()),
        }
        text = self.convention.call
        for place, value in written.items():
            text = text.replace(place, value)
        return text.replace(", )", ")")


def _typed(parameter: ParameterHint, *, defaults: bool) -> str:
    """The type, and where it can be written the default: what has one may be left out."""
    kind = parameter.annotation or "Any"
    return kind if parameter.required or not defaults else f"{kind} = {parameter.default or '...'}"


def calls_for(target: DeploymentTarget, names: Mapping[str, str]) -> TargetCalls | None:
    """How tools are called under the target; None where that is as everywhere here."""
    return TargetCalls(target.call, names) if target.call is not None else None


def target_suggestions(context: CallContext, hints: Sequence[ToolHint], calls: TargetCalls) -> list[Suggestion]:
    """The keys of the one object or dict that a tool is given, where one may stand, then tools; best matches first."""
    if context.in_text:
        return [_tool(hint, hint.name, calls) for hint in hints] if context.tool_name else []
    found = _keys(context, hints, calls) if context.at_argument or context.in_object else []
    if context.word or context.base:
        found += _tools(context, hints, calls)
    return ranked(found, context.word)


def _keys(context: CallContext, hints: Sequence[ToolHint], calls: TargetCalls) -> list[Suggestion]:
    hint = callee_hint(context, hints)
    if hint is None or (context.placed and not context.in_object):
        return []
    found: list[Suggestion] = []
    for each in sorted(hint.parameters, key=lambda parameter: not parameter.required):
        if each.name in context.named:
            continue
        key = f"{each.name}: " if calls.convention.takes_object else f'"{each.name}": '
        text, after = (key, "") if context.in_object else (f"{{{key}", "}")
        shown = calls.signature(hint, hint.name)
        found.append(Suggestion(text, "parameter", each.annotation, shown, hint.description, each.required, after))
    return found


def _tools(context: CallContext, hints: Sequence[ToolHint], calls: TargetCalls) -> list[Suggestion]:
    """Tools and namespaces under what stands before the dot; a bare word finds a tool with all that goes before it."""
    root = calls.convention.root
    if calls.convention.by_name:
        start, _, end = calls.convention.call.removeprefix("await ").partition("{name}")
        after = end.replace("{dict}", "{}").replace(", {keywords}", "")
        return [] if context.base else [_tool(hint, f"{start}{hint.name}{after}", calls) for hint in hints]
    if root and not context.base:
        return [Suggestion(root, "namespace", "tools"), *(_tool(hint, f"{root}.{hint.name}", calls) for hint in hints)]
    start = context.base.removeprefix(root).removeprefix(".")
    start = f"{start}." if start else ""
    found: dict[str, Suggestion] = {}
    for hint in hints:
        if hint.name.startswith(start):
            name, dot, _ = hint.name[len(start) :].partition(".")
            found.setdefault(name, Suggestion(name, "namespace", "tools") if dot else _tool(hint, name, calls))
    return list(found.values())


def _tool(hint: ToolHint, text: str, calls: TargetCalls) -> Suggestion:
    names = ", ".join(each.name for each in hint.parameters)
    signature = partial(calls.signature, hint, hint.name)
    return Suggestion(text, "tool", f"({names})", "", hint.description, later=signature)


def suggestions_at(
    context: CallContext, hints: Sequence[ToolHint], language: str, calls: TargetCalls | None
) -> list[Suggestion]:
    """What can be completed from the tools alone: as the target calls them, else as the language does."""
    is_js = language in LANGUAGES
    by_keywords = calls is not None and "{keywords}" in calls.convention.call and not calls.convention.by_name
    if calls is None or (by_keywords and not is_js):
        return (js_suggestions if is_js else tool_suggestions)(context, hints)
    return target_suggestions(context, hints, calls)
