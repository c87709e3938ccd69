"""Makes the registry hold what the sources offer and what the workspace calls aliases."""

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, cast

from ptc_studio.core.errors import RegistrationError
from ptc_studio.core.names import clash, free_name, is_displaced
from ptc_studio.core.permissions import Rule, decided
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.registry import Alias, Registry, check_alias_loops, identifier
from ptc_studio.core.tools import LoadError, Parameter, Permission, PutOff, Tool, ToolSpec, put_off


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
        timeout, also = self.timeout or spec.timeout, tuple(dict.fromkeys(also))
        permission, decided_by = decided(*self._rules_for(spec, also))
        if (timeout, also, permission, decided_by) == (spec.timeout, spec.also, spec.permission, spec.permission_by):
            return tool
        changes: dict[str, Any] = {"timeout": timeout, "also": also, "permission": permission}
        return _RuledTool(tool, replace(spec, parameters=spec.as_it_is, permission_by=decided_by, **changes))

    def _rules_for(self, spec: ToolSpec, also: Iterable[str]) -> Iterator[Rule]:
        """The most specific first."""
        names = _in_source((spec.name, *also), self.source)
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
    return _in_source((spec.name, *spec.also), source)


def _in_source(names: Sequence[str], source: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*names, *(name.removeprefix(f"{source}.") for name in names))))


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """The tools that a source has now."""

    source: str
    tools: Sequence[Tool]
    rules: SourceRules = SourceRules()
    location: tuple[str, int | None] | None = None
    """Where its entry stands, if its name is the user's and no other source may have it."""


class RegisteredTools:
    """What is registered, for all sources together: of two tools with one name the first source's counts."""

    def __init__(self, registry: Registry, redactor: Callable[[], Redactor] = Redactor) -> None:
        self._registry = registry
        self._redactor = redactor
        self._registered: dict[Tool, tuple[SourceRules, Callable[[], None]]] = {}
        """By which rules each is registered, and how it is taken out again."""

    def update(self, offers: Sequence[OfferedTools]) -> list[LoadError]:
        """Makes the registry hold what is offered; tools that stay, with the same rules, are not touched.

        Gives the names taken twice.
        """
        first: dict[str, tuple[Tool, SourceRules]] = {}
        offers, errors = _named_once(offers)
        for offer in offers:
            for tool in offer.tools:
                first.setdefault(tool.spec.name, (tool, offer.rules))
        wanted = dict(first.values())
        for tool, (rules, dispose) in tuple(self._registered.items()):
            if wanted.get(tool) != rules:
                del self._registered[tool]
                dispose()
        redactor = self._redactor()
        taken = [error for offer in offers for tool in offer.tools if (error := self._register(tool, offer, redactor))]
        return [*errors, *taken, *_displaced(offers)]

    def _register(self, tool: Tool, offer: OfferedTools, redactor: Redactor) -> LoadError | None:
        if tool in self._registered:
            return None
        try:
            ruled = offer.rules.applied(tool)
            spec = presentable(ruled.spec, redactor)
            ruled = ruled if spec is ruled.spec else _RuledTool(ruled, spec)
            self._registered[tool] = offer.rules, self._registry.register(ruled)
        except RegistrationError as error:
            return LoadError(offer.source, *_place_of(tool.spec, offer), str(error))
        return None


def _place_of(spec: ToolSpec, offer: OfferedTools) -> tuple[str, int | None]:
    """Where the tool is written: a file and its line, or else its source; what is sent to an address is no file."""
    file, _, line = spec.origin.rpartition(":")
    if line.isdigit() and "://" not in file:
        return file, int(line)
    return offer.location or (offer.source, None)


def _named_once(offers: Sequence[OfferedTools]) -> tuple[list[OfferedTools], list[LoadError]]:
    """Without those whose name an earlier source has: that is one slip, and not one of each of its tools."""
    named: dict[str, OfferedTools] = {}
    errors: list[LoadError] = []
    kept: list[OfferedTools] = []
    for offer in offers:
        if offer.location is None or named.setdefault(offer.source, offer) is offer:
            kept.append(offer)
            continue
        file, line = offer.location
        before = named[offer.source].location
        where = f" in line {before[1]}" if before and before[1] else ""
        message = f"There is a source named {offer.source!r} already{where}: this one's tools are left out; rename one."
        errors.append(LoadError(offer.source, file, line, message))
    return kept, errors


