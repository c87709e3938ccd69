"""What the names of a script lead to: tools, namespaces of tools, and the few functions of the studio's own."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from pydantic_monty import ClassInstance

from ptc_studio.core.scripts import Job, Visible
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.runtimes.monty.errors import ELSEWHERE, missing_module

AIO = "aio"
STUDIO = frozenset(("call_tool", "call_tool_async", "help", "exit", "quit", "input"))


class Tools:
    """Tools that share a beginning of their names, as Monty is shown them."""


class Names:
    """Resolves what Monty asks for: only names that mean nothing to it. What Python has built in keeps its name."""

    def __init__(self, tools: Iterable[Visible]) -> None:
        self.tools = {name: visible for visible in tools for name in visible.names}
        self._members = _members(self.tools)
        self._spaces: dict[str, ClassInstance] = {}
        self._names_of: dict[UUID, str] = {}

    def given_ahead(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """What Monty has to be given ahead, for it asks only for names that mean nothing to it: the variables, and
        the tools that share a name with one of them."""
        roots = {name.partition(".")[0] for name in self.tools}
        return {**variables, **{root: self.value(root) for root in roots if root in variables}}

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


def answer_studio_function(name: str, args: tuple[Any, ...], names: Names, job: Job) -> dict[str, Any]:
    """The answer to a call that is none of a tool."""
    match name:
        case "help":
            job.write("stdout", _help(str(args[0]) if args else "", names))
            return {"return_value": None}
        case "exit" | "quit":
            return {"exc_type": "SystemExit", "message": "" if not args or args[0] is None else str(args[0])}
        case "input":
            return {"exc_type": "Exception", "message": "EOFError: a script here has no input"}
    space, dot, member = name.rpartition(".")
    if dot:
        return {"exc_type": "AttributeError", "message": missing_member(space, member, names)}
    return {"exc_type": "NameError", "message": missing_name(name, names)}


def missing_name(name: str, names: Names) -> str:
    """What is said of a name that means nothing."""
    message = f"name {name!r} is not defined"
    return message if names.tools else f"{message}; no tools are granted to this script"


def missing_member(space: str, member: str, names: Names) -> str:
    """What is said of a namespace that has no such tool."""
    return f"there is no tool {space}.{member}; {space} has {', '.join(names.members_of(space)) or 'none'}"


def _help(name: str, names: Names) -> str:
    visible = names.tools.get(name.removeprefix(f"{AIO}."))
    if visible is None:
        listed = "".join(f"  {_signature(one, tool.target.spec)}\n" for one, tool in sorted(names.tools.items()))
        return f"The tools of this script:\n{listed}" if listed else "No tools are granted to this script.\n"
    spec = visible.target.spec
    doc = "".join(f"    {line}\n" for line in (spec.doc or spec.description).splitlines())
    return f"{_signature(name, spec)}\n{doc}"


def _signature(name: str, spec: ToolSpec) -> str:
    return f"{name}({', '.join(map(_parameter, spec.signature))})"


def _parameter(parameter: Parameter) -> str:
    kind = f": {parameter.annotation}" if parameter.annotation else ""
    if parameter.required:
        return f"{parameter.name}{kind}"
    return f"{parameter.name}{kind} = {parameter.default!r}" if kind else f"{parameter.name}={parameter.default!r}"


SLEEP, ASYNC_SLEEP = "system.sleep", "system.async_sleep"


def answer_system_call(name: str, args: tuple[Any, ...], names: Names) -> dict[str, Any]:
    """The answer to an operation of the system."""
    if name == "import":
        namespaces = frozenset(tool.partition(".")[0] for tool in names.tools if "." in tool)
        return _refused("ModuleNotFoundError", missing_module(str(args[0]), namespaces))
    if name == "os.environ":
        return {"return_value": {}}
    if name == "os.getenv":
        return {"return_value": args[1] if len(args) > 1 else None}
    if name == "open" or name.startswith("Path."):
        advice = f"a script here has no files; have a tool read or write them, {ELSEWHERE}"
        return _refused("PermissionError", f"Permission denied: {str(args[0])!r}: {advice}")
    return _refused("RuntimeError", f"{name} is not to be had in Monty; random and datetime work, {ELSEWHERE}")


def _refused(kind: str, message: str) -> dict[str, Any]:
    return {"exc_type": kind, "message": message}
