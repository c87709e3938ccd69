"""Makes functions folders importable, each as a package of its own, without touching `sys.path`.

A file `orders.py` is the module `_ptc_functions_1.orders` and nothing else, so that `json.py` shadows no `json`.
Siblings that say `import orders` get that very module under a borrowed name. The borrowed names leave `sys.modules`
when the load ends: the next folder has an `orders` of its own. What a function imports
while it runs keeps its borrowed name until the next load; two folders that do so with files of one name want
`isolation: process`.
"""

import importlib
import importlib.abc
import importlib.util
import itertools
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from ptc_studio.sources.functions.file_loader import FileLoader, ImportLog
from ptc_studio.sources.functions.param_meta import ParamMeta

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

    def register(self) -> None:
        """From now on the package can be imported."""
        _packages[self.name] = self
        if _own_names not in sys.meta_path:
            # First, because the path finder would read and write bytecode, whose age it knows to the second only.
            sys.meta_path.insert(0, _own_names)
            sys.meta_path.append(_sibling_names)

    def remove(self) -> None:
        """Takes the package and all its modules out of the interpreter."""
        _packages.pop(self.name, None)
        for name in [name for name in sys.modules if name == self.name or name.startswith(f"{self.name}.")]:
            del sys.modules[name]

    def spec_of(self, fullname: str) -> ModuleSpec | None:
        """How to load the file or folder that this name stands for."""
        base = self.folder.joinpath(*fullname.split(".")[1:])
        file = base.with_name(f"{base.name}.py")
        if base != self.folder and file.is_file():
            return importlib.util.spec_from_file_location(fullname, file, loader=self._loader(fullname, file))
        if not base.is_dir():
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
    real = f"{package.name}.{fullname}"
    if package.spec_of(real) is not None:
        spec = ModuleSpec(fullname, _BorrowingLoader(real))
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
