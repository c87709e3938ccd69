"""What `tools`, `help` and `--help` print."""

from collections.abc import Iterable
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.runtimes.bash.schemas import kinds

NO_TOOLS = "No tools are granted to this script.\n"
USAGE = """\
Options of every tool: --help, --json (prints a text as JSON, too), --timeout SECONDS.
Arguments may also come as one JSON object, as the only word or piped in.
call_tool NAME ... calls a tool by any of its names.
"""


def overview(commands: Iterable[tuple[str, ToolSpec]]) -> str:
    """Every tool in a line."""
    listed = "".join(f"  {_call(name, spec)}\n      {spec.description}\n" for name, spec in commands)
    return f"The tools of this script:\n{listed}\n{USAGE}" if listed else NO_TOOLS


def page(name: str, spec: ToolSpec) -> str:
    """All about one tool."""
    parameters = "".join(f"  --{_option(parameter, spec)}\n" for parameter in spec.signature)
    told = (spec.doc or spec.description).strip()
    return "\n".join(filter(None, (f"usage: {_call(name, spec)}\n", f"{told}\n" if told else "", parameters + USAGE)))


def _call(name: str, spec: ToolSpec) -> str:
    return " ".join((name, *(_short(parameter, spec) for parameter in spec.signature)))


def _short(parameter: Parameter, spec: ToolSpec) -> str:
    word = f"--{parameter.name}" if _is_flag(parameter, spec) else f"--{parameter.name} {_kind(parameter, spec)}"
    return word if parameter.required else f"[{word}]"


def _option(parameter: Parameter, spec: ToolSpec) -> str:
    about: Any = spec.parameters.get("properties", {}).get(parameter.name, {}).get("description", "")
    default = "" if parameter.required else f" (default {codec.encode(parameter.default).decode()})"
    return f"{parameter.name} {_kind(parameter, spec)}{default}{f'  {about}' if about else ''}"


def _is_flag(parameter: Parameter, spec: ToolSpec) -> bool:
    return kinds(spec.parameters.get("properties", {}).get(parameter.name), spec.parameters) == {"boolean"}


def _kind(parameter: Parameter, spec: ToolSpec) -> str:
    found = kinds(spec.parameters.get("properties", {}).get(parameter.name), spec.parameters)
    return parameter.annotation or "|".join(sorted(found)).upper() or "VALUE"