def _displaced(offers: Sequence[OfferedTools]) -> Iterator[LoadError]:
    """Tells of tools whose names mean something else in Python: one line a source that has such a name, or a tool."""
    for offer in offers:
        found = [tool.spec for tool in offer.tools if is_displaced(tool.spec.name)]
        whole = offer.location is not None and is_displaced(offer.source)
        for spec in found[:1] if whole else found:
            what = f"source {offer.source!r}" if whole else f"tool {spec.name!r}"
            safe = free_name(identifier(spec.name))
            message = f"The {what} has the name of {clash(spec.name)}, which keeps it: scripts in Python call {safe!r}."
            place = offer.location if whole and offer.location else _place_of(spec, offer)
            yield LoadError(offer.source, *place, message)


def presentable(spec: ToolSpec, redactor: Redactor) -> ToolSpec:
    """What everybody may see of a tool: listings, forms, models and exports have it from the registry.

    A hidden default is left out of the schema, for a form would send what it shows; the tool has its own.
    """

    def text(value: str) -> str:
        return cast("str", redactor.text(value, "definition").value)

    def parameter(each: Parameter) -> Parameter:
        if each.default is None or isinstance(each.default, (bool, int, float)):
            return each
        shown = redactor.value({each.name: each.default}, "definition")
        return replace(each, default=next(iter(shown.value.values()))) if shown.redactions else each

    given: Any = spec.as_it_is
    # What was put off is hidden when it is made.
    lazy = isinstance(given, PutOff)
    shown: Any = put_off(lambda: _shown_schema(given.made(), redactor)) if lazy else _shown_schema(given, redactor)
    changes: dict[str, Any] = {
        "description": text(spec.description),
        "doc": text(spec.doc),
        "output": None if spec.output is None else _shown_schema(spec.output, redactor),
        "signature": tuple(map(parameter, spec.signature)),
    }
    if shown is given and all(getattr(spec, name) == value for name, value in changes.items()):
        return spec
    return replace(spec, parameters=shown, **changes)


def _shown_schema(schema: Any, redactor: Redactor, name: str = "") -> Any:
    """The schema without secrets in its texts, and without defaults that hold one; the same if there are none."""
    if isinstance(schema, str):
        return redactor.text(schema, "definition").value
    if isinstance(schema, list | tuple):
        items = cast("list[Any]", schema)
        shown = [_shown_schema(item, redactor, name) for item in items]
        return items if all(new is old for new, old in zip(shown, items, strict=True)) else shown
    if not isinstance(schema, Mapping):
        return schema
    found: dict[str, Any] = {}
    pairs = cast("Mapping[str, Any]", schema)
    for key, item in pairs.items():
        if key in ("default", "const") and redactor.value({name: item}, "definition").redactions:
            continue
        found[key] = _shown_schema(item, redactor, key if isinstance(item, Mapping) else name)
    same = len(found) == len(pairs) and all(found[key] is pairs[key] for key in pairs)
    return pairs if same else found


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

    def __init__(self, registry: Registry, redactor: Callable[[], Redactor] = Redactor) -> None:
        self._registry = registry
        self._tools = RegisteredTools(registry, redactor)
        self._aliases: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._asked = itertools.count(1)
        self._last_asked = 0
        self._filled = 0

    def fill(
        self, offers: Callable[[], Sequence[OfferedTools]], aliases: Callable[[], Sequence[PlacedAlias]]
    ) -> list[LoadError] | None:
        """Gives what could not be registered, such as a name that is taken; None if another did it meanwhile.

        Both are asked for when it begins: of all who wait for their turn, the first one does it for all.
        """
        self._last_asked = asked = next(self._asked)
        with self._lock:
            if self._filled >= asked:
                return None
            self._filled = self._last_asked
            return self._fill(offers(), aliases())

    def _fill(self, offers: Sequence[OfferedTools], aliases: Sequence[PlacedAlias]) -> list[LoadError]:
        with self._registry.all_at_once():
            # Aliases go first and come back last: a new tool may have the name of one, or be what one leads to.
            while self._aliases:
                self._aliases.pop()()
            return [*self._tools.update(offers), *self._register(aliases)]

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
        return self._registry.has_tool(name)
