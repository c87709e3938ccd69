"""A `return` at the top level of a script: what it gives is the script's value, and the script ends there.

Python knows `return` in functions only. So each statement that holds one is compiled as the body of a function whose
names are all global, and the statements between them as they are: every name and every line stays what it was.
"""

import __future__

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any

_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_WAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith)
_YIELDS = (ast.Yield, ast.YieldFrom)


def are_in(tree: ast.Module) -> bool:
    """Whether anything returns at the top level."""
    return any(_returns(statement) for statement in tree.body)


def compile_parts(tree: ast.Module, filename: str, flags: int) -> list[Any]:
    """The codes to execute one after the other; a function's gives `(value,)` if the script returns there."""
    parts: list[Any] = []
    plain: list[ast.stmt] = []

    def compile_plain() -> None:
        nonlocal flags
        if plain or not parts:
            code = compile(ast.Module(plain[:], []), filename, "exec", flags=flags, dont_inherit=True)
            flags |= code.co_flags & _FUTURES
            parts.append(code)
            plain.clear()

    for statement in tree.body:
        if not _returns(statement):
            plain.append(statement)
            continue
        compile_plain()
        function = ast.Module([_function(statement)], [])
        code = compile(function, filename, "exec", flags=flags, dont_inherit=True)
        parts.append(next(const for const in code.co_consts if isinstance(const, CodeType)))
    compile_plain()
    return parts


def _returns(statement: ast.stmt) -> bool:
    own = list(_own_nodes(statement))
    # A `yield` beside it would make a generator; the compiler refuses both.
    return any(isinstance(node, ast.Return) for node in own) and not any(isinstance(node, _YIELDS) for node in own)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that are executed at the top level themselves, not in a function or class that stands there."""
    yield node
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _own_nodes(child)


def _function(statement: ast.stmt) -> ast.stmt:
    own = list(_own_nodes(statement))
    waits = any(isinstance(node, _WAITS) or getattr(node, "is_async", 0) for node in own)
    (function,) = ast.parse("async def f(): pass" if waits else "def f(): pass").body
    assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
    names = sorted({name for node in own for name in _bound(node)})
    body = [_OwnStatements().visit(statement)]
    function.name = "<module>"
    function.body = [ast.Global(names), *body] if names else body
    for node in (function, function.body[0]):
        ast.copy_location(node, statement)
    return ast.fix_missing_locations(function)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


class _OwnStatements(ast.NodeTransformer):
    """Makes a statement one of a function: `return x` gives `(x,)`, and global names cannot be annotated."""

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, _SCOPES) else super().visit(node)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        value = node.value or ast.copy_location(ast.Constant(None), node)
        node.value = ast.copy_location(ast.Tuple([value], ast.Load()), value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            return node
        plain = ast.Assign([node.target], node.value) if node.value else ast.Pass()
        return ast.copy_location(plain, node)

    def visit_Global(self, node: ast.Global) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)
