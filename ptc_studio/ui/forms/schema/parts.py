"""Places in a schema: a part is all the schemas that speak of one value, each able to resolve its references."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from jsonschema_specifications import REGISTRY
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, specification_with

NOWHERE = "it refers to {reference!r}, which is not in this schema"


class BrokenReference(Exception):
    """A reference that leads out of the schema or nowhere; nothing is ever fetched."""


@dataclass(frozen=True, slots=True)
class Source:
    """One schema that speaks of a value."""

    schema: Any
    resolver: Any
    skipped: frozenset[str] = field(default=frozenset())
    """Keywords that were dealt with already."""

    def within(self, schema: Any) -> "Source":
        """A schema inside this one."""
        resolver = self.resolver
        if isinstance(schema, Mapping) and isinstance(schema.get("$id"), str) and "$ref" not in schema:
            resolver = resolver.in_subresource(DRAFT202012.create_resource(schema))
        return Source(schema, resolver)

    def without(self, keywords: Iterable[str]) -> "Source":
        """The same, some keywords aside."""
        return Source(self.schema, self.resolver, self.skipped | frozenset(keywords))

    def keywords(self) -> dict[str, Any]:
        """What is left to deal with."""
        return {key: value for key, value in self.schema.items() if key not in self.skipped}

    def referred(self, reference: Any) -> "Source":
        """Where a reference leads; raises `BrokenReference`."""
        try:
            found = self.resolver.lookup(reference)
        except (Unresolvable, ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError):
            raise BrokenReference(NOWHERE.format(reference=reference)) from None
        return Source(found.contents, found.resolver)


Part: TypeAlias = tuple[Source, ...]


def root_part(schema: Any) -> Part:
    """The whole of a schema."""
    dialect = schema.get("$schema") if isinstance(schema, Mapping) else None
    specification = specification_with(dialect, default=DRAFT202012) if isinstance(dialect, str) else DRAFT202012
    registry: Any = REGISTRY.combine(Registry())
    try:
        resolver = registry.resolver_with_root(specification.create_resource(schema))
    except (ValueError, TypeError, AttributeError, KeyError):
        resolver = registry.resolver()
    return (Source(schema, resolver),)


def part_of(schema: Any, root: Any) -> Part:
    """A schema that stands by itself, with the document that its references lead into."""
    return (root_part(root)[0].within(schema),)
