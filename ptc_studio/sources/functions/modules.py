"""Imports the files of a functions folder, each once a version, and knows which to import again."""

import ast
import contextlib
import importlib
import importlib.abc
import importlib.util
import itertools
import re
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, TracebackType
from typing import Any

from ptc_studio.bounded_files import Stamp, read_bytes
from ptc_studio.core.python_text import parsed
from ptc_studio.core.tools import LoadError
from ptc_studio.sources.functions.annotations import ParamMeta
from ptc_studio.sources.functions.folder_files import differences, python_files, repository_of, stamps_of, tool_files
from ptc_studio.sources.functions.top_level import Doing, first_doing


class ScriptNotImported(ImportError):
    """The file is a script; the message says which line makes it one, and what can be done."""

    def __init__(self, path: str, doing: Doing) -> None:
        self.line = doing.line
        self.reason = (
            f"`{doing.text}` at its top level makes it a script, which nothing but Run executes: to use its functions "
            'as tools, put that under `if __name__ == "__main__":`, or say `run_modules: true` at the source in '
            "studio.yaml."
        )
        super().__init__(f"{Path(path).name}:{doing.line} is not imported: {self.reason}", path=path)


@dataclass
class ImportLog:
    """What the loaders of one folder have seen."""

    package: str
    run_modules: bool = False
    """Whether files are imported whatever they do then."""
    imports: dict[str, frozenset[str]] = field(default_factory=dict)
    """For each module the modules of the folder that it may import."""
    failures: dict[str, tuple[BaseException, TracebackType | None]] = field(default_factory=dict)


LARGEST = 10_000_000
"""Bytes of a file of functions."""


class FileLoader(SourceFileLoader):
    """Reads the source each time: a cached bytecode file misses two edits within a second."""

    def __init__(self, fullname: str, path: str, log: ImportLog) -> None:
        super().__init__(fullname, path)
        self._log = log

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = parsed(self.get_data(path), path)
        doing = None if self._log.run_modules else first_doing(tree)
        if doing is not None:
            raise ScriptNotImported(path, doing)
        self._log.imports[fullname] = frozenset(_imported(tree, self._log.package, self._home(fullname)))
        return compile(tree, path, "exec", dont_inherit=True)

    def get_data(self, path: str) -> bytes:
        return read_bytes(Path(path), LARGEST)

    def exec_module(self, module: ModuleType) -> None:
        failures = self._log.failures
        if module.__name__ in failures:
            # Several files may import the broken one; its code runs once all the same.
            error, traceback = failures[module.__name__]
            raise error.with_traceback(traceback)
        try:
            super().exec_module(module)
        except BaseException as error:
            failures[module.__name__] = (error, error.__traceback__)
            raise

    def _home(self, fullname: str) -> str:
        return fullname if self.is_package(fullname) else fullname.rpartition(".")[0]


def _imported(tree: ast.AST, package: str, home: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(f"{package}.{alias.name}")
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package, home)
            yield base
            yield from _with_parents(base)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _base(node: ast.ImportFrom, package: str, home: str) -> str:
    if not node.level:
        return f"{package}.{node.module}"
    parts = home.split(".")
    start = ".".join(parts[: len(parts) - node.level + 1])
    return f"{start}.{node.module}" if node.module else start


def _with_parents(name: str) -> Iterator[str]:
    while "." in name:
        yield name
        name = name.rpartition(".")[0]


PREFIX = "_ptc_functions_"
CATALOGUE = "utils.function_catalog"
"""Where files written for ChatDev find `ParamMeta`."""

_MACHINERY = {"importlib", "importlib._bootstrap", "importlib._bootstrap_external"}
_MACHINERY |= {"_frozen_importlib", "_frozen_importlib_external", __name__}
_numbers = itertools.count(1)
_packages: dict[str, "FolderPackage"] = {}
_borrowed: dict[str, "FolderPackage"] = {}


