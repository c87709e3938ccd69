"""A tool as it may be shown: nothing of what an alias hides is left in it."""

from dataclasses import dataclass
from typing import Any

from ptc_studio.core.registry import Target
from ptc_studio.core.tools import JsonSchema, Parameter
from ptc_studio.exports.schemas import object_schema, pruned, without


@dataclass(frozen=True, slots=True)
class Shown:
    """One tool."""

    name: str
    description: str
    doc: str
    parameters: dict[str, Any]
    """Of type `object`, with everything that it refers to and nothing else."""
    signature: tuple[Parameter, ...]
    output: JsonSchema | None
    also: tuple[str, ...] = ()
    """Further names of its, such as `calc.add` beside `add`."""


def shown(target: Target) -> Shown:
    """The target without what its alias presets or hides."""
    spec = target.spec
    hidden = target.alias.unseen if target.alias else frozenset[str]()
    # The documentation of the tool tells of all its parameters; the description of the first paragraph does not.
    doc = spec.description if hidden else spec.doc or spec.description
    return Shown(
        spec.name,
        spec.description,
        doc,
        pruned(object_schema(without(spec.parameters, hidden))),
        tuple(parameter for parameter in spec.signature if parameter.name not in hidden),
        spec.output,
        spec.also,
    )
