"""Reads JavaScript and TypeScript: the syntax tree of a text, in the units in which JavaScript counts."""

from collections.abc import Collection, Iterator
from functools import cache
from typing import Literal

from tree_sitter import Language, Node, Parser

Dialect = Literal["javascript", "typescript"]
FUNCTIONS = frozenset(
    (
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    )
)
_OWN_SCOPES = FUNCTIONS | {"class_body", "class_static_block"}
_NO_STATEMENTS = frozenset(("comment", "hash_bang_line", "html_comment", "empty_statement"))


def dialect_of(filename: str, extensions: Collection[str]) -> Dialect:
    """What a script is written in; without an ending, as from standard input, it may have types where it can."""
    if filename.endswith((".ts", ".mts", ".cts")) or ".js" not in extensions:
        return "typescript"
    return "typescript" if ".ts" in extensions and not filename.endswith((".js", ".mjs", ".cjs")) else "javascript"


class Syntax:
    """The syntax tree of one text. Lines count from 1; offsets are UTF-16 units, as JavaScript counts."""

    def __init__(self, code: str, dialect: Dialect = "javascript") -> None:
        self.code = code
        self.data = code.encode("utf-8", "surrogatepass")
        self.root = Parser(_grammar(dialect)).parse(self.data).root_node
        self.broken = self.root.has_error

    def statements(self) -> list[Node]:
        """The statements of the top level."""
        return [node for node in self.root.named_children if node.type not in _NO_STATEMENTS]

    def text(self, node: Node) -> str:
        """The text of a node."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")

    def offset(self, byte: int) -> int:
        """The place of a byte in UTF-16 units."""
        if len(self.data) == len(self.code):
            return byte
        return len(self.data[:byte].decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")) // 2

    @staticmethod
    def line(node: Node) -> int:
        """The line where the node begins."""
        return node.start_point[0] + 1


def top_level(node: Node) -> Iterator[Node]:
    """The nodes below that are executed as part of this one, and not in a function or class that stands there."""
    return everything(node, without=_OWN_SCOPES)


def everything(node: Node, without: frozenset[str] = frozenset()) -> Iterator[Node]:
    """All nodes below, in the order of the text, but for what is inside of those types."""
    # Not by recursion: texts are nested as deeply as somebody likes.
    ahead = node.named_children[::-1]
    while ahead:
        child = ahead.pop()
        yield child
        if child.type not in without:
            ahead += child.named_children[::-1]


def unwrapped(node: Node) -> Node:
    """What stands inside of parentheses."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


@cache
def _grammar(dialect: Dialect) -> Language:
    # Imported when a text is first read: most runs have none.
    if dialect == "typescript":
        import tree_sitter_typescript

        return Language(tree_sitter_typescript.language_typescript())
    import tree_sitter_javascript

    return Language(tree_sitter_javascript.language())