class FolderPackage:
    """One functions folder as a package."""

    def __init__(self, folder: Path, *, run_modules: bool = False) -> None:
        self.folder = folder
        self.name = f"{PREFIX}{next(_numbers)}"
        self.log = ImportLog(self.name, run_modules)
        self.repository: FolderPackage | None = None
        """Where else the files of the folder find what they import."""

    def register(self) -> None:
        """From now on the package can be imported."""
        _packages[self.name] = self
        root = repository_of(self.folder)
        if root is not None and self.repository is None:
            # What a tool imports of its repository is library code, and is executed as any import is.
            self.repository = FolderPackage(root, run_modules=True)
            _packages[self.repository.name] = self.repository
        if _own_names not in sys.meta_path:
            # First, because the path finder would read and write bytecode, whose age it knows to the second only.
            sys.meta_path.insert(0, _own_names)
            sys.meta_path.append(_sibling_names)

    def remove(self) -> None:
        """Takes the package and all its modules out of the interpreter."""
        if self.repository is not None:
            self.repository.remove()
            self.repository = None
        _packages.pop(self.name, None)
        for name in [name for name in sys.modules if name == self.name or name.startswith(f"{self.name}.")]:
            del sys.modules[name]

    def spec_of(self, fullname: str) -> ModuleSpec | None:
        """How to load the file or folder that this name stands for."""
        base = self.folder.joinpath(*fullname.split(".")[1:])
        file = base.with_name(f"{base.name}.py")
        if base != self.folder and file.is_file():
            return importlib.util.spec_from_file_location(fullname, file, loader=self._loader(fullname, file))
        # An empty folder may stand in the place of what scripts must not make.
        if not base.is_dir() or next(base.iterdir(), None) is None:
            return None
        init = base / "__init__.py"
        loader = self._loader(fullname, init) if init.is_file() else None
        spec = ModuleSpec(fullname, loader, origin=str(init) if loader else None, is_package=True)
        spec.has_location = loader is not None
        spec.submodule_search_locations = [str(base)]
        return spec

    def _loader(self, fullname: str, file: Path) -> FileLoader:
        return FileLoader(fullname, str(file), self.log)


class _OwnNames(importlib.abc.MetaPathFinder):
    """Finds what is under a folder's package, and under a borrowed name."""

    def find_spec(self, fullname: str, *_more: Any) -> ModuleSpec | None:
        root, _, rest = fullname.partition(".")
        if root in _packages:
            return _packages[root].spec_of(fullname)
        if rest and root in _borrowed:
            return _borrow(_borrowed[root], fullname)
        return None


class _SiblingNames(importlib.abc.MetaPathFinder):
    """Finds, after all others gave up, a file beside the one that imports it."""

    def find_spec(self, fullname: str, *_more: Any) -> ModuleSpec | None:
        package = _importing_package()
        if package is None or ("." in fullname and fullname != CATALOGUE):
            return None
        return _borrow(package, fullname)


_own_names = _OwnNames()
_sibling_names = _SiblingNames()


def return_borrowed_names() -> None:
    """Takes the siblings' short names out of `sys.modules`."""
    for name in list(_borrowed):
        sys.modules.pop(name, None)
        del _borrowed[name]


def _importing_package() -> FolderPackage | None:
    """The folder of the file whose import statement is under way."""
    frame = sys._getframe(1)  # noqa: SLF001 - a finder is told what is imported, not by whom
    while frame is not None:
        name: Any = frame.f_globals.get("__name__")
        if name not in _MACHINERY:
            return _packages.get(str(name).partition(".")[0])
        frame = frame.f_back
    return None


def _borrow(package: FolderPackage, fullname: str) -> ModuleSpec | None:
    owners = [package, *([package.repository] if package.repository else [])]
    owner = next((one for one in owners if one.spec_of(f"{one.name}.{fullname}") is not None), None)
    if fullname == CATALOGUE and owner is not package:
        owner = None
    if owner is not None:
        spec = ModuleSpec(fullname, _BorrowingLoader(f"{owner.name}.{fullname}"))
    elif fullname in (CATALOGUE, CATALOGUE.partition(".")[0]):
        spec = ModuleSpec(fullname, _CatalogueLoader(), is_package=True)
    else:
        return None
    _borrowed[fullname] = package
    return spec


class _BorrowingLoader(importlib.abc.Loader):
    """Answers with a module that has another name."""

    def __init__(self, real: str) -> None:
        self._real = real
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: ARG002
        module = importlib.import_module(self._real)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just put the borrowed name's spec there.
        module.__spec__ = self._spec
        if self._real.endswith(".utils") and not hasattr(module, "__path__"):
            # So that a folder may have a `utils.py` and still import `utils.function_catalog`.
            module.__path__ = []


class _CatalogueLoader(importlib.abc.Loader):
    """Stands in for ChatDev's `utils.function_catalog`."""

    def create_module(self, spec: ModuleSpec) -> None:  # noqa: ARG002
        return None

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == CATALOGUE:
            vars(module)["ParamMeta"] = ParamMeta


@dataclass(frozen=True, slots=True)
class Reach:
    """Which files of a folder are read, and how."""

    nested: bool = True
    """Whether the folders in it are read, too."""
    run_modules: bool = False
    """Whether files are imported whatever they do then; else only modules of definitions are."""


WHOLE = Reach()


importing = threading.RLock()
"""Held by whoever reads a folder: the interpreter has one set of modules and one stdout."""


@contextlib.contextmanager
def quiet_imports() -> Iterator[None]:
    """For the time of an import: what files print goes to stderr, for stdout may be a record."""
    with importing, contextlib.redirect_stdout(sys.stderr):
        return_borrowed_names()
        try:
            yield
        finally:
            return_borrowed_names()


