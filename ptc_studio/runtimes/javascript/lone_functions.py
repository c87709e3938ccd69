"""Finds a script that only defines functions: it runs, nothing is called, and that would look like success."""

from tree_sitter import Node

from ptc_studio.runtimes.javascript.syntax import FUNCTIONS, Dialect, Syntax, top_level, unwrapped

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
