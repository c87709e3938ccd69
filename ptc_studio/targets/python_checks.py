"""What several Python targets look for in a script, by its syntax tree; nothing is executed."""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeGuard

from ptc_studio.targets.target import CheckedScript, Finding, Source

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_HARMLESS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
_OBJECT_METHODS = frozenset(("get", "items", "keys", "values", "append", "pop", "update", "setdefault"))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call, as the text has it, of what may be a tool."""

    node: ast.Call
    name: str
    """As it is written, such as `get_price` or `shop.price`."""
    awaited: bool
    """Whether its value is awaited there and then, or handed on to something that may."""

    @property
    def line(self) -> int:
        return self.node.lineno


def everywhere(script: CheckedScript) -> Iterator[Finding]:
    """What is wrong with a script wherever it goes."""
    body = script.tree.body
    functions = [node for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    plain = all(isinstance(node, _HARMLESS) or _is_constant(node) for node in body)
    called = any(isinstance(node, ast.Call) for statement in body for node in _outside_functions(statement))
    if functions and plain and not called:
        names = " and ".join(f"`{node.name}`" for node in functions)
        text = f"Nothing calls {names}: the script ends without having done anything"
        yield Finding(functions[0].lineno, text)


def tool_calls(script: CheckedScript) -> Iterator[ToolCall]:
    """The calls of tools: of the known names, or without any, of names that the script does not define."""
    defined = defined_names(script.tree) | frozenset(dir(builtins))
    awaited = {id(node.value) for node in ast.walk(script.tree) if isinstance(node, ast.Await)}
    for node in ast.walk(script.tree):
        name = dotted(node.func) if isinstance(node, ast.Call) else None
        if name is None:
            continue
        assert isinstance(node, ast.Call)
        root = name.partition(".")[0]
        if name in script.names if script.names else root == name and root not in defined:
            yield ToolCall(node, name, id(node) in awaited)


def dotted(node: ast.AST) -> str | None:
    """`a.b.c` as a text; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else None
    return None


def defined_names(tree: ast.Module) -> frozenset[str]:
    """Every name that the script gives a meaning to, wherever."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                found.add(node.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.arg():
                found.add(node.arg)
            case ast.Import() | ast.ImportFrom():
                found.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case _:
                pass
    return frozenset(found)


def _imports_everything(tree: ast.Module) -> bool:
    """Whether names come from a `from x import *`, which nobody can tell."""
    return any(alias.name == "*" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names)


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and the whole name of every module that is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def refused_imports(
    script: CheckedScript, allowed: Iterable[str], source: Source = "S", *, but: str = ""
) -> Iterator[Finding]:
    """Imports of what is not among the allowed modules."""
    known = frozenset(allowed)
    for line, name in imports(script.tree):
        if name.partition(".")[0] not in known:
            text = f"`{name}` cannot be imported there{but}; what can is {', '.join(sorted(known))}"
            yield Finding(line, text, source)


def unknown_names(script: CheckedScript, known: Iterable[str] = ()) -> Iterator[Finding]:
    """Names that the script needs and nobody gave, if it is known what there is."""
    if not script.names or script.continues or _imports_everything(script.tree):
        return
    roots = {name.partition(".")[0] for name in script.names}
    there = roots | defined_names(script.tree) | set(dir(builtins)) | set(known) | script.inputs
    there |= {"__name__", "__file__", "__doc__", "__builtins__"}
    called = {node.func for node in ast.walk(script.tree) if isinstance(node, ast.Call)}
    seen: set[str] = set()
    for node in ast.walk(script.tree):
        if isinstance(node, ast.Name) and node.id not in there and node.id not in seen:
            seen.add(node.id)
            # What is called is no input: those are values of JSON.
            text = uncallable(node.id, there, "Python") if node in called else no_value(node.id)
            yield Finding(node.lineno, text, fails=False, name=node.id)


def no_value(name: str) -> str:
    """What is said of a name that may be an input."""
    return f"Nothing gives `{name}` a value: if it is an input, give it with --input {name}=JSON"


def uncallable(name: str, known: Iterable[str], language: str) -> str:
    """What is said of a name that is called and that nobody has."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.75)
    return f"Nothing is called `{name}`: " + (
        f"did you mean `{close[0]}`?" if close else f"neither {language} nor a tool has that name"
    )


