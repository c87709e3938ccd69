"""Values that fit a schema, made of what it says: the least that it allows, and one with everything."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema

DEEPEST = 5
_FORMATS = {
    "date": "2026-03-31",
    "time": "14:30:00Z",
    "date-time": "2026-03-31T14:30:00Z",
    "email": "ada@example.org",
    "uri": "https://example.org/",
    "uuid": "12345678-1234-5678-1234-567812345678",
}
_TEXTS = (
    "text",
    "a1",
    "abcdef0123456789" * 2 + "abcdef01",
    "2026-03-31",
    "A",
    "1",
    "0" * 40,
    "1.2.3",
    "refs/heads/main",
    "ssh-rsa AAAA",
    "2026-03-31T14:30:00Z",
)
"""Tried in turn where there is a pattern."""


def instances_of(schema: Mapping[str, Any]) -> Iterator[Any]:
    """One or two values, each right by the schema."""
    validator = jsonschema.Draft202012Validator(schema)
    seen: list[Any] = []
    for whole in (False, True):
        made = _Maker(schema, whole=whole).value(schema)
        if validator.is_valid(made) and made not in seen:
            seen.append(made)
            yield made


class _Maker:
    """Makes values of one document."""

    def __init__(self, root: Mapping[str, Any], *, whole: bool) -> None:
        self._root = root
        self._whole = whole

    def value(self, schema: Any, depth: int = 0) -> Any:
        said = self._merged(schema)
        for keyword in ("const", "enum", "oneOf", "anyOf"):
            if keyword in said:
                return self._one_of(keyword, said, depth)
        types = said.get("type", "object" if "properties" in said else "string")
        kind = types if isinstance(types, str) else types[0]
        if kind == "object":
            return self._object(said, depth)
        if kind == "array":
            return self._array(said, depth)
        if kind in ("integer", "number"):
            return _number(said, kind)
        return {"boolean": self._whole, "null": None}.get(kind, _text(said, self._whole))

    def _one_of(self, keyword: str, said: dict[str, Any], depth: int) -> Any:
        found = said.pop(keyword)
        if keyword == "const":
            return found
        chosen = found[-1 if self._whole and depth < DEEPEST else 0]
        return chosen if keyword == "enum" else self.value(_both(said, self._merged(chosen)), depth + 1)

    def _object(self, said: Mapping[str, Any], depth: int) -> dict[str, Any]:
        required = said.get("required", ())
        names = [name for name in said.get("properties", {}) if name in required or (self._whole and depth < DEEPEST)]
        made = {name: self.value(said["properties"][name], depth + 1) for name in names}
        more = said.get("additionalProperties")
        if self._whole and isinstance(more, dict) and depth < DEEPEST:
            made["more"] = self.value(more, depth + 1)
        return made

    def _array(self, said: Mapping[str, Any], depth: int) -> list[Any]:
        least = max(said.get("minItems", 0), int(self._whole and depth < DEEPEST))
        prefix = [self.value(each, depth + 1) for each in said.get("prefixItems", ())]
        rest = range(max(0, least - len(prefix)))
        return prefix + [self.value(said.get("items") or {}, depth + 1) for _ in rest if said.get("items") is not False]

    def _merged(self, schema: Any) -> dict[str, Any]:
        said = dict(schema) if isinstance(schema, Mapping) else {}
        more = [self._at(said.pop("$ref"))] if "$ref" in said else []
        more += said.pop("allOf", [])
        for each in more:
            said = _both(self._merged(each), said)
        return said

    def _at(self, reference: str) -> Any:
        found: Any = self._root
        for step in reference.removeprefix("#").strip("/").split("/"):
            if step:
                found = found[step.replace("~1", "/").replace("~0", "~")]
        return found


def _both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    made = {**one, **other}
    if "properties" in one and "properties" in other:
        made["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        made["required"] = [*one["required"], *other["required"]]
    return made


def _number(said: Mapping[str, Any], kind: str) -> float:
    least = said.get("minimum", said.get("exclusiveMinimum", 0) + 1)
    made = min(least, said.get("maximum", least))
    return int(made) if kind == "integer" else made


def _text(said: Mapping[str, Any], whole: bool) -> str:
    if said.get("format") in _FORMATS:
        return _FORMATS[said["format"]]
    if "pattern" in said:
        check = jsonschema.Draft202012Validator(
            {key: said[key] for key in ("pattern", "minLength", "maxLength") if key in said}
        )
        return next((text for text in _TEXTS if check.is_valid(text)), "")
    made = "text of\nlines" if whole else "x"
    return made.ljust(said.get("minLength", 0), "x")[: said.get("maxLength")]
