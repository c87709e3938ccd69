"""Puts the tools of all sources into the registry, and takes away those that are gone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from ptc_studio.core.errors import RegistrationError
from ptc_studio.core.registry import Registry
from ptc_studio.core.tools import LoadError, Permission, Tool, ToolSpec


@dataclass(frozen=True, slots=True)
class SourceRules:
    """What the workspace says of a source's tools beyond what they say themselves."""

    permission: Permission | None = None
    permissions: Mapping[str, Permission] = field(default_factory=dict[str, Permission])
    """By a tool's name or a pattern; the first that fits counts, before `permission`."""
    timeout: float | None = None
    namespace: str | None = None
    """The source's own name, if the user gave it one: `shop.price` then leads to its `price`."""

    def applied(self, tool: Tool) -> Tool:
        """The tool with these rules."""
        spec = tool.spec
        names = (spec.name, *spec.also)
        also = (*spec.also, *(f"{self.namespace}.{name}" for name in names if self.namespace))
        ruled = replace(
            spec,
            permission=self._permission_of(tool),
            timeout=self.timeout or spec.timeout,
            also=tuple(dict.fromkeys(also)),
        )
        return tool if ruled == spec else _RuledTool(tool, ruled)

    def _permission_of(self, tool: Tool) -> Permission:
        names = (tool.spec.name, *tool.spec.also)
        for pattern, permission in self.permissions.items():
            if any(fnmatchcase(name, pattern) for name in names):
                return permission
        return self.permission or tool.spec.permission


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
        self._disposers: dict[Tool, Callable[[], None]] = {}

    def update(self, offers: Sequence[Offer]) -> list[LoadError]:
        """Makes the registry hold what is offered; tools that stay are not touched. Gives the names taken twice."""
        first: dict[str, Tool] = {}
        for offer in offers:
            for tool in offer.tools:
                first.setdefault(tool.spec.name, tool)
        for tool in set(self._disposers) - set(first.values()):
            self._disposers.pop(tool)()
        return [error for offer in offers for tool in offer.tools if (error := self._register(tool, offer))]

    def _register(self, tool: Tool, offer: Offer) -> LoadError | None:
        if tool in self._disposers:
            return None
        try:
            self._disposers[tool] = self._registry.register(offer.rules.applied(tool))
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
