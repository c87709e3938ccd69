"""All tools and aliases by name, how a tool looks through an alias, and which of them a grant means."""

import difflib
import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from ptc_studio.core.errors import RegistrationError, ToolNotFound
from ptc_studio.core.names import flat_names, free_name
from ptc_studio.core.permissions import Rule, decided
from ptc_studio.core.tools import JsonSchema, Parameter, Permission, Tool, ToolSpec

_WILD = frozenset("*?[")


def is_wild(pattern: str) -> bool:
    """Whether it may mean other names than itself."""
    return not _WILD.isdisjoint(pattern)


@dataclass(frozen=True, slots=True)
class Grant:
    """A set of names and patterns such as `shop.*`; None stands for everything that is loaded."""

    patterns: tuple[str, ...] | None = None
    _names: frozenset[str] = field(init=False, repr=False, compare=False)
    """Looked up rather than gone through: a grant of a thousand names is asked of a thousand tools."""
    _wild: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        patterns = self.patterns or ()
        object.__setattr__(self, "_names", frozenset(patterns))
        object.__setattr__(self, "_wild", tuple(filter(is_wild, patterns)))

    def allows(self, names: Iterable[str], in_source: str | None = None) -> bool:
        """True if the grant means a thing that goes by these names, or by `in_source`, as in `shop.*`."""
        if self.patterns is None:
            return True
        names = tuple(names)
        if not self._names.isdisjoint(names):
            return True
        # A pattern without a dot says nothing of sources: `f*` must not mean all that is in `functions`.
        if in_source and "." in in_source and in_source in self._names:
            return True
        return any(
            fnmatchcase(name, pattern)
            for pattern in self._wild
            for name in (*names, *((in_source,) if in_source and "." in pattern else ()))
        )


EVERYTHING = Grant()


@dataclass(frozen=True, slots=True)
class Alias:
    """A second face of a tool."""

    name: str
    tool: str
    description: str | None = None
    preset: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Arguments that are fixed: the script can neither see nor override them."""
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Arguments that the script may leave out."""
    timeout: float | None = None
    permission: Permission | None = None
    redact: tuple[str, ...] = ()
    """Further key names whose values are hidden in calls of this alias."""
    enabled: bool = True
    hidden: tuple[str, ...] = ()
    """Parameters that the script neither sees nor gives: the tool's own default is used."""

    @property
    def unseen(self) -> frozenset[str]:
        """The parameters that do not exist for the script."""
        return frozenset((*self.preset, *self.hidden))


def spec_through(alias: Alias, spec: ToolSpec) -> ToolSpec:
    """The tool as a script sees it under the alias: presets gone, defaults filled in."""
    own = Rule(f"alias {alias.name!r}", alias.permission)
    permission, decided_by = decided(own, Rule(spec.permission_by, spec.permission))
    return replace(
        spec,
        name=alias.name,
        description=alias.description if alias.description is not None else spec.description,
        doc=alias.description if alias.description is not None else _doc_through(alias, spec),
        parameters=_schema_through(alias, spec.parameters),
        signature=_signature_through(alias, spec.signature),
        also=(),
        timeout=alias.timeout if alias.timeout is not None else spec.timeout,
        permission=permission,
        permission_by=decided_by,
    )


def _doc_through(alias: Alias, spec: ToolSpec) -> str:
    """The whole documentation tells of all parameters, also of those that do not exist for the script."""
    return spec.description if alias.unseen else spec.doc


def _schema_through(alias: Alias, schema: JsonSchema) -> JsonSchema:
    properties = {name: part for name, part in schema.get("properties", {}).items() if name not in alias.unseen}
    for name, value in alias.defaults.items():
        if name in properties:
            properties[name] = {**properties[name], "default": value}
    filled = {*alias.unseen, *alias.defaults}
    seen: dict[str, Any] = {**schema, "properties": properties}
    seen["required"] = [name for name in schema.get("required", []) if name not in filled]
    return seen


