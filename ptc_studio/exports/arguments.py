"""The arguments of a tool with their types, in the order in which positional ones fill them."""

from dataclasses import dataclass

from ptc_studio.exports.schemas import flat_object, properties_of, required_of
from ptc_studio.exports.shown import Shown
from ptc_studio.exports.type_reader import TypeReader, text_of
from ptc_studio.exports.types import Type


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument."""

    name: str
    type: Type
    required: bool
    keyword_only: bool
    description: str


def arguments_of(tool: Shown, reader: TypeReader) -> tuple[list[Argument], bool]:
    """The arguments, and whether it takes others too."""
    schema = flat_object(tool.parameters)
    properties = properties_of(schema)
    required = set(required_of(schema))
    told = {parameter.name: parameter for parameter in tool.signature if parameter.name in properties}
    arguments: list[Argument] = []
    optional_before = False
    for name in [*told, *(name for name in properties if name not in told)]:
        needed = name in required
        # A required one cannot follow an optional one by position.
        by_name = told[name].keyword_only if name in told else bool(told)
        by_name = by_name or (optional_before and needed)
        optional_before = optional_before or not needed
        part = properties[name]
        arguments.append(Argument(name, reader.read(part, name), needed, by_name, text_of(part, "description")))
    return arguments, bool(schema.get("additionalProperties")) or "patternProperties" in schema
