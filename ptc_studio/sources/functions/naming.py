"""Gives the functions of a folder their names as tools, and finds names that are taken twice."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ptc_studio.core.tools import LoadError, ToolSpec
from ptc_studio.sources.functions.definitions import FunctionDefinition
from ptc_studio.sources.functions.description import first_paragraph


def by_plain_name(definitions: Iterable[FunctionDefinition]) -> dict[str, list[FunctionDefinition]]:
    """The functions that share a name."""
    named: dict[str, list[FunctionDefinition]] = defaultdict(list)
    for definition in definitions:
        named[definition.name].append(definition)
    return named


def spec_of(definition: FunctionDefinition, unique: bool, source: str) -> ToolSpec:
    """The tool's spec; a name that is not unique in the folder goes with its module."""
    return ToolSpec(
        definition.name if unique else definition.dotted,
        first_paragraph(definition.doc),
        definition.shape.parameters,
        source,
        definition.shape.signature,
        definition.doc,
        (definition.dotted,) if unique else (),
        f"{definition.file}:{definition.line}",
    )


def duplicates(named: Mapping[str, list[FunctionDefinition]], source: str) -> Iterator[LoadError]:
    """One error a name, at the place where it was taken last."""
    for name, found in named.items():
        if len(found) < 2:
            continue
        places = _listed(definition.place for definition in found)
        names = _listed(definition.dotted for definition in found)
        message = f"{name!r} is defined in {places}; call them {names}"
        yield LoadError(source, str(found[-1].file), found[-1].line, message)


def _listed(items: Iterable[str]) -> str:
    *most, last = items
    return f"{', '.join(most)} and {last}"
