"""What the host reads in the text of a script in JavaScript or TypeScript: its syntax, its value, lone functions.

JavaScript's modules have no value. The text stays the author's; the kit compiles it with edits that make one, and that
move no line.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

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

    def column(self, node: Node) -> int:
        """The column where the node begins, in characters from 1."""
        return (
            len(self.data[node.start_byte - node.start_point[1] : node.start_byte].decode("utf-8", "surrogatepass")) + 1
        )

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


Edit = tuple[int, int, str]
"""From and to, in UTF-16 units of the author's text, and what stands there instead."""
NO_EXPRESSION = ("{", "function", "class", "async function")
"""What begins a statement, though the parser may take it for an expression."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """How to compile a script so that its default export is its value."""

    edits: tuple[Edit, ...] = ()
    implicit: bool = False
    """Whether the value is a last expression, which nobody asked to be waited for."""

    @property
    def frame(self) -> dict[str, Any]:
        """As the kit is told."""
        return {"edits": self.edits, "implicit": self.implicit} if self.edits else {}


def compilation(code: str, dialect: Dialect) -> Compilation:
    """The edits for the script, none if it says itself what its value is, or has none."""
    syntax = Syntax(code, dialect)
    statements = syntax.statements()
    if any(_is_default(statement) for statement in statements):
        return Compilation()
    if any(node.type == "return_statement" for node in top_level(syntax.root)):
        return Compilation(tuple(_as_function(syntax, statements)))
    found = None if syntax.broken or not statements else last_expression(syntax, statements[-1])
    return Compilation(tuple(_around(syntax, found, "export default (")), implicit=True) if found else Compilation()


def last_expression(syntax: Syntax, statement: Node) -> Node | None:
    """The expression that the statement consists of, if it is one."""
    if statement.type != "expression_statement" or syntax.text(statement).startswith(NO_EXPRESSION):
        return None
    return next(node for node in statement.named_children if node.type != "comment")


def _is_default(statement: Node) -> bool:
    return statement.type == "export_statement" and any(child.type == "default" for child in statement.children)


def _around(syntax: Syntax, expression: Node, before: str) -> list[Edit]:
    start, end = syntax.offset(expression.start_byte), syntax.offset(expression.end_byte)
    return [(start, start, before), (end, end, ")")]


def _as_function(syntax: Syntax, statements: list[Node]) -> list[Edit]:
    """Everything as the body of a function, but for imports: they are hoisted anyway, so they may stand at the end."""
    start = syntax.offset(statements[0].start_byte)
    edits: list[Edit] = [(start, start, "export default await (async () => {")]
    imports: list[str] = []
    for statement in statements:
        if statement.type == "import_statement":
            imports.append(syntax.text(statement))
            edits.append(_blank(syntax, statement.start_byte, statement.end_byte))
        elif statement.type == "export_statement":
            declared = statement.child_by_field_name("declaration")
            edits.append(_blank(syntax, statement.start_byte, declared.start_byte if declared else statement.end_byte))
    last = None if syntax.broken else last_expression(syntax, statements[-1])
    if last:
        edits += _around(syntax, last, "return (")
    end = syntax.offset(len(syntax.data))
    return [*edits, (end, end, "\n".join(("", "})();", *imports, "")))]


def _blank(syntax: Syntax, start: int, end: int) -> Edit:
    text = syntax.data[start:end].decode("utf-8", "surrogatepass")
    return syntax.offset(start), syntax.offset(end), "".join(char if char in "\r\n" else " " for char in text)


_ACTS = frozenset(
    ("call_expression", "new_expression", "await_expression", "throw_statement", "return_statement", "yield_expression")
)


def lone_function(code: str, dialect: Dialect = "javascript") -> tuple[int, str] | None:
    """The line of a function that nobody calls though the script is nothing without it, and what to say of it."""
    syntax = Syntax(code, dialect)
    statements = syntax.statements()
    nameless = next((each for each in statements if _is_bare_function(each)), None)
    if nameless is not None:
        return syntax.line(nameless), "nobody calls this function, so nothing in it happens: write `(...)()` around it"
    if syntax.broken or any(node.type in _ACTS for node in top_level(syntax.root)):
        return None
    named = [(each, name) for each in statements for name in _function_names(syntax, each)]
    if not named:
        return None
    statement, name = named[-1]
    return syntax.line(statement), f"nobody calls {name!r}, so the script does nothing: write `await {name}()` below it"


def _is_bare_function(statement: Node) -> bool:
    """Whether the statement is a function that has no name, or is handed to nobody: `async () => {...}`."""
    if statement.type == "export_statement":
        value = statement.child_by_field_name("value")
        return value is not None and unwrapped(value).type in FUNCTIONS
    if statement.type != "expression_statement":
        return False
    return any(unwrapped(child).type in FUNCTIONS for child in statement.named_children)


def _function_names(syntax: Syntax, statement: Node) -> list[str]:
    declared = statement.child_by_field_name("declaration") if statement.type == "export_statement" else statement
    if declared is None:
        return []
    if declared.type in FUNCTIONS:
        name = declared.child_by_field_name("name")
        return [syntax.text(name)] if name else []
    found: list[str] = []
    for child in declared.named_children if declared.type.endswith("_declaration") else ():
        value, name = child.child_by_field_name("value"), child.child_by_field_name("name")
        if value is not None and name is not None and unwrapped(value).type in FUNCTIONS:
            found.append(syntax.text(name))
    return found
