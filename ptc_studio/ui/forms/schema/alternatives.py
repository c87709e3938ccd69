"""The alternatives of `oneOf`, `anyOf` and lists of types: which there are, and what to call them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ptc_studio.core.json_schema import Flat, Part, SchemaSource, flatten, listed
from ptc_studio.ui.forms.schema.json_text import one_line
from ptc_studio.ui.forms.schema.shapes import ValueChoice, Variant

_DRAWN = ("type", "const", "enum", "format")
_LONGEST = 40
DEEPEST = 3
"""How far a schema that contains itself is looked into."""


def union_of(flat: Flat, depth: int = 0) -> tuple[str, SchemaSource] | None:
    """The alternatives that are worth a choice; those that only add conditions are checked, not drawn."""
    for keyword, source in flat.unions:
        if any(_is_drawn(source.within(schema), flat, depth) for schema in source.schema[keyword]):
            return keyword, source
    return None


def variants_of(flat: Flat, keyword: str, source: SchemaSource) -> tuple[Variant, ...]:
    """One for each alternative, with all that is said beside them."""
    base = tuple(each.without((keyword,)) if each.schema is source.schema else each for each in flat.sources)
    alone = [(source.within(schema),) for schema in source.schema[keyword]]
    flats = [flatten(part) for part in alone]
    tags = _tags(flats, source.schema.get("discriminator"))
    labels = _labels(alone, flats, tags)
    # What is said beside the alternatives comes last: the alternative's own title and text are the better ones.
    return tuple(
        Variant(label, (*part, *base), part, keyword, index, tag)
        for index, (label, part, tag) in enumerate(zip(labels, alone, tags, strict=True))
    )


def variants_by_type(flat: Flat, types: Sequence[str]) -> tuple[Variant, ...]:
    """One for each of several types."""
    base, resolver = tuple(flat.sources), flat.sources[0].resolver
    made = [(kind, (SchemaSource({"type": kind}, resolver),)) for kind in types]
    return tuple(Variant(kind, (*part, *base), part, index=index) for index, (kind, part) in enumerate(made))


def null_variant(variants: Sequence[Variant]) -> Variant:
    """Null as one more alternative beside these."""
    part = (SchemaSource({"type": "null"}, variants[0].alone[0].resolver),)
    return Variant("null", part, part, index=len(variants))


def constants_of(variants: Sequence[Variant]) -> tuple[ValueChoice, ...] | None:
    """The values, if every alternative is just a list of them."""
    found: list[ValueChoice] = []
    for variant in variants:
        keywords = flatten(variant.alone).keywords
        if "const" in keywords:
            found.append(
                ValueChoice(keywords["const"], str(keywords.get("title") or label_of_value(keywords["const"])))
            )
        elif isinstance(keywords.get("enum"), list):
            found += [ValueChoice(value, label_of_value(value)) for value in keywords["enum"]]
        elif listed(keywords.get("type")) == ["null"]:
            found.append(ValueChoice(None, "null"))
        else:
            return None
    return tuple(found)


def is_null(part: Part) -> bool:
    """Whether nothing but null fits."""
    keywords = flatten(part).keywords
    return listed(keywords.get("type")) == ["null"] or ("const" in keywords and keywords["const"] is None)


def label_of_value(value: Any) -> str:
    """A value as a choice shows it: text without quotes, unless it would read as something else."""
    if isinstance(value, str) and value.strip() == value != "" and not _reads_otherwise(value):
        return value
    return cut(one_line(value))


def kind_label(flat: Flat, depth: int = 0) -> str:
    """What the kind of a value is called, such as `list of integer`."""
    keywords = flat.keywords
    types = listed(keywords.get("type")) or _guessed(flat)
    if types == ["array"] and flat.items and depth < DEEPEST:
        return f"list of {kind_label(flatten(flat.items), depth + 1)}"
    if types == ["string"] and keywords.get("format"):
        return str(keywords["format"])
    return " or ".join("list" if kind == "array" else kind for kind in types) or "any"


def _guessed(flat: Flat) -> list[str]:
    return ["object"] if flat.properties else ["array"] if flat.items or flat.prefix else []


def _is_drawn(source: SchemaSource, context: Flat, depth: int) -> bool:
    flat = flatten((source,))
    types = listed(context.keywords.get("type"))
    if flat.problem or flat.prefix or flat.items or (flat.properties.keys() - context.properties.keys()):
        return True
    if depth > DEEPEST or union_of(flat, depth + 1) is not None:
        return True
    if any("const" in _keywords_of(part) for part in flat.properties.values()):
        return True
    return any(key in flat.keywords and listed(flat.keywords.get("type")) != types for key in _DRAWN)


def _keywords_of(part: Part) -> dict[str, Any]:
    return flatten(part).keywords


def _tags(flats: Sequence[Flat], discriminator: Any) -> list[tuple[str, Any] | None]:
    """The property with another constant in each alternative."""
    named = discriminator.get("propertyName") if isinstance(discriminator, Mapping) else None
    candidates = [named] if isinstance(named, str) else list(flats[0].properties if flats else ())
    for name in candidates:
        found = [_constant(flat.properties.get(name)) for flat in flats]
        if any(found) and (isinstance(named, str) or sum(map(bool, found)) == len(flats)):
            return [(name, value[0]) if value else None for value in found]
    return [None] * len(flats)


def _constant(part: Part | None) -> tuple[Any] | None:
    keywords = _keywords_of(part) if part else {}
    if "const" in keywords:
        return (keywords["const"],)
    values = keywords.get("enum")
    return (values[0],) if isinstance(values, list) and len(values) == 1 else None


def _labels(alone: Sequence[Part], flats: Sequence[Flat], tags: Sequence[tuple[str, Any] | None]) -> list[str]:
    labels = [_label(part, flat, tag) for part, flat, tag in zip(alone, flats, tags, strict=True)]
    counts = Counter(labels)
    return [
        label if counts[label] == 1 else f"{label} ({labels[:index].count(label) + 1})"
        for index, label in enumerate(labels)
    ]


def _label(part: Part, flat: Flat, tag: tuple[str, Any] | None) -> str:
    keywords = flat.keywords
    if isinstance(keywords.get("title"), str) and keywords["title"]:
        return keywords["title"]
    if "const" in keywords:
        return label_of_value(keywords["const"])
    if tag is not None:
        return label_of_value(tag[1])
    schema = part[0].schema
    reference = schema.get("$ref") if isinstance(schema, Mapping) else None
    if isinstance(reference, str) and "/" in reference:
        return reference.rsplit("/", 1)[1]
    if flat.problem:
        return "JSON"
    required = keywords.get("required")
    if flat.properties and isinstance(required, list) and required:
        return f"with {', '.join(map(str, required[:3]))}"
    return kind_label(flat)


def _reads_otherwise(text: str) -> bool:
    return text in ("true", "false", "null") or text[0] in '0123456789-"[{' or "\n" in text


def cut(text: str, longest: int = _LONGEST) -> str:
    """The text, shortened if it is too long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
