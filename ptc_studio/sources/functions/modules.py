"""Imports the files of a functions folder, each once a version, and knows which to import again."""

import contextlib
import importlib
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType

from ptc_studio.sources.functions.folder_files import Reach, Stamp, differences, python_files, stamps_of, tool_files
from ptc_studio.sources.functions.import_hooks import FolderPackage, return_borrowed_names

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