def unknown_environment(script: CheckedScript) -> Iterator[Finding]:
    """Variables of the environment that the script needs and nobody gave."""
    for node in ast.walk(script.tree):
        name = _variable(node)
        if name and name not in script.environment:
            text = f"The variable {name} of the environment has no value here: give it with --env {name}=VALUE"
            yield Finding(getattr(node, "lineno", None), text, fails=False)


def text_used_as_object(script: CheckedScript, calls: Iterable[ToolCall], source: Source) -> Iterator[Finding]:
    """A tool's text that is indexed or asked for as if it were a dict or a list."""
    results = {id(call.node): call.name for call in calls}
    for scope in _scopes(script.tree):
        held: dict[str, str] = {}
        for node in _in_order(scope):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
                _follow(node, results, held)
                continue
            used = _used_as_object(node)
            tool = used is not None and (
                _result_of(used, results) or (isinstance(used, ast.Name) and held.get(used.id))
            )
            if tool:
                text = f"`{tool}` gives text there, not an object: parse it first, with json.loads"
                yield Finding(getattr(node, "lineno", None), text, source)


def _result_of(node: ast.AST, results: dict[int, str]) -> str | None:
    """The tool whose result the expression is."""
    inner = node.value if isinstance(node, ast.Await) else node
    return results.get(id(inner))


def _follow(node: ast.Assign | ast.AnnAssign | ast.NamedExpr, results: dict[int, str], held: dict[str, str]) -> None:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    tool = _result_of(node.value, results) if node.value is not None else None
    for target in targets:
        if isinstance(target, ast.Name):
            if tool:
                held[target.id] = tool
            else:
                held.pop(target.id, None)


