"""Reads YAML as plain JSON-like data, and still knows the line of everything in it."""

from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase, TaggedScalar
from ruamel.yaml.constructor import RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError

MOST_REPEATED = 50_000
"""Values that aliases may repeat in one file."""


class _Constructor(RoundTripConstructor):
    """Leaves dates as they are written: JSON has none, and whoever writes one without quotes means the text.

    What aliases and merges repeat is counted before anything is made of it.
    """

    def construct_document(self, node: Any) -> Any:
        _check_aliases(node)
        return super().construct_document(node)


_Constructor.add_constructor("tag:yaml.org,2002:timestamp", RoundTripConstructor.construct_scalar)


class YamlFault(Exception):
    """The text is not what it should be; the message says why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class LinedYaml:
    """A YAML document whose top is a mapping."""

    def __init__(self, text: bytes) -> None:
        self._document = _parse(_decode(text))
        try:
            self.plain: dict[str, Any] = _plain(self._document)
        except RecursionError:
            raise YamlFault(1, "something in the file contains itself") from None

    def line_of(self, place: tuple[str | int, ...]) -> int:
        """The line of the place, or of the nearest thing around it that has one."""
        line, node = 1, self._document
        for part in place:
            if not isinstance(node, CommentedBase):
                break
            try:
                line = (node.lc.key(part)[0] if isinstance(node, dict) else node.lc.item(part)[0]) + 1  # type: ignore[attr-defined]
                node = node[part]  # type: ignore[index]
            except (KeyError, IndexError, TypeError):
                break
        return line


def _check_aliases(root: Any) -> None:
    """Raises YamlFault where a value contains itself, or aliases of aliases come to too many values."""
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
            raise YamlFault(node.start_mark.line + 1, "something here contains itself: take the alias out")
        elif id(node) in sizes:
            repeated += sizes[id(node)]
            if repeated > MOST_REPEATED:
                message = f"aliases repeat more than {MOST_REPEATED:,} values: write fewer of them"
                raise YamlFault(node.start_mark.line + 1, message)
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
        raise YamlFault(line, f"not UTF-8 text (byte 0x{text[error.start]:02x})") from None


def _parse(text: str) -> Any:
    yaml = YAML(typ="rt")
    yaml.Constructor = _Constructor
    try:
        document = yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise YamlFault(line, f"not YAML: {error.problem or error.context}") from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlFault(line, f"not YAML: the character U+{error.character:04X} is not allowed") from None
    except RecursionError:
        raise YamlFault(1, "nested too deeply") from None
    except ValueError as error:
        # A tag such as `!!int` on what is none.
        raise YamlFault(1, f"not YAML: {error}") from None
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise YamlFault(1, "must be a mapping of keys such as 'sources' and 'aliases'")
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
