"""Bodies that are plain objects: their properties can stand beside the other parameters."""

from dataclasses import dataclass, field
from typing import Any

from ptc_studio.sources.openapi.documents import Documents, Place

_DEPTH = 10
_HARD = (
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "discriminator",
    "unevaluatedProperties",
)


@dataclass(slots=True)
class FlatObject:
    """The properties of an object, and which of them must be there."""

    properties: dict[str, Place] = field(default_factory=dict[str, Place])
    required: list[str] = field(default_factory=list[str])
    choices: dict[str, Any] = field(default_factory=dict[str, Any])
    """`anyOf` and `oneOf` that say nothing but which properties go together."""

    def add(self, other: "FlatObject") -> None:
        """Joins the two, as `allOf` does."""
        self.properties |= other.properties
        self.required += [name for name in other.required if name not in self.required]
        self.choices |= other.choices


def flat_object(documents: Documents, place: Place, depth: int = 0) -> FlatObject | None:
    """None for a schema that is more than a plain object. Raises BrokenReference."""
    found = documents.resolved(place)
    node = found.node
    if (
        depth > _DEPTH
        or not isinstance(node, dict)
        or node.get("nullable") is True
        or any(key in node for key in _HARD)
    ):
        return None
    if node.get("type", "object") != "object" or node.get("additionalProperties", False) is not False:
        return None
    flat = FlatObject()
    for part in node.get("allOf") or ():
        inner = flat_object(documents, found.at(part), depth + 1)
        if inner is None:
            return None
        flat.add(inner)
    properties = node.get("properties")
    if isinstance(properties, dict):
        flat.properties |= {name: found.at(part, "properties", name) for name, part in properties.items()}
    required = node.get("required")
    if isinstance(required, list):
        flat.required += [name for name in required if isinstance(name, str) and name not in flat.required]
    for key in ("anyOf", "oneOf"):
        if key in node:
            if not _only_required(node[key]):
                return None
            flat.choices[key] = [{"required": choice["required"]} for choice in node[key]]
    return flat if flat.properties or depth else None


def _only_required(choices: Any) -> bool:
    return isinstance(choices, list) and all(
        isinstance(choice, dict)
        and isinstance(choice.get("required"), list)
        and set(choice) <= {"required", "title", "description"}
        for choice in choices
    )