def _used_as_object(node: ast.AST) -> ast.AST | None:
    """What is taken for an object: `x["a"]` with a text, or `x.get(...)`."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return node.value
    if isinstance(node, ast.Attribute) and node.attr in _OBJECT_METHODS:
        return node.value
    return None


def _variable(node: ast.AST) -> str | None:
    """The name of the variable in `os.environ["X"]` or `os.getenv("X")` without another value to fall back on."""
    if isinstance(node, ast.Subscript) and dotted(node.value) in ("os.environ", "environ"):
        return _text(node.slice)
    if isinstance(node, ast.Call) and dotted(node.func) in ("os.getenv", "getenv", "os.environ.get", "environ.get"):
        return _text(node.args[0]) if len(node.args) == 1 and not node.keywords else None
    return None


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_constant(node: ast.stmt) -> bool:
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) or isinstance(node, ast.Pass)


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is below it, without the bodies of functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(node, Function) and child in (node.body if isinstance(node.body, list) else [node.body]):
            continue
        yield from _outside_functions(child)


def _scopes(tree: ast.Module) -> Iterator[ast.AST]:
    yield tree
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _in_order(scope: ast.AST) -> list[ast.AST]:
    """What is in the scope, assignments after what their values use, in the order of the lines."""
    nodes = [node for child in ast.iter_child_nodes(scope) for node in _outside_functions(child)]
    placed = [node for node in nodes if hasattr(node, "lineno")]
    return sorted(placed, key=lambda node: (node.lineno, isinstance(node, ast.Assign | ast.AnnAssign)))  # type: ignore[attr-defined]


def top_level_awaits(tree: ast.Module) -> list[int]:
    """The lines of every await that is outside of functions."""
    nodes = (node for statement in tree.body for node in _outside_functions(statement))
    return [node.lineno for node in nodes if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith)]


def top_level_returns(tree: ast.Module) -> list[int]:
    """The lines of every return that is outside of functions."""
    nodes = (node for statement in tree.body for node in _outside_functions(statement))
    return [node.lineno for node in nodes if isinstance(node, ast.Return)]


def uses(script: CheckedScript, *names: str) -> dict[str, int]:
    """The first line where each of the names is used that the script does not define or import."""
    if script.continues:
        return {}
    defined = defined_names(script.tree)
    found: dict[str, int] = {}
    for node in ast.walk(script.tree):
        if isinstance(node, ast.Name) and node.id in names and node.id not in defined:
            found[node.id] = min(node.lineno, found.get(node.id, node.lineno))
    return found


def calls_named(tree: ast.Module, pattern: str) -> list[ast.Call]:
    """The calls of what has such a name."""
    return [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and re.fullmatch(pattern, dotted(node.func) or "")
    ]


def call_tool_calls(script: CheckedScript) -> Iterator[ToolCall]:
    """The calls of `call_tool`, each with the name of the tool if the text tells it; else with an empty one."""
    awaited = {id(node.value) for node in ast.walk(script.tree) if isinstance(node, ast.Await)}
    for node in calls_named(script.tree, "call_tool"):
        yield ToolCall(node, (_text(node.args[0]) or "") if node.args else "", id(node) in awaited)


def unknown_tools(script: CheckedScript, source: Source = "S") -> Iterator[Finding]:
    """Tools that `call_tool` is asked for and nobody has, if it is known what there is."""
    for call in call_tool_calls(script):
        if script.names and call.name and call.name not in script.names:
            yield Finding(call.line, f"There is no tool `{call.name}`", source)


def direct_calls(script: CheckedScript, instead: str, source: Source = "S") -> Iterator[Finding]:
    """Calls of tools as functions, where they are none."""
    for call in tool_calls(script) if script.names else ():
        yield Finding(call.line, f"`{call.name}` is no function there: call it as {instead.format(call.name)}", source)


def unawaited(script: CheckedScript) -> Iterator[ToolCall]:
    """Calls of tools that nothing awaits, as far as the text tells: none is if it hands them on."""
    if calls_named(script.tree, r"(asyncio\.)?(gather|create_task|wait_for|run)"):
        return
    yield from (call for call in tool_calls(script) if not call.awaited)


def positional_calls(script: CheckedScript, source: Source = "S") -> Iterator[Finding]:
    """Calls of tools with positional arguments, where only keyword arguments are taken."""
    for call in tool_calls(script):
        if call.node.args:
            text = f"`{call.name}` is called with positional arguments: tools take keyword arguments only there"
            yield Finding(call.line, text, source)


def awaits(script: CheckedScript, because: str, source: Source = "S") -> Iterator[Finding]:
    """Awaits at the top level, where that cannot be."""
    for line in top_level_awaits(script.tree)[:1]:
        yield Finding(line, f"`await` fails there: {because}", source)


def returns(script: CheckedScript, because: str, source: Source = "S") -> Iterator[Finding]:
    """Returns at the top level, where that cannot be."""
    for line in top_level_returns(script.tree)[:1]:
        yield Finding(line, f"`return` at the top level fails there: {because}", source)


def walked(script: CheckedScript) -> Iterator[ast.AST]:
    """Every node of the script; nothing if it is no Python."""
    try:
        yield from ast.walk(script.tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return


def strangers(script: CheckedScript, *, awaited: bool = False) -> Iterator[ast.Call]:
    """The calls, `awaited` or all, of plain names that the script does not define; nothing if it is no Python."""
    nodes = list(walked(script))
    known = (defined_names(script.tree) if nodes else frozenset[str]()) | frozenset(dir(builtins))
    for node in nodes:
        for call in ast.walk(node.value) if awaited and isinstance(node, ast.Await) else () if awaited else (node,):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id not in known:
                yield call


def top_level_inputs(tree: ast.Module) -> list[str]:
    """The names whose values the top level uses, and that nothing gives a meaning there: a host has to."""
    nodes = [node for statement in tree.body for node in _outside_functions(statement)]
    known = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    known |= {name for statement in tree.body for name in _imported_names(statement)} | set(dir(builtins))
    parts = [node.func if isinstance(node, ast.Call) else node.value for node in nodes if _has_owner(node)]
    owners = {id(part) for part in parts}
    used = (node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in owners)
    return [name for name in dict.fromkeys(used) if name not in known]


def _has_owner(node: ast.AST) -> TypeGuard[ast.Call | ast.Attribute]:
    return isinstance(node, ast.Call | ast.Attribute)


def _imported_names(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in each.names)


def calls_by(script: CheckedScript, name: str) -> Iterator[ast.Call]:
    """The calls of that name; nothing if the script is no Python."""
    for node in walked(script):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node
