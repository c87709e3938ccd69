"""smolagents' interpreter in the guest: the text statement by statement, with what it allows and counts as it does.

It evaluates syntax trees itself; here they are compiled, after a little rewriting, so that what fails there fails here
with the same words. Of its count of operations this keeps an estimate: the nodes of each block that is executed.
"""

# pyright: reportArgumentType=false, reportAttributeAccessIssue=false

import ast
import builtins
import difflib
import math
import sys

from ptc_kit import framed, script

ITERATIONS = "__ptc_iterations__"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BLOCKS = ("body", "orelse", "finalbody", "handlers")


class InterpreterError(ValueError):
    """What the interpreter there refuses."""


class FinalAnswer(BaseException):
    """Ends the run; no `except Exception` of the script's stops it."""

    def __init__(self, value):
        super().__init__()
        self.value = value


class ReturnException(Exception):
    """A return outside of functions."""


def run(guest):
    script.remember(guest.code, guest.filename)
    try:
        tree = ast.parse(guest.code, guest.filename)
    except SyntaxError as error:
        return framed.failed(guest, error, {"error": _unparsed(error)})
    frame = _Frame(guest)
    node = None
    try:
        for node in tree.body:
            frame.execute(node)
    except FinalAnswer as answer:
        return _ending(answer.value, final=True)
    except SystemExit as error:
        return script.exit_of(error, guest.filename)
    except Exception as error:
        error = frame.as_told(error, node)
        segment = ast.get_source_segment(guest.code, node)
        text = f"Code execution failed at line '{segment}' due to: {type(error).__name__}: {error}"
        return framed.failed(guest, error, {"error": text})
    return _ending(guest.namespace.pop(script.VALUE, None), final=False)


def _ending(value, *, final):
    return script.Ending(value=value, report={"output": str(value), "final": final})


def _unparsed(error):
    place = f"{error.text or ''}{' ' * (error.offset or 0)}^"
    message = f"{error.msg} (<unknown>, line {error.lineno})"
    return f"Code parsing failed on line {error.lineno} due to: {type(error).__name__}: {message}\n{place}"


class _Frame:
    """What the statements of one script share."""

    def __init__(self, guest):
        self._guest = guest
        self._left = guest.options["operations"]
        self._tools = set()
        for name, tool in guest.names.items():
            guest.define(name, _function(guest, tool))
            self._tools.add(name.partition(".")[0])
        if "final_answer" not in self._tools:
            guest.define("final_answer", _final_answer)
        allowed = {name: getattr(builtins, name) for name in guest.options["builtins"]}
        allowed |= {name: getattr(math, name) for name in guest.options["functions"]}
        allowed |= {name: value for name, value in vars(builtins).items() if _is_error(value)}
        allowed |= {"print": _print, "getattr": _getattr, "__build_class__": builtins.__build_class__}
        allowed |= {"__import__": self._import, "__name__": "__main__"}
        self._tools |= set(guest.options["builtins"]) | set(guest.options["functions"]) | {"final_answer", "print"}
        guest.namespace["__builtins__"] = allowed
        guest.namespace.update(
            __ptc_refuse__=_refuse,
            __ptc_index__=_index,
            __ptc_method__=_method,
            __ptc_slice__=slice,
            __ptc_operations__=self._spend,
            __ptc_counter__=lambda: _counter(guest.options["iterations"]),
            __ptc_return__=_return,
            __ptc_kept__=lambda before, now: before if now is None else now,
        )

    def execute(self, node):
        """One statement; its value is the last output then."""
        space = self._guest.namespace
        space[script.VALUE] = None
        statements = _valued(node, nested=False)
        module = ast.Module(_Rewriting(self._tools).block(statements), [])
        code = compile(ast.fix_missing_locations(module), self._guest.filename, "exec", dont_inherit=True)
        exec(code, space)

    def as_told(self, error, node):
        """A name that means nothing is told there in two ways: as a function and as a variable."""
        if not isinstance(error, NameError) or isinstance(error, UnboundLocalError) or not error.name:
            return error
        called = any(
            isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == error.name
            for each in ast.walk(node)
        )
        text = (
            f"Forbidden function evaluation: '{error.name}' is not among the explicitly allowed tools or "
            "defined/imported in the preceding code"
            if called
            else f"The variable `{error.name}` is not defined."
        )
        return InterpreterError(text).with_traceback(error.__traceback__)

    def _spend(self, count):
        self._left -= count
        if self._left < 0:
            most = self._guest.options["operations"]
            raise InterpreterError(
                f"Reached the max number of operations of {most}. Maybe there is an infinite loop somewhere in the "
                "code, or you're just asking too many calculations."
            )

    def _import(self, name, globals=None, locals=None, fromlist=(), level=0):  # noqa: A002
        allowed = self._guest.options["imports"]
        if level or name not in allowed:
            word = "from" if fromlist else "of"
            raise InterpreterError(f"Import {word} {name} is not allowed. Authorized imports are: {allowed}")
        return builtins.__import__(name, globals, locals, fromlist, level)


