"""Makes a plausible value that fits a JSON Schema: the schema's own examples where it has some, else one made up."""

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from ptc_studio.core.json_schema import (
    UNIONS,
    Flat,
    Part,
    SchemaSource,
    flatten,
    is_mapping,
    part_of,
    parts_of,
    required_of,
    root_part,
)
from ptc_studio.core.responders.example_texts import text_for

SPAN = 100
_USUAL = {"price": (5, 100), "qty": (1, 10), "quantity": (1, 10), "count": (1, 10), "year": (2020, 2030)}
_STEP = Fraction(1, 100)


def number_for(schema: Mapping[str, Any], kind: str, name: str, chance: random.Random, edge: bool) -> int | float:
    """A number; a whole one for `integer`; at the edge of what may be, if asked for. Where the bounds leave none, the
    nearest to them."""
    step = _fraction(schema.get("multipleOf")) or (Fraction(1) if kind == "integer" else _STEP)
    if kind == "integer" and step.denominator != 1:
        step = Fraction(step.numerator)
    least, most = _bounds(schema, name)
    first, last = math.ceil(least / step), math.floor(most / step)
    if _fraction(schema.get("exclusiveMinimum")) == first * step:
        first += 1
    if _fraction(schema.get("exclusiveMaximum")) == last * step:
        last -= 1
    if first > last:
        return _plain((least + most) / 2 if kind == "number" and "multipleOf" not in schema else first * step, kind)
    return _plain((chance.choice((first, last)) if edge else chance.randint(first, last)) * step, kind)


def _bounds(schema: Mapping[str, Any], name: str) -> tuple[Fraction, Fraction]:
    lows = [_fraction(schema.get(word)) for word in ("minimum", "exclusiveMinimum")]
    highs = [_fraction(schema.get(word)) for word in ("maximum", "exclusiveMaximum")]
    low = max((each for each in lows if each is not None), default=None)
    high = min((each for each in highs if each is not None), default=None)
    width = Fraction(SPAN) * (_fraction(schema.get("multipleOf")) or 1)
    usual = next((span for word, span in _USUAL.items() if word in name.lower()), None)
    if low is None and high is None:
        first, last = usual if usual and "multipleOf" not in schema else (0, width)
        return Fraction(first), Fraction(last)
    if low is None:
        assert high is not None
        return min(Fraction(0), high - width), high
    return low, low + width if high is None else high


