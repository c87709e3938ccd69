"""Makes a plausible value that fits a JSON Schema: the schema's own examples where it has some, else one made up."""

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast
from urllib.parse import unquote

from ptc_studio.core.responders.example_texts import text_for

LONGEST_WAY = 20
_BY_KEYWORD = {
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "minProperties": "object",
    "items": "array",
    "prefixItems": "array",
    "minItems": "array",
    "contains": "array",
    "pattern": "string",
    "format": "string",
    "minLength": "string",
    "maxLength": "string",
    "minimum": "number",
    "maximum": "number",
    "exclusiveMinimum": "number",
    "exclusiveMaximum": "number",
    "multipleOf": "number",
}
_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with what its `$ref` leads to, within the same document; what leads nowhere says nothing."""
    one = schema
    for _ in range(LONGEST_WAY):
        reference = one.get("$ref")
        if not isinstance(reference, str):
            return one
        rest = {key: value for key, value in one.items() if key != "$ref"}
        one = joined(_at(root, reference), [rest]) if rest else _at(root, reference)
    return {}


def joined(schema: Mapping[str, Any], parts: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What all of them together ask for, as far as one schema can say it."""
    whole = dict(schema)
    for part in parts:
        for key, value in part.items():
            whole[key] = _both(key, whole[key], value) if key in whole else value
    return whole


def kind_of(schema: Mapping[str, Any], attempt: int) -> str:
    """The type to make, by what the schema says of it; empty if it says nothing."""
    kinds: Any = schema.get("type")
    if isinstance(kinds, str):
        return kinds
    if isinstance(kinds, list) and kinds:
        names = [str(kind) for kind in cast("list[Any]", kinds)]
        real = [name for name in names if name != "null"] or names
        return [*real, *(name for name in names if name not in real)][attempt % len(names)]
    return next((kind for keyword, kind in _BY_KEYWORD.items() if keyword in schema), "")


def _both(key: str, one: Any, other: Any) -> Any:
    if key == "properties":
        shared = [name for name in one if name in other and _maps(one[name], other[name])]
        return {**one, **other, **{name: joined(one[name], [other[name]]) for name in shared}}
    if key in ("required", "prefixItems"):
        return list(dict.fromkeys([*one, *other])) if key == "required" else other
    if key == "type":
        return _common(one, other)
    if key == "enum":
        return [value for value in one if value in other] or one
    if key in ("allOf", "anyOf", "oneOf"):
        return [*one, *other] if key == "allOf" else other
    if key in _HIGHEST:
        return max(one, other)
    if key in _LOWEST:
        return min(one, other)
    if key in ("items", "additionalProperties", "contains") and _maps(one, other):
        return joined(one, [other])
    return other if one is not False else one


def _common(one: Any, other: Any) -> Any:
    """The types that both allow; a whole number is a number."""
    first = cast("list[Any]", one) if isinstance(one, list) else [one]
    second = cast("list[Any]", other) if isinstance(other, list) else [other]
    shared = [kind for kind in first if kind in second]
    if not shared and "number" in (*first, *second) and "integer" in (*first, *second):
        return "integer"
    if not shared:
        return cast("Any", other)
    return shared[0] if len(shared) == 1 else shared


def _maps(*values: Any) -> bool:
    return all(isinstance(value, Mapping) for value in values)


