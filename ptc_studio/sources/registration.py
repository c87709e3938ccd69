"""Puts the tools of all sources into the registry, and takes away those that are gone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from ptc_studio.core.errors import RegistrationError
from ptc_studio.core.permissions import Rule, decided
from ptc_studio.core.registry import Registry
from ptc_studio.core.tools import LoadError, Permission, Tool, ToolSpec


@dataclass(frozen=True, slots=True)
class SourceRules:
    """What the workspace says of a source's tools beyond what they say themselves."""

    permission: Permission | None = None
    permissions: Mapping[str, Permission] = field(default_factory=dict[str, Permission])
    """By a tool's name or a pattern; a name counts before all patterns, and any of them before `permission`."""
    timeout: float | None = None
    namespace: str | None = None
    """The source's own name, if the user gave it one: `shop.price` then leads to its `price`."""
    source: str = ""
    """The name that messages use, whoever gave it."""

    def applied(self, tool: Tool) -> Tool:
        """The tool with these rules."""
        spec = tool.spec
        names = (spec.name, *spec.also)
        also = (*spec.also, *(f"{self.namespace}.{name}" for name in names if self.namespace))
        spec = replace(spec, timeout=self.timeout or spec.timeout, also=tuple(dict.fromkeys(also)))
        permission, decided_by = decided(*self._rules_for(spec))
        ruled = replace(spec, permission=permission, permission_by=decided_by)
        return tool if ruled == tool.spec else _RuledTool(tool, ruled)

    def _rules_for(self, spec: ToolSpec) -> Iterator[Rule]:
        """The most specific first."""
        names = names_in_source(spec, self.source)
        for name in names:
            yield Rule(f"tool {spec.name!r}", self.permissions.get(name))
        for pattern, permission in self.permissions.items():
            if any(fnmatchcase(name, pattern) for name in names):
                yield Rule(f"{pattern!r} of source {self.source!r}", permission)
        yield Rule(f"source {self.source!r}", self.permission)
        if spec.permission != "allow":
            yield Rule(spec.permission_by or ITSELF, spec.permission)


ITSELF = "the tool itself"


def names_in_source(spec: ToolSpec, source: str) -> tuple[str, ...]:
    """Every name by which the source's entry may speak of the tool: with the source's own before it, or without."""
    names = (spec.name, *spec.also)
    return tuple(dict.fromkeys((*names, *(name.removeprefix(f"{source}.") for name in names))))


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools that a source has now."""

    source: str
    tools: Sequence[Tool]
    rules: SourceRules = SourceRules()


class RegisteredTools:
    """What is registered, for all sources together: of two tools with one name the first source's counts."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._registered: dict[Tool, tuple[SourceRules, Callable[[], None]]] = {}
        """By which rules each is registered, and how it is taken out again."""

    def update(self, offers: Sequence[Offer]) -> list[LoadError]:
        """Makes the registry hold what is offered; tools that stay, with the same rules, are not touched.

        Gives the names taken twice.
        """
        first: dict[str, tuple[Tool, SourceRules]] = {}
        for offer in offers:
            for tool in offer.tools:
                first.setdefault(tool.spec.name, (tool, offer.rules))
        wanted = dict(first.values())
        for tool, (rules, dispose) in tuple(self._registered.items()):
            if wanted.get(tool) != rules:
                del self._registered[tool]
                dispose()
        return [error for offer in offers for tool in offer.tools if (error := self._register(tool, offer))]

    def _register(self, tool: Tool, offer: Offer) -> LoadError | None:
        if tool in self._registered:
            return None
        try:
            self._registered[tool] = offer.rules, self._registry.register(offer.rules.applied(tool))
        except RegistrationError as error:
            file, _, line = tool.spec.origin.rpartition(":")
            return LoadError(offer.source, file, int(line) if line.isdigit() else None, str(error))
        return None


class _RuledTool:
    """A tool with the permission, timeout and names that its source's rules give it."""

    def __init__(self, tool: Tool, spec: ToolSpec) -> None:
        self.bind = tool.bind
        self.invoke = tool.invoke
        self.spec = spec
