"""What the names of a script lead to: tools, namespaces of tools, and the few functions of the studio's own."""

import builtins
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from pydantic_monty import ClassInstance

from ptc_studio.core.scripts import Visible

AIO = "aio"
STUDIO = frozenset(("call_tool", "call_tool_async", "help", "exit", "quit", "input"))


class Tools:
    """Tools that share a beginning of their names, as Monty is shown them."""


class Names:
    """Resolves what Monty asks for. A tool that has the name of a built-in function is the one that counts."""

    def __init__(self, tools: Iterable[Visible]) -> None:
        self.tools = {name: visible for visible in tools for name in visible.names}
        self._members = _members(self.tools)
        self._spaces: dict[str, ClassInstance] = {}
        self._names_of: dict[UUID, str] = {}

    def given_ahead(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """What Monty has to be given ahead, for it asks only for names that mean nothing to it: the variables, and
        the tools that share a name with one of them or with a built-in function."""
        roots = {name.partition(".")[0] for name in self.tools}
        shadowing = {root for root in roots if root in variables or (hasattr(builtins, root) and root not in STUDIO)}
        return {**variables, **{root: self.value(root) for root in shadowing}}

    def value(self, name: str) -> Any:
        """What the bare name stands for in the script; raises KeyError if it stands for nothing."""
        if self._members_of(name):
            return self._space(name)
        if name in self.tools or name in STUDIO:
            return _function(name)
        raise KeyError(name)

    def called(self, name: str, receiver: UUID | None) -> str:
        """The whole name of what is called: Monty tells a namespace apart from what is looked for in it."""
        if receiver is None:
            return name
        space = self._names_of.get(receiver, "?")
        return space if name == "__call__" else f"{space}.{name}"

    def members_of(self, space: str) -> list[str]:
        """The names of the namespace's members, without its own."""
        return sorted(self._members_of(space))

    def _members_of(self, space: str) -> set[str]:
        """Those of `aio.calc` are those of `calc`; `aio` itself holds everything."""
        return self._members.get("" if space == AIO else space.removeprefix(f"{AIO}."), set())

    def _space(self, name: str) -> ClassInstance:
        if name not in self._spaces:
            holder = Tools()
            for member in self._members_of(name):
                whole = f"{name}.{member}"
                vars(holder)[member] = self._space(whole) if self._members_of(whole) else _function(whole)
            self._spaces[name] = space = ClassInstance(holder, eager_attrs=list(vars(holder)))
            self._names_of[space.id] = name
        return self._spaces[name]


def _members(names: Iterable[str]) -> dict[str, set[str]]:
    """What each namespace holds; the empty name stands for the outermost."""
    found: dict[str, set[str]] = {}
    for name in names:
        space = ""
        for part in name.split("."):
            found.setdefault(space, set()).add(part)
            space = f"{space}.{part}" if space else part
    return found


def _function(name: str) -> Any:
    """Stands for a tool: Monty shows its name, and never calls it here."""

    def stand_in() -> None: ...

    stand_in.__name__ = name
    return stand_in
