"""Tells by its syntax tree, without executing it, whether a Python file is a module of definitions or a script.

To import a file is to execute what stands at its top level. A module of definitions has nothing there but imports,
functions, classes and values that are made of literals or by well-known makers of values. All else is a script's: it
is for Run, and for nobody else, to execute it.
"""

import ast
import builtins
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SHOWN = 60
"""So much of a statement is quoted."""
PURE_MODULES = _words(
    """abc annotated_types array ast base64 bisect calendar cmath collections contextvars copy dataclasses datetime
    decimal difflib enum fractions functools hashlib heapq html inspect ipaddress itertools json math numbers operator
    platform random re secrets statistics string struct textwrap types typing typing_extensions unicodedata uuid
    weakref zoneinfo"""
)
"""Whatever they offer makes a value and does nothing else."""
MAKERS = _words(
    """asyncio.BoundedSemaphore asyncio.Condition asyncio.Event asyncio.Lock asyncio.Queue asyncio.Semaphore
    contextlib.suppress dotenv.load_dotenv importlib.import_module importlib.util.find_spec
    logging.NullHandler logging.basicConfig logging.getLogger
    os.cpu_count os.environ.get os.environ.setdefault os.getcwd os.getenv os.path.abspath os.path.basename
    os.path.dirname os.path.exists os.path.expanduser os.path.expandvars os.path.isdir os.path.isfile os.path.join
    os.path.normpath os.path.realpath pathlib.Path pathlib.Path.cwd pathlib.Path.home pathlib.PurePath
    pathlib.PurePosixPath pydantic.create_model queue.Queue queue.SimpleQueue shutil.which
    sys.exit sys.path.append sys.path.extend sys.path.insert
    threading.BoundedSemaphore threading.Condition threading.Event threading.Lock threading.RLock
    threading.Semaphore threading.local time.monotonic time.perf_counter time.time
    warnings.filterwarnings warnings.simplefilter"""
)
"""What else may be called: it makes a value, or sets up what modules usually do."""
BUILTINS = _words(
    """abs all any bin bool bytearray bytes callable chr classmethod complex dict dir divmod enumerate float frozenset
    getattr hasattr hash hex id int isinstance issubclass iter len list max min next object oct ord pow property range
    repr reversed round set slice sorted staticmethod str sum super tuple type vars zip"""
) | {name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)}
METHODS = _words(
    """__init__ absolute add addFilter addHandler append as_posix capitalize casefold copy count decode difference
    encode endswith exists expanduser extend find format format_map fromisoformat fromkeys get group index insert
    intersection is_dir is_file items join joinpath keys ljust lower lstrip match partition quantize read_bytes
    read_text removeprefix removesuffix replace resolve rjust rpartition rsplit rstrip setLevel setdefault sort split
    splitlines startswith strip title total_seconds translate union update upper values with_name with_stem
    with_suffix zfill"""
)
"""What may be asked of a value that the file itself made: it looks, or changes that value alone."""
DECORATING_MODULES = _words("contextlib unittest")
"""Of the library's own, those whose decorators wrap what they are given, beside the modules above."""
OF_A_FUNCTION = _words("deleter getter register setter")
"""What a property, or a function with variants, decorates further functions with."""
MAKING = frozenset(("__init__", "__new__", "__post_init__", "__init_subclass__", "__set_name__"))
"""Methods of a class that are executed when an instance of it is made, or a class below it."""


@dataclass(frozen=True, slots=True)
class Doing:
    """A statement at the top level that does something."""

    line: int
    text: str
    """As it is written, in one line."""


