"""The names that a script defines itself, anywhere and in any way."""

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bindings:
    """What a script defines."""

    names: frozenset[str]
    by_star: bool
    """It imports everything from somewhere, so that any name may be defined."""


def bindings_of(tree: ast.AST) -> Bindings:
    """All scopes together: a name that is defined somewhere is never called unknown."""
    names: set[str] = set()
    for node in ast.walk(tree):
        names.update(_bound_by(node))
    return Bindings(frozenset(names), "*" in names)


def _bound_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.arg(arg=name):
            return [name]
        case ast.alias(name=name, asname=alias):
            return [alias or name.split(".")[0]]
        case (
            ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            return [name]
        case _:
            return []
