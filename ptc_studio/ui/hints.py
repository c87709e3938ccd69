"""Tells the editor of the tools in the registry."""

import json
from typing import Any

from ptc_studio.core.grants import EVERYTHING, Grant
from ptc_studio.core.registry import Registry
from ptc_studio.core.tools import Parameter
from ptc_studio.ui.language.hints import ParameterHint, ToolHint


def hints_from(registry: Registry, grant: Grant) -> list[ToolHint]:
    """Every name that leads to a tool, and whether a script with the grant may call it."""
    found: list[ToolHint] = []
    for target in registry.targets(EVERYTHING):
        granted = target.granted_by(grant)
        parameters = tuple(_hint(parameter) for parameter in target.spec.signature)
        found += [
            ToolHint(
                name,
                description=target.spec.description,
                parameters=parameters,
                schema=target.spec.parameters,
                output=target.spec.output,
                tool=target.spec.name,
                granted=granted,
            )
            for name in registry.names_of(target)
        ]
    return found


def _hint(parameter: Parameter) -> ParameterHint:
    default = None if parameter.required else _code(parameter.default)
    return ParameterHint(parameter.name, parameter.annotation, parameter.required, default, parameter.keyword_only)


def _code(value: Any) -> str:
    """The value as Python has it."""
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return "..."
    return repr(value)
