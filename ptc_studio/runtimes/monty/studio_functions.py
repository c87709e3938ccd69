"""The functions that the studio itself gives a script beside its tools: `help`, `exit`, `input`."""

from typing import Any

from ptc_studio.core.scripts import Job
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.runtimes.monty.names import AIO, Names


def answer(name: str, args: tuple[Any, ...], names: Names, job: Job) -> dict[str, Any]:
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
    told = f"name {name!r} is not defined"
    return told if names.tools else f"{told}; no tools are granted to this script"


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
