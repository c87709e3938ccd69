"""Says how a script has to be compiled for its value to be known: the last expression, or what the top level returns.

JavaScript's modules have neither. The text stays the author's; the kit compiles it with these edits, none of which
moves a line.
"""

from dataclasses import dataclass
from typing import Any

from tree_sitter import Node

from ptc_studio.runtimes.javascript.syntax import Dialect, Syntax, top_level

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
