"""Makes the registry hold what the sources offer and what the workspace calls aliases."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from ptc_studio.core.errors import RegistrationError
from ptc_studio.core.permissions import Rule, decided
from ptc_studio.core.registry import Alias, Registry, check_alias_loops
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
class OfferedTools:
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

    def update(self, offers: Sequence[OfferedTools]) -> list[LoadError]:
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

    def _register(self, tool: Tool, offer: OfferedTools) -> LoadError | None:
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


@dataclass(frozen=True, slots=True)
class PlacedAlias:
    """An alias and where it is written."""

    alias: Alias
    file: str
    line: int | None


class RegistrySync:
    """Everything that is registered. May be filled from any thread, one at a time."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._tools = RegisteredTools(registry)
        self._aliases: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def fill(self, offers: Callable[[], Sequence[OfferedTools]], aliases: Sequence[PlacedAlias]) -> list[LoadError]:
        """Gives what could not be registered, such as a name that is taken."""
        with self._lock, self._registry.all_at_once():
            # Aliases go first and come back last: a new tool may have the name of one, or be what one leads to.
            while self._aliases:
                self._aliases.pop()()
            # Asked for under the lock: of two who fill it, the later one has the later offers.
            return [*self._tools.update(offers()), *self._register(aliases)]

    def _register(self, placed: Sequence[PlacedAlias]) -> list[LoadError]:
        aliases = {one.alias.name: one.alias for one in placed}
        errors: list[LoadError] = []
        # Those that lead to another alias come last, so that the registry knows that one, wherever in the file it is.
        for one in sorted(placed, key=lambda one: one.alias.tool in aliases):
            try:
                self._check_circle(one.alias.name, aliases)
                self._aliases.append(self._registry.register_alias(one.alias))
            except RegistrationError as error:
                errors.append(LoadError("aliases", one.file, one.line, str(error)))
        return sorted(errors, key=lambda error: error.line or 0)

    def _check_circle(self, name: str, aliases: Mapping[str, Alias]) -> None:
        """Only of the aliases that this one leads through: a circle elsewhere is not its concern."""
        path: dict[str, Alias] = {}
        while name in aliases and name not in path and not self._is_tool(name):
            path[name] = aliases[name]
            name = aliases[name].tool
        check_alias_loops(path.values())

    def _is_tool(self, name: str) -> bool:
        return any(name in (tool.spec.name, *tool.spec.also) for tool in self._registry.tools)