def _function(guest, tool):
    def function(*args, **kwargs):
        return guest.call(tool, args, kwargs)

    return function


def _final_answer(answer):
    raise FinalAnswer(answer)


def _is_error(value):
    return isinstance(value, type) and issubclass(value, BaseException)


def _print(*args, **_options):
    sys.stdout.write(" ".join(map(str, args)) + "\n")


def _getattr(owner, name, default=None):
    if name.startswith("__") and name.endswith("__"):
        raise InterpreterError(f"Forbidden access to dunder attribute: {name}")
    return getattr(owner, name, default)


def _refuse(message, _value=None):
    raise InterpreterError(message)


def _return(value=None):
    raise ReturnException(value)


def _index(value, index):
    try:
        return value[index]
    except (KeyError, IndexError, TypeError) as error:
        text = f"Could not index {value} with '{index}': {type(error).__name__}: {error}"
        near = (
            difflib.get_close_matches(index, list(value)) if isinstance(index, str) and isinstance(value, dict) else ()
        )
        hint = f". Maybe you meant one of these indexes instead: {near}" if near else ""
        raise InterpreterError(text + hint) from error


def _method(owner, name):
    if not hasattr(owner, name):
        raise InterpreterError(f"Object {owner} has no attribute {name}")
    return getattr(owner, name)


def _counter(most):
    left = most + 1

    def count():
        nonlocal left
        left -= 1
        if left < 0:
            raise InterpreterError(f"Maximum number of {most} iterations in While loop exceeded")

    return count


def _name(name, like, store=False):
    return ast.copy_location(ast.Name(name, ast.Store() if store else ast.Load()), like)


def _call(name, *args, like):
    given = [arg if isinstance(arg, ast.AST) else ast.copy_location(ast.Constant(arg), like) for arg in args]
    return ast.copy_location(ast.Call(_name(name, like), given, []), like)


def _said(name, *args, like):
    return ast.copy_location(ast.Expr(_call(name, *args, like=like)), like)


def _valued(node, *, nested):
    """The statement such that its value is kept: what it gives there is the last output."""

    def kept(value):
        value = _call("__ptc_kept__", _name(script.VALUE, node), value, like=node) if nested else value
        return ast.copy_location(ast.Assign([_name(script.VALUE, node, store=True)], value), node)

    if isinstance(node, ast.Expr):
        return [kept(node.value)]
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        temporary = f"{script.VALUE}given"
        first = ast.copy_location(ast.Assign([_name(temporary, node, store=True)], node.value), node)
        node.value = _name(temporary, node)
        return [first, node, kept(_name(temporary, node))]
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return [node, kept(_name(node.target.id, node))]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node, kept(_name(node.name, node))]
    if isinstance(node, (ast.If, ast.For)):
        node.body = [each for inner in node.body for each in _valued(inner, nested=True)]
        if isinstance(node, ast.If):
            node.orelse = [each for inner in node.orelse for each in _valued(inner, nested=True)]
    return [node]