def _fraction(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    # As it is written: 0.1 is a tenth.
    return Fraction(str(value))


def _plain(value: Fraction, kind: str) -> int | float:
    if kind == "integer":
        return math.floor(value)
    return float(value)


DEEPEST = 6
"""What is optional is left out from there on, for a schema may contain itself."""
HOPELESS = 24
TRIES = 40
_BRANCHING = (*UNIONS, "if", "then", "else")
MOST_ITEMS = 50
ANYTHING: Part = root_part({"type": "string"})
"""What is made where the schema leaves it open what something is."""


@dataclass(frozen=True, slots=True)
class Example:
    """A value made up, and whether it fits its schema in every point."""

    value: Any
    fits: bool


def example(schema: Any, seed: int = 0) -> Example:
    """The same for the same schema and seed; null where nothing is known. Where no try fits, the last one is given."""
    if not isinstance(schema, Mapping) or not schema:
        return Example(None, schema is None or schema is True or schema == {})
    whole = cast("Mapping[str, Any]", schema)
    value: Any = None
    for attempt in range(TRIES):
        maker = _Maker(whole, random.Random(f"{seed}/{attempt}"), attempt)  # noqa: S311 - no secret
        try:
            value = maker.made(root_part(whole), 0)
        except Exception:  # noqa: BLE001 - a schema of somebody else's may be wrong in any way
            return Example(None, False)
        if fits(value, whole):
            return Example(value, True)
    return Example(value, False)


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether the value is right by the schema, formats aside; false for a schema that is none itself."""
    # Imported late: it is large, and few programs make an example.
    from ptc_studio.core.schema_validation import pattern_notes, validator_of

    try:
        # By what cannot be checked, nothing is known to fit.
        return validator_of(schema).is_valid(value) and not pattern_notes(schema)
    except Exception:  # noqa: BLE001 - a schema of somebody else's may be wrong in any way
        return False


class _Maker:
    """One try. Later tries take other branches, and fewer of the schema's own hints."""

    def __init__(self, root: Mapping[str, Any], chance: random.Random, attempt: int) -> None:
        self._root, self._chance, self._attempt = root, chance, attempt

    def made(self, part: Part, depth: int, name: str = "") -> Any:
        """A value for a part of the schema; `name` is the key that it is for, and a hint."""
        if depth > HOPELESS:
            return None
        flat = self._branch(flatten(part), depth)
        given = next(self._given(flat), None)
        if given is not None:
            return given[0]
        match self._kind(flat):
            case "object":
                return self._object(flat, depth)
            case "array":
                return self._array(flat, depth, name)
            case "string":
                return text_for(flat.keywords, name, self._chance)
            case "integer" | "number" as kind:
                return number_for(flat.keywords, kind, name, self._chance, self._attempt > 6)
            case "boolean":
                return self._chance.random() < 0.5
            case _:
                return None

    def _kind(self, flat: Flat) -> str:
        """The type to make, by what the schema says of it; empty if it says nothing."""
        names = flat.types() or flat.implied_types()
        order = sorted(names, key=lambda name: name == "null")
        return order[self._attempt % len(order)] if order else ""

    def _branch(self, flat: Flat, depth: int) -> Flat:
        """The schema with one of its alternatives taken, and all that must be true joined in."""
        for _ in range(DEEPEST):
            parts: list[SchemaSource] = []
            for keyword, source in flat.unions:
                choices = source.schema[keyword]
                parts.append(source.within(choices[self._choice(choices, depth)]))
            for source in flat.sources:
                keywords = source.keywords()
                if "if" in keywords:
                    # The first tries take the one way, the others the other.
                    words = ("if", "then") if self._attempt % 2 == 0 else ("else",)
                    parts += [source.within(keywords.get(word, {})) for word in words]
            if not parts:
                break
            flat = flatten((*(source.without(_BRANCHING) for source in flat.sources), *parts))
        return flat

    def _choice(self, choices: list[Any], depth: int) -> int:
        """Which alternative: one that is something at first, and each in turn; a short one where it gets deep."""
        if depth > DEEPEST:
            return min(range(len(choices)), key=lambda at: len(str(choices[at])))
        order = sorted(range(len(choices)), key=lambda at: choices[at] == {"type": "null"})
        return order[self._attempt % len(order)]

    def _given(self, flat: Flat) -> Iterator[tuple[Any]]:
        """What the schema itself says: each in a tuple, for null is a value, too."""
        keywords = flat.keywords
        if "const" in keywords:
            yield (keywords["const"],)
        values = parts_of(keywords, "enum")
        if values:
            fitting = [value for value in values if self._fits(value, flat)]
            yield (self._chance.choice(fitting or values),)
        known = parts_of(keywords, "examples")
        known += [keywords[word] for word in ("example", "default") if word in keywords]
        for value in known:
            if self._attempt < 6 and self._fits(value, flat):
                yield (value,)

    def _fits(self, value: Any, flat: Flat) -> bool:
        """Whether a hint is right; what the schemas refer to is in the whole one."""
        shared = {word: self._root[word] for word in ("$defs", "definitions", "$schema") if word in self._root}
        return all(fits(value, {**shared, **source.keywords()}) for source in flat.sources)

    def _object(self, flat: Flat, depth: int) -> dict[str, Any]:
        made = {
            name: self.made(self._property(flat, name), depth + 1, name)
            for name in self._keys(flat, depth)
            if self._may(flat, name)
        }
        for number in range(1, MOST_ITEMS + 1):
            if len(made) >= int(flat.keywords.get("minProperties") or 0):
                break
            made[f"key{number}"] = self.made(self._property(flat, f"key{number}"), depth + 1)
        return made

    def _keys(self, flat: Flat, depth: int) -> list[str]:
        """What the object is to have: all that is known of it, where it is not deep and was not tried in vain."""
        required = required_of(flat.keywords)
        optional = [name for name in flat.properties if name not in required]
        if depth >= DEEPEST or self._attempt % 4 == 3:
            optional = []
        most = flat.keywords.get("maxProperties")
        wanted = [*required, *optional]
        wanted = wanted if most is None else wanted[: max(int(most), len(required))]
        dependent = flat.keywords.get("dependentRequired")
        for name in wanted:
            # Grows while it is gone through: what is asked for may ask for more.
            others = parts_of(dependent, name) if is_mapping(dependent) else []
            wanted += [str(each) for each in others if each not in wanted]
        return wanted

    def _may(self, flat: Flat, name: str) -> bool:
        forbidden = any(source.schema is False for source in self._property(flat, name))
        return not forbidden or name in required_of(flat.keywords)

    def _property(self, flat: Flat, name: str) -> Part:
        """What is said of a key."""
        others = [source for source in flat.additional or () if source.schema and is_mapping(source.schema)]
        return flat.properties.get(name) or tuple(others) or ANYTHING

    def _array(self, flat: Flat, depth: int, name: str) -> list[Any]:
        keywords = flat.keywords
        least, most = int(keywords.get("minItems") or 0), keywords.get("maxItems")
        closed = any(source.schema is False for source in flat.items or ())
        contains = part_of(keywords["contains"], self._root) if "contains" in keywords else None
        wanted = int(keywords.get("minContains") or 1) if contains else 0
        count = max(least, len(flat.prefix), 0 if depth >= DEEPEST or closed else 2, wanted)
        count = min(count, MOST_ITEMS if most is None else int(most))
        parts = [*flat.prefix, *[flat.items or contains or ANYTHING] * count][:count]
        if contains:
            parts = [*[contains] * min(wanted, count), *parts][:count]
        made = [self.made(part, depth + 1, name.removesuffix("s")) for part in parts]
        return self._unique(made, parts, depth) if keywords.get("uniqueItems") else made

    def _unique(self, made: list[Any], parts: list[Part], depth: int) -> list[Any]:
        """Each item once; for one that is there already others are tried."""
        unique: list[Any] = []
        for value, part in zip(made, parts, strict=True):
            for _ in range(TRIES):
                if value not in unique:
                    break
                value = self.made(part, depth + 1, f"item {len(unique)}")
            if value not in unique:
                unique.append(value)
        return unique