def first_doing(tree: ast.Module) -> Doing | None:
    """The first statement that makes the file a script; None for a module of definitions."""
    names = _Names(tree)
    statement = next(_doings(tree.body, names), None)
    if statement is None:
        return None
    text = ast.unparse(statement).splitlines()[0]
    return Doing(statement.lineno, text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")


class _Names:
    """What the names of the file stand for."""

    def __init__(self, tree: ast.Module) -> None:
        self.imported: dict[str, str] = {}
        self.own: set[str] = set()
        """Values that the file makes; that they are harmless is looked at where they are made."""
        self.records: set[str] = set()
        """Classes of the file whose instances are made without doing anything else."""
        self.defined: set[str] = set()
        self.functions: dict[str, ast.FunctionDef] = {}
        self.acting_bases: set[str] = set()
        """Classes of the file that do something when a class is made from them."""
        statements = list(_within(tree.body))
        for node in statements:
            self._note(node)
        for node in statements:
            if isinstance(node, ast.ClassDef):
                self._note_class(node)

    def _note_class(self, node: ast.ClassDef) -> None:
        if not any(_doings(_making(node), self)):
            self.records.add(node.name)
        if any(_doings(_making(node, ("__init_subclass__",)), self)):
            self.acting_bases.add(node.name)

    def _note(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.imported[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            # What comes from a file beside it has a dot before its name, and is no well-known maker.
            base = "." * node.level + (node.module or "")
            self.imported |= {alias.asname or alias.name: f"{base}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.defined.add(node.name)
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
        else:
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            self.own |= {each.id for each in stored if isinstance(each.ctx, ast.Store)}

    def dotted(self, node: ast.expr) -> str | None:
        """The full name that the expression stands for, if it is one of something imported."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imported:
            return None
        return ".".join((self.imported[node.id], *reversed(parts)))

    def is_builtin(self, name: str) -> bool:
        return name in BUILTINS and name not in self.imported and name not in self.own | self.defined


def _making(node: ast.ClassDef, methods: Collection[str] = MAKING) -> Iterator[ast.stmt]:
    """What is executed when an instance is made, or by these methods."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name in methods:
            yield from (part for part in each.body if not isinstance(part, ast.Return))


def _within(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, and those in branches of them."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.TryStar | ast.With):
            yield from _within(_blocks(node))


def _blocks(node: ast.stmt) -> Iterator[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(node, name, ())
    for handler in getattr(node, "handlers", ()):
        yield from handler.body


def _doings(body: Iterable[ast.stmt], names: _Names) -> Iterator[ast.stmt]:
    for node in body:
        yield from _doings_of(node, names)


def _doings_of(node: ast.stmt, names: _Names) -> Iterator[ast.stmt]:
    """The statement itself, or those within it, that do something."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Global() | ast.Delete():
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            harmless = _is_harmless_function(node, names)
        case ast.ClassDef():
            yield from _doings(node.body, names)
            harmless = _is_harmless_class(node, names)
        case ast.If() if _asks_for_main(node.test):
            yield from _doings(node.orelse, names)
            return
        case ast.If() if _is_harmless(node.test, names):
            yield from _doings(_blocks(node), names)
            return
        case ast.Try() | ast.TryStar():
            yield from _doings(_blocks(node), names)
            return
        case ast.With() if all(_suppresses(item, names) for item in node.items):
            yield from _doings(node.body, names)
            return
        case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Assert():
            harmless = _is_harmless_statement(node, names)
        case ast.Return():
            # Of a decorator: at the top level there is none.
            harmless = node.value is None or _is_harmless(node.value, names)
        case ast.Raise():
            # The file says itself why it cannot be used.
            harmless = _all_harmless(filter(None, (node.exc, node.cause)), names)
        case _:
            harmless = type(node).__name__ == "TypeAlias"
    if not harmless:
        yield node


def _is_harmless_statement(node: ast.stmt, names: _Names) -> bool:
    values = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
    return _all_harmless(values, names)


def _is_harmless_function(node: ast.FunctionDef | ast.AsyncFunctionDef, names: _Names) -> bool:
    """Whether to define it does nothing: its defaults, its annotations and its decorators are worked out then."""
    given = node.args
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    annotations = [argument.annotation for argument in every if argument and argument.annotation]
    parts = [*given.defaults, *filter(None, given.kw_defaults), *annotations, *filter(None, [node.returns])]
    return _all_harmless(parts, names) and all(_may_decorate(each, names) for each in node.decorator_list)


def _is_harmless_class(node: ast.ClassDef, names: _Names) -> bool:
    parts = [*node.bases, *(keyword.value for keyword in node.keywords)]
    acts = any(isinstance(part, ast.Name) and part.id in names.acting_bases for part in node.bases)
    metas = (keyword.value for keyword in node.keywords if keyword.arg == "metaclass")
    acts = acts or any(isinstance(m, ast.Name) and m.id in names.defined - names.records for m in metas)
    decorated = all(_may_decorate(each, names) for each in node.decorator_list)
    return not acts and decorated and _all_harmless(parts, names)


def _may_decorate(node: ast.expr, names: _Names) -> bool:
    """Whether a decorator is of a known kind: it wraps, marks or registers what it is given."""
    arguments: list[ast.expr] = []
    calls = 1
    while isinstance(node, ast.Call):
        arguments += [*node.args, *(keyword.value for keyword in node.keywords)]
        node, calls = node.func, calls + 1
    if not _all_harmless(arguments, names):
        return False
    if isinstance(node, ast.Lambda):
        return _is_harmless(node.body, names)
    if isinstance(node, ast.Name) and node.id in names.functions:
        return _only_wraps(names.functions[node.id], names, calls)
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return False
    dotted = names.dotted(node)
    if dotted is not None:
        library = dotted.partition(".")[0]
        known = library in PURE_MODULES | DECORATING_MODULES or dotted in MAKERS
        # Of other packages any: to import one is to execute it already.
        return known or library not in sys.stdlib_module_names
    if isinstance(node, ast.Name):
        # A name that the file does not know came from another by `*`.
        return node.id in names.own | names.records or node.id not in vars(builtins) or names.is_builtin(node.id)
    return root.id in names.own or (node.attr in OF_A_FUNCTION if isinstance(node, ast.Attribute) else False)


def _only_wraps(function: ast.FunctionDef, names: _Names, calls: int) -> bool:
    """Whether a function of the file, called so many times in a row, does nothing but define and give functions."""
    inner = [part for part in function.body if isinstance(part, ast.FunctionDef)]
    if calls > 1 and not all(_only_wraps(each, names, calls - 1) for each in inner):
        return False
    return not any(_doings(function.body, names))


def _asks_for_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and any(
        isinstance(side, ast.Name) and side.id == "__name__" for side in (test.left, *test.comparators)
    )


def _suppresses(item: ast.withitem, names: _Names) -> bool:
    call = item.context_expr
    return isinstance(call, ast.Call) and names.dotted(call.func) == "contextlib.suppress"


def _all_harmless(nodes: Iterable[ast.AST], names: _Names) -> bool:
    return all(_is_harmless(node, names) for node in nodes)


def _is_harmless(node: ast.AST, names: _Names) -> bool:
    """Whether working it out does no more than make a value."""
    if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom):
        return False
    if isinstance(node, ast.Lambda):
        return _all_harmless([*node.args.defaults, *filter(None, node.args.kw_defaults)], names)
    if isinstance(node, ast.Call):
        parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        return _may_be_called_with(node, names) and _all_harmless(parts, names)
    return _all_harmless(ast.iter_child_nodes(node), names)


def _may_be_called_with(call: ast.Call, names: _Names) -> bool:
    match call.func, call.args:
        case ast.Name("map" | "filter"), [each, _, *_]:
            return _may_be_called(each, names)
        case ast.Attribute(attr="replace"), [_]:
            # A text is given two arguments; a path is given one, and moves the file.
            return False
    return _may_be_called(call.func, names)


def _may_be_called(function: ast.expr, names: _Names) -> bool:
    if isinstance(function, ast.Subscript):
        # As in `deque[int]()`.
        return _may_be_called(function.value, names)
    if isinstance(function, ast.Call) and names.dotted(function.func) == "functools.wraps":
        return True
    if isinstance(function, ast.Name) and (function.id in names.records or names.is_builtin(function.id)):
        return True
    dotted = names.dotted(function)
    if dotted is not None:
        return _is_maker(dotted)
    if not isinstance(function, ast.Attribute) or function.attr not in METHODS:
        return False
    return _is_own_value(function.value, names)


def _is_maker(dotted: str) -> bool:
    root, _, last = dotted.partition(".")[0], *dotted.rpartition(".")[1:]
    if dotted in MAKERS or root in PURE_MODULES or dotted.startswith("urllib.parse."):
        return True
    # A class of some other package, by the way that it is written: of the library's own, not all are harmless.
    owner = dotted.split(".")[-2] if last.startswith("from_") else last
    return root not in sys.stdlib_module_names and owner.lstrip("_")[:1].isupper()


def _is_own_value(node: ast.expr, names: _Names) -> bool:
    """Whether the file makes it: a name that it does not know may be a tool, or a whole source of tools."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        return node.id in names.own or node.id in names.records or names.is_builtin(node.id)
    return _is_harmless(node, names)
