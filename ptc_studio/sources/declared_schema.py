"""The schema of a tool whose parameters the workspace file declares, or that has none."""

from collections.abc import Mapping
from typing import Any

from ptc_studio.sources.derived_schema import given_schema
from ptc_studio.sources.placeholders import Slot


def declared_schema(given: Mapping[str, Any]) -> dict[str, Any]:
    """A whole JSON Schema with `properties`, or just the properties by name; raises UnfitParameters.

    Where it does not say what is required, everything is that has no default.
    """
    properties = given.get("properties")
    names = properties if isinstance(properties, Mapping) else given
    return given_schema(given, [Slot(str(name)) for name in names])
