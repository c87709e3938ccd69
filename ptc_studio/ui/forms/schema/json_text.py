"""JSON as text, read strictly and written so that it comes back; and what the alternatives of a schema are called."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from ptc_studio.core.json_schema import Flat, Part, SchemaSource, flatten, listed
from ptc_studio.ui.forms.schema.shapes import Path, Step, ValueChoice, Variant, is_number, number_of, numeral_of

SHORT = 60
"""A list or an object of plain values that is no longer than this stands on one line."""


class JsonMistake(Exception):
    """Text that is no JSON: where, and why."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"Line {line}: {message}")
        self.line = line
        self.column = column
        self.message = message


def read_json(text: str) -> Any:
    """The value that the text says; raises `JsonMistake`."""
    try:
        return json.loads(
            text, parse_float=_number, parse_int=_number, parse_constant=_no_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        raise JsonMistake(error.lineno, error.colno, _plain(error, text)) from None
    except RecursionError:
        raise JsonMistake(1, 1, "It is nested too deeply to be read.") from None
    except ValueError as error:
        raise JsonMistake(1, 1, str(error)) from None


def write_json(value: Any) -> str:
    """The value as indented text."""
    return _written(value, "\n")


def one_line(value: Any) -> str:
    """The value on one line."""
    return _written(value, "")


def _written(value: Any, newline: str) -> str:
    if isinstance(value, dict):
        inner = newline and newline + "  "
        parts = [f"{_string(str(key))}: {_written(item, inner)}" for key, item in value.items()]
        return _joined("{", parts, "}", newline)
    if isinstance(value, list | tuple):
        inner = newline and newline + "  "
        return _joined("[", [_written(item, inner) for item in value], "]", newline)
    if isinstance(value, str):
        return _string(value)
    if is_number(value):
        return numeral_of(value)
    return json.dumps(value)


def _string(text: str) -> str:
    """Escaped where a text editor could not hold it: lone surrogates, and separators that editors take for newlines."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(
        f"\\u{ord(char):04x}" if char in _UNSAFE or "\ud800" <= char <= "\udfff" else char for char in quoted
    )


_UNSAFE = frozenset("\x7f\x85\u2028\u2029\ufdd0\ufdd1\ufffc\ufeff")


def _joined(begin: str, parts: list[str], end: str, newline: str) -> str:
    plain = all("\n" not in part and part[0] not in "{[" for part in parts)
    if not parts or not newline or (plain and begin == "[" and sum(map(len, parts)) + 2 * len(parts) <= SHORT):
        return begin + ", ".join(parts) + end
    inner = newline + "  "
    return f"{begin}{inner}{f',{inner}'.join(parts)}{newline}{end}"


def _number(text: str) -> int | float | Decimal:
    number = number_of(text)
    if number is None:
        raise ValueError("A number has too many digits.")
    return number


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON; use null or a number.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"The key {twice!r} appears twice in one object.")
    return made


_MESSAGES = {
    "Expecting value": "a value is missing here",
    "Expecting ',' delimiter": "a comma is missing here",
    "Expecting ':' delimiter": "a colon is missing after the key",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing here",
    "Illegal trailing comma before end of object": "there is a comma too many",
    "Illegal trailing comma before end of array": "there is a comma too many",
    "Unterminated string starting at": "this text has no closing quote",
    "Invalid control character at": "a text cannot go on in the next line; write \\n",
    "Extra data": "there is something after the end of the value",
}


def _plain(error: json.JSONDecodeError, text: str) -> str:
    rest = text[error.pos : error.pos + 12].split("\n")[0].strip()
    said = _MESSAGES.get(error.msg, error.msg[:1].lower() + error.msg[1:])
    if not text.strip():
        return "There is no value yet."
    if error.msg == "Expecting value" and rest[:1].isalpha():
        said = "text needs double quotes"
    return f"{said[:1].upper()}{said[1:]}{f', at {rest!r}' if rest else ''}."


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+|\n', re.DOTALL)


def line_of(text: str, path: Path) -> int:
    """The line of the value, or of the nearest one around it, counted from 1. The text must be JSON."""
    best, best_depth, line = 1, 0, 1
    stack: list[list[Any]] = []
    """Per open container: the step that is being read; a key is None until it was read."""
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if piece == "\n":
            line += 1
        elif piece in "}]":
            stack.pop()
        elif piece == ",":
            stack[-1][0] = stack[-1][0] + 1 if isinstance(stack[-1][0], int) else None
        elif stack and stack[-1][0] is None:
            stack[-1][0] = _key(piece)
        elif piece != ":":
            depth = _shared([frame[0] for frame in stack], path)
            if depth > best_depth:
                best, best_depth = line, depth
                if depth == len(path):
                    return best
            if piece in "{[":
                stack.append([None if piece == "{" else 0])
    return best


def _shared(steps: list[Step], path: Path) -> int:
    """How many steps lead towards the path, if all of them do."""
    return len(steps) if tuple(steps) == path[: len(steps)] else 0


def _key(piece: str) -> str:
    return json.loads(piece)


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
