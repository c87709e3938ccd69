"""Reads YAML as plain JSON-like data, and still knows the line of everything in it."""

import re
from typing import Any, TypeVar

from pydantic import PrivateAttr, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase, TaggedScalar
from ruamel.yaml.constructor import RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError

from ptc_studio.sources.entry_fields import WorkspaceEntry

MOST_REPEATED = 50_000
"""Values that aliases may repeat in one file."""


MOST_ALIASES = 10_000
DEEPEST = 200
"""Brackets within brackets: the parser's time grows with their square."""
_ALIAS = re.compile(r"(?:^|[\s\[{,:-])\*\w")
_BRACKETS = re.compile(r"[\[{\]}]")


class _Constructor(RoundTripConstructor):
    """Leaves dates as they are written: JSON has none, and whoever writes one without quotes means the text.

    What aliases and merges repeat is counted before anything is made of it.
    """

    def construct_document(self, node: Any) -> Any:
        _check_aliases(node)
        return super().construct_document(node)


_Constructor.add_constructor("tag:yaml.org,2002:timestamp", RoundTripConstructor.construct_scalar)


class YamlError(Exception):
    """The text is not what it should be; the message says why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class YamlWithLines:
    """A YAML document whose top is a mapping."""

    def __init__(self, text: bytes) -> None:
        self._document = _parse(_decode(text))
        try:
            self.plain: dict[str, Any] = _plain(self._document)
        except RecursionError:
            raise YamlError(1, "something in the file contains itself") from None

    def line_of(self, location: tuple[str | int, ...]) -> int:
        """The line of the place, or of the nearest thing around it that has one."""
        line, node = 1, self._document
        for part in location:
            if not isinstance(node, CommentedBase):
                break
            try:
                line = (node.lc.key(part)[0] if isinstance(node, dict) else node.lc.item(part)[0]) + 1  # type: ignore[attr-defined]
                node = node[part]  # type: ignore[index]
            except (KeyError, IndexError, TypeError):
                break
        return line


def _check_aliases(root: Any) -> None:
    """Raises YamlError where a value contains itself, or aliases of aliases come to too many values."""
    sizes: dict[int, int] = {}
    under_way: set[int] = set()
    repeated = 0
    left = [(root, False)]
    while left:
        node, done = left.pop()
        if done:
            under_way.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes[id(part)] for part in _parts(node))
        elif id(node) in under_way:
            raise YamlError(node.start_mark.line + 1, "something here contains itself: take the alias out")
        elif id(node) in sizes:
            repeated += sizes[id(node)]
            if repeated > MOST_REPEATED:
                message = f"aliases repeat more than {MOST_REPEATED:,} values: write fewer of them"
                raise YamlError(node.start_mark.line + 1, message)
        else:
            under_way.add(id(node))
            left.append((node, True))
            left += [(part, False) for part in _parts(node)]


def _parts(node: Any) -> list[Any]:
    """What stands right below a node of the parser's."""
    if not isinstance(node.value, list):
        return []
    return [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]


def _decode(text: bytes) -> str:
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise YamlError(line, f"not UTF-8 text (byte 0x{text[error.start]:02x})") from None


def _check_cost(text: str) -> None:
    """Raises YamlError for what would take the parser long, whatever it came to."""
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket[0] in "[{" else max(0, depth - 1)
        if depth > DEEPEST:
            raise YamlError(text.count("\n", 0, bracket.start()) + 1, f"more than {DEEPEST} brackets in each other")
    if text.count("*") > MOST_ALIASES and len(_ALIAS.findall(text)) > MOST_ALIASES:
        raise YamlError(1, f"more than {MOST_ALIASES:,} aliases: write fewer of them")


def _parse(text: str) -> Any:
    _check_cost(text)
    yaml = YAML(typ="rt")
    yaml.Constructor = _Constructor
    try:
        document = yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise YamlError(line, f"not YAML: {error.problem or error.context}") from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlError(line, f"not YAML: the character U+{error.character:04X} is not allowed") from None
    except RecursionError:
        raise YamlError(1, "nested too deeply") from None
    except ValueError as error:
        # A tag such as `!!int` on what is none.
        raise YamlError(1, f"not YAML: {error}") from None
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise YamlError(1, "must be a mapping of keys such as 'sources' and 'aliases'")
    return document


def _plain(node: Any) -> Any:
    """The same without the parser's own types, which know their lines: arguments of tools come from here."""
    if isinstance(node, dict):
        return {_plain(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if isinstance(node, TaggedScalar):
        return str(node.value)
    if isinstance(node, bool):
        return node
    for kind in (str, int, float):
        if isinstance(node, kind):
            return kind(node)
    return node


EXPECTED = {
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "string_type": "text (put it in quotes)",
    "invalid_key": "text (put the key in quotes)",
    "path_type": "a path",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
}
"""What pydantic's types of errors come to in the words of somebody who edits YAML."""


def error_in(document: YamlWithLines, error: ValidationError) -> YamlError:
    """The first thing that does not fit, with its line."""
    first = error.errors()[0]
    location = _location(first["loc"])
    if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
        location = (*location, "kind")
    return YamlError(
        document.line_of(location), f"{'.'.join(map(str, location)) or 'the file'}: {_what(first, location)}"
    )


def _location(found: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where in the file it is: without what pydantic adds of its own, the kind of a source and the mark of a key."""
    if found[:1] == ("sources",) and len(found) > 2:
        found = (*found[:2], *found[3:])
    return tuple(part for part in found if part != "[key]")


def _what(first: Any, location: tuple[str | int, ...]) -> str:
    match first["type"]:
        case "extra_forbidden":
            return f"unknown key {str(location[-1])!r}; remove it or correct its spelling"
        case "union_tag_invalid":
            return f"must be one of {first['ctx']['expected_tags']}, not {first['ctx']['tag']!r}"
        case "missing" | "union_tag_not_found":
            return f"the key {str(location[-1])!r} is missing"
        case "value_error":
            return str(first["ctx"]["error"])
        case kind if kind in EXPECTED:
            return f"must be {EXPECTED[kind]}, not {_shown(first['input'])}"
        case _:
            return f"{first['msg'][:1].lower()}{first['msg'][1:]}, not {_shown(first['input'])}"


def _shown(value: Any) -> str:
    """A value in few words; what a list or a mapping holds may be no business of an error's."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case bool():
            return str(value).lower()
        case _:
            return f"{value!r:.60}"


File = TypeVar("File", bound="FileWithLines")


class FileWithLines(WorkspaceEntry):
    """The base of the files' models."""

    _text: YamlWithLines | None = PrivateAttr(None)

    def model_post_init(self, context: YamlWithLines | None) -> None:
        self._text = context

    def line_of(self, *location: str | int) -> int | None:
        """The line of `aliases, 2` and the like; None for what was not read from a file."""
        return self._text.line_of(location) if self._text else None


def understood(model: type[File], document: YamlWithLines) -> File:
    """The text as that file; raises YamlError."""
    try:
        return model.model_validate(document.plain, context=document)
    except ValidationError as error:
        raise error_in(document, error) from None
