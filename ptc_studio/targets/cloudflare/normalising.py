"""What Cloudflare's code mode makes of a text before it runs it: an async arrow function, which it then calls."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from ptc_studio.runtimes.javascript.script_value import Edit
from ptc_studio.runtimes.javascript.syntax import Syntax, top_level, unwrapped

_FENCE = re.compile(r"```(?:js|javascript|typescript|ts|tsx|jsx)?\s*\n([\s\S]*?)```\s*$")
_OPEN, _CLOSE = "(async () => {", "\n})()"


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of the author's text, in characters."""

    start: int
    end: int


def edits(code: str) -> list[Edit]:
    """The edits that have the author's text compiled as what it is made into; lines stay."""
    part = _without_fence(code)
    blanks = [*_blanked(code, 0, part.start), *_blanked(code, part.end, len(code))]
    return sorted([*blanks, *_normalised(code, part)], key=lambda edit: edit[:2])


def _without_fence(code: str) -> _Part:
    """The text without the white space around it, and without a code fence around that."""
    start, end = _stripped(code, 0, len(code))
    found = _FENCE.match(code, start, end)
    return _Part(*_stripped(code, *found.span(1))) if found else _Part(start, end)


def _stripped(code: str, start: int, end: int) -> tuple[int, int]:
    while start < end and code[start].isspace():
        start += 1
    while end > start and code[end - 1].isspace():
        end -= 1
    return start, end


def _normalised(code: str, part: _Part) -> list[Edit]:
    source = code[part.start : part.end]
    if not source:
        return [_at(code, part.end, "(async () => {})()")]
    syntax = Syntax(source)
    statements = syntax.statements()
    only = statements[0] if len(statements) == 1 else None
    # A `return` outside of functions is an error to the parser that is used there, too.
    if not syntax.broken and not any(node.type == "return_statement" for node in top_level(syntax.root)):
        found = _special(code, part, syntax, only, statements)
        if found is not None:
            return found
    return [_at(code, part.start, _OPEN), _at(code, part.end, _CLOSE)]


def _special(code: str, part: _Part, syntax: Syntax, only: Node | None, statements: list[Node]) -> list[Edit] | None:
    """A single arrow function, default export or function declaration, or a last expression."""

    def place(byte: int) -> int:
        return part.start + len(syntax.data[:byte].decode("utf-8", "surrogatepass"))

    if (
        only is not None
        and only.type == "expression_statement"
        and unwrapped(_expression(only)).type == "arrow_function"
    ):
        # A semicolon behind it is left out: there it is a syntax error, though the published examples have one.
        ended = _blanked(code, place(_expression(only).end_byte), place(only.end_byte))
        return [_at(code, part.start, "("), *ended, _at(code, part.end, "\n)()")]
    if only is not None and only.type == "export_statement" and any(each.type == "default" for each in only.children):
        return _default_export(code, only, place)
    if only is not None and only.type in ("function_declaration", "generator_function_declaration"):
        name = only.child_by_field_name("name")
        called = syntax.text(name) if name else "fn"
        return [_at(code, part.start, _OPEN), _at(code, part.end, f"\nreturn {called}();{_CLOSE}")]
    last = statements[-1] if statements else None
    if last is not None and last.type == "expression_statement" and not syntax.text(last).startswith("{"):
        expression = _expression(last)
        start, end = place(expression.start_byte), place(expression.end_byte)
        return [
            _at(code, part.start, _OPEN),
            _at(code, start, "return ("),
            *_blanked(code, end, part.end),
            _at(code, part.end, f"){_CLOSE}"),
        ]
    return None


def _default_export(code: str, statement: Node, place: Callable[[int], int]) -> list[Edit]:
    exported = statement.child_by_field_name("declaration") or statement.child_by_field_name("value")
    assert exported is not None
    start, end = place(exported.start_byte), place(exported.end_byte)
    around = [*_blanked(code, place(statement.start_byte), start), *_blanked(code, end, place(statement.end_byte))]
    nameless = exported.child_by_field_name("name") is None
    if exported.type in ("function_expression", "function_declaration", "generator_function") and nameless:
        return [*around, _at(code, start, f"{_OPEN}return ("), _at(code, end, f")();{_CLOSE}")]
    if exported.type in ("class", "class_declaration") and nameless:
        return [*around, _at(code, start, f"{_OPEN}return ("), _at(code, end, f");{_CLOSE}")]
    return [*around, *_normalised(code, _Part(start, end))]


def _expression(statement: Node) -> Node:
    return next(node for node in statement.named_children if node.type != "comment")


def _at(code: str, place: int, text: str) -> Edit:
    offset = _offset(code, place)
    return offset, offset, text


def _blanked(code: str, start: int, end: int) -> list[Edit]:
    """What is left out, replaced by white space of the same lines."""
    text = code[start:end]
    if not text.strip():
        return []
    blank = "".join(char if char in "\r\n" else " " * (len(char.encode("utf-16-le")) // 2) for char in text)
    return [(_offset(code, start), _offset(code, end), blank)]


def _offset(code: str, place: int) -> int:
    return len(code[:place].encode("utf-16-le", "surrogatepass")) // 2
