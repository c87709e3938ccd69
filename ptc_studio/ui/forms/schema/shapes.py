"""What a form draws for a value: its kind and what goes with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ptc_studio.core.json_schema import Part
from ptc_studio.ui.forms.schema.values import ABSENT

Kind = Literal["text", "number", "boolean", "choice", "null", "array", "object", "variants", "json"]
TextStyle = Literal["line", "lines", "password", "file", "folder", "moment"]


@dataclass(frozen=True, slots=True)
class ValueChoice:
    """One value of several."""

    value: Any
    label: str


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several schemas that a value may follow."""

    label: str
    part: Part
    """The alternative together with all that is said beside it."""
    alone: Part
    """The alternative by itself."""
    keyword: str = ""
    """`oneOf` or `anyOf`; nothing where it is one of several types."""
    index: int = 0
    tag: tuple[str, Any] | None = None
    """The property whose value tells this variant from the others."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How one value is drawn."""

    kind: Kind
    part: Part = ()
    title: str = ""
    description: str = ""
    default: Any = ABSENT
    examples: tuple[Any, ...] = ()
    nullable: bool = False
    """Whether null is allowed beside what the kind says."""
    deprecated: bool = False
    read_only: bool = False
    keywords: Mapping[str, Any] = field(default_factory=dict)
    style: TextStyle = "line"
    choices: tuple[ValueChoice, ...] = ()
    properties: Mapping[str, Part] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    patterns: Mapping[str, Part] = field(default_factory=dict)
    additional: Part | None = None
    """What other keys hold; None where nothing is said about them."""
    offers_keys: bool = False
    """Whether a person can add keys of their own."""
    key_hints: tuple[str, ...] = ()
    prefix: tuple[Part, ...] = ()
    items: Part | None = None
    variants: tuple[Variant, ...] = ()
    problem: str = ""
    """Why it is drawn as JSON."""

    @property
    def closed(self) -> bool:
        """Whether no item may follow those of the prefix."""
        return self.items is not None and any(source.schema is False for source in self.items)
