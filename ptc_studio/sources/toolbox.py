"""Makes the registry hold what the sources offer and what the workspace calls aliases."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ptc_studio.core.aliases import Alias
from ptc_studio.core.errors import RegistrationError
from ptc_studio.core.registry import Registry, check_alias_loops
from ptc_studio.core.tools import LoadError
from ptc_studio.sources.registration import Offer, RegisteredTools


@dataclass(frozen=True, slots=True)
class PlacedAlias:
    """An alias and where it is written."""

    alias: Alias
    file: str
    line: int | None


class Toolbox:
    """Everything that is registered. May be filled from any thread, one at a time."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._tools = RegisteredTools(registry)
        self._aliases: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def fill(self, offers: Callable[[], Sequence[Offer]], aliases: Sequence[PlacedAlias]) -> list[LoadError]:
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