class _Rewriting(ast.NodeTransformer):
    """Puts in what the interpreter there checks and counts."""

    def __init__(self, tools):
        self._tools = tools
        self._loops = 0
        self._depth = 0

    def block(self, statements):
        """The statements of one block, with the count of what they evaluate in front."""
        counted = sum(_size(statement) for statement in statements)
        made = []
        for statement in statements:
            changed = self.visit(statement)
            made += changed if isinstance(changed, list) else [changed]
        if not made:
            return made
        return [_said("__ptc_operations__", counted, like=statements[0]), *made]

    def visit(self, node):
        kind = type(node).__name__
        if kind in UNSUPPORTED:
            call = _call("__ptc_refuse__", f"{kind} is not supported.", like=node)
            return ast.copy_location(ast.Expr(call), node) if isinstance(node, ast.stmt) else call
        if isinstance(node, ast.Return) and not self._depth:
            value = self.visit(node.value) if node.value else None
            return _said("__ptc_return__", *([value] if value else []), like=node)
        return super().visit(node)

    def generic_visit(self, node):
        inside = isinstance(node, FUNCTIONS)
        self._depth += inside
        for name, value in ast.iter_fields(node):
            if name in BLOCKS and isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self.block(value))
            elif isinstance(value, list):
                value[:] = [self.visit(each) if isinstance(each, ast.AST) else each for each in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        self._depth -= inside
        return node

    def visit_While(self, node):
        self._loops += 1
        counter = f"{ITERATIONS}{self._loops}"
        made = ast.copy_location(
            ast.Assign([_name(counter, node, store=True)], _call("__ptc_counter__", like=node)), node
        )
        node = self.generic_visit(node)
        node.body.insert(0, _said(counter, like=node))
        return [made, node]

    def visit_Assign(self, node):
        taken = [
            each.id
            for target in node.targets
            for each in ast.walk(target)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id in self._tools
        ]
        node = self.generic_visit(node)
        if not taken:
            return node
        text = f"Cannot assign to name '{taken[0]}': doing this would erase the existing tool!"
        return _said("__ptc_refuse__", text, node.value, like=node)

    def visit_Subscript(self, node):
        node = self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        index = node.slice
        if isinstance(index, ast.Slice):
            bounds = [each or ast.Constant(None) for each in (index.lower, index.upper, index.step)]
            index = _call("__ptc_slice__", *bounds, like=node)
        elif any(isinstance(each, ast.Slice) for each in ast.walk(index)):
            return node
        return _call("__ptc_index__", node.value, index, like=node)

    def visit_Attribute(self, node):
        if node.attr.startswith("__") and node.attr.endswith("__"):
            return _call("__ptc_refuse__", f"Forbidden access to dunder attribute: {node.attr}", like=node)
        return self.generic_visit(node)

    def visit_Call(self, node):
        method = isinstance(node.func, ast.Attribute) and not node.func.attr.startswith("__")
        node = self.generic_visit(node)
        if method and isinstance(node.func, ast.Attribute):
            node.func = _call("__ptc_method__", node.func.value, node.func.attr, like=node.func)
        return node


UNSUPPORTED = frozenset(
    (
        "AsyncFor", "AsyncFunctionDef", "AsyncWith", "Await", "Global", "Match", "NamedExpr", "Nonlocal", "TryStar",
        "TypeAlias", "Yield", "YieldFrom",
    )
)  # fmt: skip


def _size(node):
    """How many nodes of a statement are evaluated once it is reached, without those of the blocks inside."""
    inner = [each for name in BLOCKS for each in getattr(node, name, ()) if isinstance(each, ast.AST)]
    skipped = sum(1 + _all_of(each) for each in inner)
    return 1 + _all_of(node) - skipped


def _all_of(node):
    kinds = (ast.expr, ast.stmt)
    return sum(isinstance(each, kinds) for each in ast.walk(node)) - 1