def _at(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return _anchored(root, reference)
    found: Any = root
    for part in reference[2:].split("/"):
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        try:
            found = cast("list[Any]", found)[int(key)] if isinstance(found, list) else found[key]
        except (LookupError, TypeError, ValueError):
            return {}
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def _anchored(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    """A definition that has its own name, as `#thing` or a whole address."""
    name = reference.removeprefix("#")
    definitions: Mapping[str, Any] = {**(root.get("definitions") or {}), **(root.get("$defs") or {})}
    for each in definitions.values():
        one: Mapping[str, Any] = cast("Mapping[str, Any]", each) if isinstance(each, Mapping) else {}
        if name in (one.get("$anchor"), one.get("$id")):
            return one
    return {}


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
    if _excluded(schema, "exclusiveMinimum", "minimum", first * step):
        first += 1
    if _excluded(schema, "exclusiveMaximum", "maximum", last * step):
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


def _excluded(schema: Mapping[str, Any], exclusive: str, inclusive: str, value: Fraction) -> bool:
    """Whether the value is the bound that must not be reached; in old schemas that is a switch beside the bound."""
    bound = schema.get(exclusive)
    if bound is True:
        bound = schema.get(inclusive)
    return _fraction(bound) == value


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
MOST_ITEMS = 50
ANYTHING: Mapping[str, Any] = {"type": "string"}
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
            value = maker.made(whole, 0)
        except Exception:  # noqa: BLE001 - a schema of somebody else's may be wrong in any way
            return Example(None, False)
        if fits(value, whole):
            return Example(value, True)
    return Example(value, False)


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether the value is right by the schema, formats aside; false for a schema that is none itself."""
    # Imported late: it is large, and few programs make an example.
    from jsonschema.validators import validator_for

    try:
        kind: Any = validator_for(schema)
        return bool(kind(schema).is_valid(value))
    except Exception:  # noqa: BLE001 - a schema of somebody else's may be wrong in any way
        return False


class _Maker:
    """One try. Later tries take other branches, and fewer of the schema's own hints."""

    def __init__(self, root: Mapping[str, Any], chance: random.Random, attempt: int) -> None:
        self._root, self._chance, self._attempt = root, chance, attempt

    def made(self, schema: Any, depth: int, name: str = "") -> Any:
        """A value for a part of the schema; `name` is the key that it is for, and a hint."""
        if not isinstance(schema, Mapping) or depth > HOPELESS:
            return None
        one = self._branch(resolved(cast("Mapping[str, Any]", schema), self._root), depth)
        given = next(self._given(one), None)
        if given is not None:
            return given[0]
        match kind_of(one, self._attempt):
            case "object":
                return self._object(one, depth)
            case "array":
                return self._array(one, depth, name)
            case "string":
                return text_for(one, name, self._chance)
            case "integer" | "number" as kind:
                return number_for(one, kind, name, self._chance, self._attempt > 6)
            case "boolean":
                return self._chance.random() < 0.5
            case _:
                return None

    def _branch(self, schema: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
        """The schema with one of its alternatives taken, and all that must be true joined in."""
        one = schema
        for _ in range(DEEPEST):
            parts = _list(one.get("allOf"))
            for word in ("oneOf", "anyOf"):
                choices = _list(one.get(word))
                if choices:
                    parts.append(choices[self._choice(choices, depth)])
            if "if" in one:
                # The first tries take the one way, the others the other.
                parts += [one["if"], one.get("then", {})] if self._attempt % 2 == 0 else [one.get("else", {})]
            if not parts:
                return one
            rest = {k: v for k, v in one.items() if k not in ("allOf", "oneOf", "anyOf", "if", "then", "else")}
            one = joined(rest, (resolved(_mapping(part), self._root) for part in parts))
        return one

    def _choice(self, choices: list[Any], depth: int) -> int:
        """Which alternative: one that is something at first, and each in turn; a short one where it gets deep."""
        if depth > DEEPEST:
            return min(range(len(choices)), key=lambda at: len(str(choices[at])))
        real = [at for at, part in enumerate(choices) if part != {"type": "null"}] or list(range(len(choices)))
        order = [*real, *(at for at in range(len(choices)) if at not in real)]
        return order[self._attempt % len(order)]

    def _given(self, schema: Mapping[str, Any]) -> Iterator[tuple[Any]]:
        """What the schema itself says: each in a tuple, for null is a value, too."""
        if "const" in schema:
            yield (schema["const"],)
        values = _list(schema.get("enum"))
        if values:
            fitting = [value for value in values if self._fits(value, schema)]
            yield (self._chance.choice(fitting or values),)
        known = _list(schema.get("examples"))
        known += [schema[word] for word in ("example", "default") if word in schema]
        for value in known:
            if self._attempt < 6 and self._fits(value, schema):
                yield (value,)

    def _fits(self, value: Any, schema: Mapping[str, Any]) -> bool:
        """Whether a hint is right; what the schema refers to is in the whole one."""
        shared = {word: self._root[word] for word in ("$defs", "definitions", "$schema") if word in self._root}
        return fits(value, {**shared, **schema})

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        made = {
            name: self.made(self._property(schema, name), depth + 1, name)
            for name in self._keys(schema, depth)
            if self._may(schema, name)
        }
        for number in range(1, MOST_ITEMS + 1):
            if len(made) >= int(schema.get("minProperties") or 0):
                break
            made[f"key{number}"] = self.made(self._property(schema, f"key{number}"), depth + 1)
        return made

    def _keys(self, schema: Mapping[str, Any], depth: int) -> list[str]:
        """What the object is to have: all that is known of it, where it is not deep and was not tried in vain."""
        required = [str(name) for name in _list(schema.get("required"))]
        optional = [name for name in _mapping(schema.get("properties")) if name not in required]
        if depth >= DEEPEST or self._attempt % 4 == 3:
            optional = []
        most = schema.get("maxProperties")
        wanted = [*required, *optional]
        wanted = wanted if most is None else wanted[: max(int(most), len(required))]
        for name in wanted:
            # Grows while it is gone through: what is asked for may ask for more.
            others = _list(_mapping(schema.get("dependentRequired")).get(name))
            wanted += [str(each) for each in others if each not in wanted]
        return wanted

    def _may(self, schema: Mapping[str, Any], name: str) -> bool:
        return self._property(schema, name) is not False or name in _list(schema.get("required"))

    def _property(self, schema: Mapping[str, Any], name: str) -> Any:
        """What is said of a key."""
        properties = _mapping(schema.get("properties"))
        return properties[name] if name in properties else _mapping(schema.get("additionalProperties")) or ANYTHING

    def _array(self, schema: Mapping[str, Any], depth: int, name: str) -> list[Any]:
        first = _list(schema.get("prefixItems"))
        items: Any = schema.get("items")
        least, most = int(schema.get("minItems") or 0), schema.get("maxItems")
        usual = 0 if depth >= DEEPEST or items is False else 2
        count = max(least, len(first), usual, int(schema.get("minContains") or 1) if "contains" in schema else 0)
        count = min(count, MOST_ITEMS if most is None else int(most))
        parts = [*first, *[items if items is not None else schema.get("contains", ANYTHING)] * count][:count]
        if "contains" in schema and parts:
            parts = [schema["contains"]] * min(int(schema.get("minContains") or 1), count) + parts
            parts = parts[:count]
        single = name.removesuffix("s")
        made = [self.made(part, depth + 1, single) for part in parts]
        return self._unique(made, parts, depth) if schema.get("uniqueItems") else made

    def _unique(self, made: list[Any], parts: list[Any], depth: int) -> list[Any]:
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


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return list(cast("list[Any]", value)) if isinstance(value, list | tuple) else []


__all__ = ["Example", "example", "fits"]