class ModuleFolder:
    """The modules of one folder; what imports them belongs inside `quiet_imports`."""

    def __init__(self, folder: Path, reach: Reach) -> None:
        self.folder = folder
        self._reach = reach
        self._package = FolderPackage(folder, run_modules=reach.run_modules)
        self._stamps: dict[Path, Stamp] = {}

    def read(self) -> tuple[dict[str, Path], set[Path]]:
        """The files that may hold tools now, and what has changed since the last reading."""
        stamps = stamps_of(python_files(self.folder, nested=self._reach.nested))
        changed = differences(self._stamps, stamps)
        self._stamps = stamps
        return tool_files(self.folder, stamps), changed

    def open(self) -> BaseException | None:
        """Imports the package itself; a broken `__init__.py` does not keep the other files from loading."""
        self._package.register()
        if self._package.name in sys.modules:
            return None
        try:
            importlib.import_module(self._package.name)
        except BaseException as error:  # noqa: BLE001 - a user's file may raise anything, even SystemExit
            bare = ModuleType(self._package.name)
            bare.__path__ = [str(self.folder)]
            sys.modules[self._package.name] = bare
            return error
        return None

    def load(self, module: str) -> ModuleType:
        """Imports `folder/module`, or gives what was imported before; raises whatever the file raises."""
        return importlib.import_module(self.full_name(module))

    def full_name(self, module: str) -> str:
        """The name under which the interpreter knows it."""
        return ".".join((self._package.name, *module.split("/")))

    def forget_stale(self, changed: Iterable[Path]) -> set[str]:
        """Forgets the modules of changed files, and those that hold anything of them; gives their full names."""
        log = self._package.log
        stale = {self._name_of(file) for file in changed} | set(log.failures)
        while more := {name for name in self._loaded() if name not in stale and self._depends(name, stale)}:
            stale |= more
        for name in stale:
            self._forget(name)
        return stale

    def close(self) -> None:
        """Takes all modules out of the interpreter."""
        self._package.remove()

    def _loaded(self) -> dict[str, ModuleType]:
        own = self._package.name
        return {name: sys.modules[name] for name in list(sys.modules) if name == own or name.startswith(f"{own}.")}

    def _name_of(self, file: Path) -> str:
        parts = file.relative_to(self.folder).with_suffix("").parts
        return ".".join((self._package.name, *(parts[:-1] if parts[-1] == "__init__" else parts)))

    def _depends(self, name: str, stale: set[str]) -> bool:
        if name.rpartition(".")[0] in stale:
            return True
        return not stale.isdisjoint(self._package.log.imports.get(name, ())) or _holds(sys.modules[name], stale)

    def _forget(self, name: str) -> None:
        self._package.log.failures.pop(name, None)
        self._package.log.imports.pop(name, None)
        module = sys.modules.pop(name, None)
        parent, _, child = name.rpartition(".")
        # `from . import child` would find the old module there.
        if module is not None and getattr(sys.modules.get(parent), child, None) is module:
            delattr(sys.modules[parent], child)


def _holds(module: ModuleType, names: set[str]) -> bool:
    is_package = hasattr(module, "__path__")
    for key, value in vars(module).items():
        if isinstance(value, ModuleType):
            # A package holds its submodules by being their package; that alone is no use of them.
            if value.__name__ in names and not (is_package and value.__name__ == f"{module.__name__}.{key}"):
                return True
        elif type(value).__module__ in names or (isinstance(value, FunctionType | type) and value.__module__ in names):
            return True
    return False


_OWN_PACKAGE = re.compile(r"_ptc_functions_\d+\.")


def load_error(source: str, folder: Path, file: Path, error: BaseException) -> LoadError:
    """The error as the user sees it: the line is the file's own, whatever else is on the stack."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return LoadError(source, str(file), error.lineno, f"{type(error).__name__}: {error.msg}")
    if isinstance(error, ScriptNotImported) and error.path == str(file):
        return LoadError(source, str(file), error.line, error.reason, script=True)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_within(frame.filename, folder)]
    own = [frame.lineno for frame in frames if frame.filename == str(file)]
    return LoadError(source, str(file), own[-1] if own else None, _message(error) + _elsewhere(frames, folder, file))


def _message(error: BaseException) -> str:
    if isinstance(error, ScriptNotImported):
        return str(error)
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - a user's __str__ may be broken
        text = ""
    return _OWN_PACKAGE.sub("", f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _elsewhere(frames: list[traceback.FrameSummary], folder: Path, file: Path) -> str:
    if not frames or frames[-1].filename == str(file):
        return ""
    return f" (in {Path(frames[-1].filename).relative_to(folder).as_posix()}:{frames[-1].lineno})"


def _is_within(filename: str, folder: Path) -> bool:
    return Path(filename).is_relative_to(folder)
