"""Which calls a name means: that of an alias, of a tool, or a pattern over both."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ptc_studio.core import codec
from ptc_studio.core.errors import PtcError
from ptc_studio.core.registry import Grant
from ptc_studio.core.stages import effective_arguments

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call

ALIAS, TOOL, PATTERN = 3, 2, 1
"""How closely a name means a call; the closest counts."""
_WILD = frozenset("*?[")


def closeness(name: str, call: "Call") -> tuple[int, int] | None:
    """How closely the name means the call, to be compared; None if it does not. A longer pattern is closer."""
    target = call.target
    if target is None:
        return None
    if target.alias is not None and name == target.alias.name:
        return ALIAS, 0
    spec = target.tool.spec
    names = (spec.name, *spec.also)
    if name in names:
        return TOOL, 0
    if not is_pattern(name):
        return None
    all_names = (*names, target.alias.name) if target.alias else names
    if not Grant((name,)).allows(all_names, f"{spec.source}.{spec.name}"):
        return None
    return PATTERN, sum(letter not in _WILD for letter in name)


def is_pattern(name: str) -> bool:
    """Whether the name stands for several."""
    return not _WILD.isdisjoint(name)


def arguments_by_name(call: "Call") -> Mapping[str, Any]:
    """What expressions see: the effective arguments in their JSON form, and what the tool takes for those left out."""
    assert call.target is not None
    spec = call.target.tool.spec
    left_out: dict[str, Any] = dict.fromkeys(spec.parameters.get("properties", {}))
    left_out |= {each.name: each.default for each in spec.signature if not each.required}
    given = effective_arguments(call)
    try:
        return {**left_out, **codec.plain_copy(given)}
    except PtcError:
        return {**left_out, **{name: codec.displayable(value) for name, value in given.items()}}
