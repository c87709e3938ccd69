"""A user's own name for a tool, and how the tool looks through it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ptc_studio.core.permissions import Rule, decided
from ptc_studio.core.tools import JsonSchema, Parameter, Permission, ToolSpec


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
