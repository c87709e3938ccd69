"""Makes a plausible value that fits a JSON Schema: the schema's own examples where it has some, else one made up."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ptc_studio.core.answering.examples.numbers import number_for
from ptc_studio.core.answering.examples.shapes import joined, kind_of, resolved
from ptc_studio.core.answering.examples.texts import text_for

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
    from ptc_studio.core.json_schema import pattern_notes, validator_of

    try:
        # By what cannot be checked, nothing is known to fit.
        return validator_of(schema).is_valid(value) and not pattern_notes(schema)
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
