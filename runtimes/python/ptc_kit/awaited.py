"""Finds the calls of a script whose results it awaits: `await add(1)`, `asyncio.gather(add(1), add(2))` and the like.

A tool gives its value where it is simply called. Where the script awaits what the call gives, be it there or by way of
a variable, a list or a small function of its own, the tool's asynchronous twin is called instead.
"""

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from ptc_kit.tools import TWIN, CallableNamespace

AWAITABLE = "__ptc_awaitable__"
_CONSUMERS = frozenset(
    ("gather", "create_task", "ensure_future", "wait_for", "shield", "as_completed", "run_until_complete")
)
"""Functions whose arguments are awaited, whatever they are called on."""
_OF_ASYNCIO = frozenset(("run", "wait"))
_GROWING = frozenset(("append", "add", "extend", "insert", "appendleft"))
_PASSING = frozenset(("list", "tuple", "set", "reversed", "iter", "zip", "enumerate"))
_TOOL_TYPES = (FunctionType, CallableNamespace)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def ask_for_twins(tree: ast.Module) -> bool:
    """Has the calls that are awaited ask for the twin of what they call; False if there are none."""
    calls, mapped = awaited_calls(tree)
    for call in calls:
        call.func = _asked(call.func)
    for call in mapped:
        call.args[0] = _asked(call.args[0])
    return bool(calls or mapped)


def awaitable(function: Any) -> Any:
    """The asynchronous twin of a tool; anything else is itself."""
    return function.__dict__.get(TWIN, function) if type(function) in _TOOL_TYPES else function


def awaited_calls(tree: ast.Module) -> "tuple[list[ast.Call], list[ast.Call]]":
    """The calls whose results are awaited, and the calls of `map` whose function's are."""
    finder = _Finder(tree)
    return finder.calls, finder.mapped


def _asked(function: ast.expr) -> ast.expr:
    name = ast.copy_location(ast.Name(AWAITABLE, ast.Load()), function)
    return ast.copy_location(ast.Call(name, [function], []), function)


class _Scope:
    """What the names of a function, or of the top level, were given."""

    def __init__(self, outer: "_Scope | None") -> None:
        self.outer = outer
        self.given: dict[str, list[ast.expr]] = {}
        self.returned: dict[str, list[tuple[ast.expr, _Scope]]] = {}

    def of(self, name: str) -> "_Scope":
        """The scope that the name belongs to, seen from this one."""
        scope = self
        while name not in scope.given and name not in scope.returned and scope.outer is not None:
            scope = scope.outer
        return scope


class _Finder:
    """One walk that notes what names are given and what is awaited, then goes from the awaited names to the calls."""

    def __init__(self, tree: ast.Module) -> None:
        self.calls: list[ast.Call] = []
        self.mapped: list[ast.Call] = []
        self._awaited: list[tuple[ast.expr, _Scope]] = []
        self._seen: set[Any] = set()
        self._walk(tree, _Scope(None))
        while self._awaited:
            self._follow(*self._awaited.pop())

    def _walk(self, node: ast.AST, scope: _Scope) -> None:
        self._note(node, scope)
        inner = scope
        if isinstance(node, _FUNCTIONS):
            inner = _Scope(scope)
            if isinstance(node, ast.FunctionDef):
                results = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value]
                scope.returned.setdefault(node.name, []).extend((result, inner) for result in results)
        for child in ast.iter_child_nodes(node):
            self._walk(child, inner)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    scope.returned.setdefault(target.id, []).append((node.value.body, scope))

    def _note(self, node: ast.AST, scope: _Scope) -> None:
        if isinstance(node, ast.Await):
            self._awaited.append((node.value, scope))
        elif isinstance(node, ast.Call):
            if _consumes(node):
                self._awaited += [(argument, scope) for argument in node.args]
            elif isinstance(node.func, ast.Attribute) and node.func.attr in _GROWING and node.args:
                self._give(node.func.value, node.args[-1], scope)
        for target, value in _bindings(node):
            self._give(target, value, scope)

    def _give(self, target: ast.expr, value: ast.expr, scope: _Scope) -> None:
        if isinstance(target, ast.Name):
            scope.given.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Subscript):
            self._give(target.value, value, scope)
        elif isinstance(target, (ast.Tuple, ast.List)):
            pairs = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            for number, part in enumerate(target.elts):
                self._give(part, value.elts[number] if pairs else value, scope)  # type: ignore[attr-defined]

    def _follow(self, node: ast.expr, scope: _Scope) -> None:
        """Goes from something that is awaited, or that holds what is, to the calls that it comes from."""
        if isinstance(node, ast.Name):
            self._follow_name(node.id, scope)
        elif isinstance(node, ast.Call):
            self._follow_call(node, scope)
        else:
            self._awaited += [(part, scope) for part in _parts(node)]

    def _follow_name(self, name: str, scope: _Scope) -> None:
        owner = scope.of(name)
        if (id(owner), name) not in self._seen:
            self._seen.add((id(owner), name))
            self._awaited += [(value, owner) for value in owner.given.get(name, ())]

    def _follow_call(self, call: ast.Call, scope: _Scope) -> None:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if id(call) in self._seen or _consumes(call):
            return
        self._seen.add(id(call))
        if name == "map" and call.args:
            self.mapped.append(call)
        elif name in _PASSING:
            self._awaited += [(argument, scope) for argument in call.args]
        elif isinstance(call.func, ast.Attribute) and call.func.attr in ("values", "items", "pop", "get", "copy"):
            self._awaited.append((call.func.value, scope))
        elif not _of_asyncio(call.func):
            self.calls.append(call)
            self._awaited += scope.of(name).returned.get(name, ())


def _consumes(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id in _CONSUMERS
    if not isinstance(function, ast.Attribute):
        return False
    return function.attr in _CONSUMERS or (function.attr in _OF_ASYNCIO and _of_asyncio(function))


def _of_asyncio(function: ast.expr) -> bool:
    owner = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in ("asyncio", "anyio", "runner")


def _bindings(node: ast.AST) -> "Iterator[tuple[ast.expr, ast.expr]]":
    """The targets of a node and what they are given; of a loop, what holds what they are given."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and node.value:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield node.target, node.iter


def _parts(node: ast.expr) -> "list[ast.expr]":
    """The parts of an expression that are, or hold, what it gives."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return node.elts
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return [node.elt]
    if isinstance(node, ast.Dict):
        return node.values
    if isinstance(node, ast.DictComp):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, (ast.Starred, ast.Subscript, ast.NamedExpr)):
        return [node.value]
    return []