def _signature_through(alias: Alias, signature: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    seen: list[Parameter] = []
    optional_before = False
    for parameter in signature:
        if parameter.name in alias.unseen:
            continue
        if parameter.name in alias.defaults:
            parameter = replace(parameter, required=False, default=alias.defaults[parameter.name])
        # A required parameter cannot follow an optional one by position, so it is by keyword from here on.
        if optional_before and parameter.required:
            parameter = replace(parameter, keyword_only=True)
        optional_before = optional_before or not parameter.required
        seen.append(parameter)
    return tuple(sorted(seen, key=lambda parameter: parameter.keyword_only))


Dispose = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Target:
    """What a name leads to."""

    tool: Tool
    spec: ToolSpec
    """As the script sees it: the tool's own, or the one seen through the alias."""
    alias: Alias | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which a grant may mean this target."""
        return (self.spec.name, *self.spec.also)

    def granted_by(self, grant: Grant) -> bool:
        """Whether the grant means this target, by a name of its own or as one of its source."""
        return grant.allows(self.names, f"{self.spec.source}.{self.spec.name}")


class Registry:
    """Holds tools and aliases. The index is made anew at the first look after a change: readers need no lock."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._aliases: dict[str, Alias] = {}
        self._changes = 0
        self._built: tuple[int, NameIndex] | None = None
        self._rebuilding = False
        self._before: tuple[tuple[Tool, ...], tuple[Alias, ...]] = ((), ())
        self._tool_index: Mapping[str, Target] | None = None

    def register(self, tool: Tool) -> Dispose:
        """Makes the tool callable; the answer takes it away again."""
        spec = tool.spec
        taken = self._tools.get(spec.name)
        if taken is not None:
            raise RegistrationError(
                f"The name {spec.name!r} is taken: {_owner(taken.spec)} and {_owner(spec)} both define it; rename one."
            )
        if spec.name in self._aliases:
            raise RegistrationError(f"The tool {spec.name!r} of {_owner(spec)} has the name of an alias; rename one.")
        self._tools[spec.name] = tool
        self._on_change()

        def dispose() -> None:
            if self._tools.get(spec.name) is tool:
                del self._tools[spec.name]
                self._on_change()

        return dispose

    def register_alias(self, alias: Alias) -> Dispose:
        """Makes the alias callable; the answer takes it away again."""
        self._check_alias(alias)
        self._aliases[alias.name] = alias
        self._on_change(self._tool_index)

        def dispose() -> None:
            if self._aliases.get(alias.name) is alias:
                del self._aliases[alias.name]
                self._on_change()

        return dispose

    @contextmanager
    def all_at_once(self) -> Generator[None]:
        """Until its end, readers see what there was before: what only goes to come back is there all the time.

        For one thread at a time.
        """
        # What is read meanwhile is made of this, by whoever reads first.
        self._before = (tuple(self._tools.values()), tuple(self._aliases.values()))
        self._rebuilding = True
        try:
            yield
        finally:
            self._rebuilding = False
            self._on_change()

    def resolve(self, name: str) -> Target:
        """The tool or alias of that name, or of the name that it is the identifier-safe twin of."""
        return self.find(name) or _found(name, self._index.targets)

    def find(self, name: str) -> Target | None:
        """The same, or None if there is no such name."""
        index = self._index
        return index.targets.get(name) or (index.flat.get(name) if "_" in name else None)

    def flat_names(self, words: Iterable[str]) -> Mapping[str, str]:
        """Those of the words that are names under which tools were exported, and the tools' own names."""
        index = self._index
        if not any("_" in word for word in words):
            return {}
        flat = index.flat
        return {word: flat[word].spec.name for word in words if word in flat and word not in index.targets}

    def targets(self, grant: Grant) -> list[Target]:
        """What a script with that grant may call, each once, sorted by name."""
        index = self._index
        return [index.targets[name] for name in sorted(index.names) if index.targets[name].granted_by(grant)]

    def names_of(self, target: Target) -> tuple[str, ...]:
        """Every name that leads to the target, its own first."""
        return self._index.names[target.spec.name]

    def has_tool(self, name: str) -> bool:
        """Whether a tool, and no alias, has that name, as of now."""
        return name in self._tools_alone()

    @property
    def tools(self) -> list[Tool]:
        return sorted(self._tools.values(), key=lambda tool: tool.spec.name)

    @property
    def aliases(self) -> list[Alias]:
        return sorted(self._aliases.values(), key=lambda alias: alias.name)

    @property
    def _index(self) -> "NameIndex":
        # The count tells an index that was outdated while another thread built it.
        built, changes = self._built, self._changes
        if built is None or built[0] != changes:
            now = self._before if self._rebuilding else (tuple(self._tools.values()), tuple(self._aliases.values()))
            built = self._built = (changes, NameIndex(*now))
        return built[1]

    def _on_change(self, tools: Mapping[str, Target] | None = None) -> None:
        self._tool_index = tools
        if not self._rebuilding:
            self._changes += 1

    def _check_alias(self, alias: Alias) -> None:
        if alias.name in self._aliases:
            raise RegistrationError(f"There are two aliases named {alias.name!r}; rename one.")
        index = self._tools_alone()
        shadowed = index.get(alias.name)
        if shadowed is not None:
            raise RegistrationError(
                f"The alias {alias.name!r} would shadow the tool of that name in {_owner(shadowed.spec)}; rename it."
            )
        if alias.tool in self._aliases:
            raise RegistrationError(
                f"The alias {alias.name!r} leads to the alias {alias.tool!r}; name the tool itself: "
                f"{self._aliases[alias.tool].tool!r}."
            )
        try:
            spec = _found(alias.tool, index).spec
        except ToolNotFound as error:
            raise RegistrationError(f"The alias {alias.name!r} leads nowhere. {error}") from None
        self._check_arguments(alias, spec)

    def _tools_alone(self) -> Mapping[str, Target]:
        """What the names of tools lead to, as of now, whatever readers see."""
        if self._tool_index is None:
            self._tool_index = NameIndex(tuple(self._tools.values()), ()).targets
        return self._tool_index

    def _check_arguments(self, alias: Alias, spec: ToolSpec) -> None:
        known = spec.parameters.get("properties", {})
        needed = [name for name in alias.hidden if name in spec.parameters.get("required", ())]
        if needed:
            raise RegistrationError(
                f"The alias {alias.name!r} hides {needed[0]!r}, which {spec.name!r} requires; preset it instead."
            )
        for name in (*alias.preset, *alias.defaults, *alias.hidden):
            if name not in known and spec.parameters.get("additionalProperties") is False:
                raise RegistrationError(
                    f"The alias {alias.name!r} sets {name!r}, but {spec.name!r} takes {', '.join(known) or 'nothing'}."
                )


class NameIndex:
    """Every name and what it leads to; every target and the names that lead to it, its own first."""

    def __init__(self, tools: tuple[Tool, ...], aliases: tuple[Alias, ...]) -> None:
        own = [Target(tool, tool.spec) for tool in tools]
        index = {target.spec.name: target for target in own}
        _add_unambiguous(index, ((name, target) for target in own for name in target.spec.also))
        _add_unambiguous(index, _twins(index))
        for alias in aliases:
            target = index.get(alias.tool)
            if target is not None and alias.enabled:
                index[alias.name] = Target(target.tool, spec_through(alias, target.spec), alias)
        _add_unambiguous(index, _twins(index))
        self.targets: Mapping[str, Target] = index
        self.names: dict[str, tuple[str, ...]] = {}
        for name, target in index.items():
            first = target.spec.name
            self.names[first] = (*self.names.get(first, (first,)), *(() if name == first else (name,)))

    @cached_property
    def flat(self) -> Mapping[str, Target]:
        """What models were told as names, by `exported_names`: where dots are not taken."""
        found = flat_names(self.names)
        return {flat: self.targets[names[0]] for flat, names in found.items() if len(names) == 1}


def _found(name: str, index: Mapping[str, Target]) -> Target:
    target = index.get(name)
    if target is None:
        near = difflib.get_close_matches(name, index, n=1)
        raise ToolNotFound(name, near[0] if near else None)
    return target


def check_alias_loops(aliases: Iterable[Alias]) -> None:
    """Raises RegistrationError where aliases lead to each other in a circle."""
    leads = {alias.name: alias.tool for alias in aliases}
    for start in leads:
        path = [start]
        while path[-1] in leads:
            path.append(leads[path[-1]])
            if path[-1] == start:
                raise RegistrationError(f"The aliases {' -> '.join(path)} lead round in a circle; name a tool.")
            if len(path) > len(leads) + 1:
                break


def identifier(name: str) -> str:
    """The name with whatever no identifier may hold replaced; dots between namespaces stay."""
    parts = (re.sub(r"\W", "_", part) for part in name.split("."))
    return ".".join(f"_{part}" if part[:1].isdigit() else part for part in parts)


def _twins(index: Mapping[str, Target]) -> list[tuple[str, Target]]:
    """The form of every name that is no identifier, or means something of Python's, which is free."""
    return [(safe, target) for name, target in index.items() if (safe := free_name(identifier(name))) != name]


def _add_unambiguous(index: dict[str, Target], names: Iterable[tuple[str, Target]]) -> None:
    """Adds second names; one that two tools want leads to neither, and none replaces a first name."""
    wanted: dict[str, list[Target]] = {}
    for name, target in names:
        wanted.setdefault(name, []).append(target)
    for name, targets in wanted.items():
        if name not in index and len(targets) == 1:
            index[name] = targets[0]


def _owner(spec: ToolSpec) -> str:
    return f"{spec.source} ({spec.origin})" if spec.origin else spec.source
