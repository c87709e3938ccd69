"""Imports the module that holds a registry, and knows when to import it again."""

import ctypes
import importlib
import importlib.util
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ptc_studio.bounded_files import Stamp
from ptc_studio.core.tools import LoadError
from ptc_studio.sources.functions.folder_files import stamps_of
from ptc_studio.sources.functions.modules import ModuleFolder, Reach, load_error, quiet_imports
from ptc_studio.sources.source import SourceFailed

if TYPE_CHECKING:
    from toolregistry import ToolRegistry


class ImportFailed(Exception):
    """The module cannot be imported; has the error with its place."""

    def __init__(self, error: LoadError) -> None:
        super().__init__(error.message)
        self.error = error


class RegistryModule:
    """A file of the workspace, which is read anew when it or what it imports of its folder has changed; or an installed
    module, which is read anew when its own file has changed."""

    def __init__(self, source: str, module: str, workspace: Path) -> None:
        self._source = source
        self._module = module
        self._workspace = workspace.absolute()
        self._folder: ModuleFolder | None = None
        self._installed: ModuleType | None = None
        self._stamps: dict[Path, Stamp] = {}

    def load(self) -> ModuleType:
        """The module, in its present version; raises ImportFailed or SourceFailed. Not on an event loop's thread."""
        self.close()
        folder, name = self._whereabouts()
        with quiet_imports():
            return self._load_installed() if folder is None else self._load_file(folder, name)

    def changed(self) -> bool:
        """Whether a file that was read, or failed, is another by now."""
        return stamps_of(self._stamps) != self._stamps

    def close(self) -> None:
        """Takes the workspace's modules out of the interpreter."""
        if self._folder is not None:
            self._folder.close()
            self._folder = None

    def _whereabouts(self) -> tuple[Path | None, str]:
        """The folder of a workspace's module and its name there; no folder for an installed one."""
        if self._module.endswith(".py") or "/" in self._module or "\\" in self._module:
            file = (self._workspace / self._module).resolve()
            if not file.is_file() or file.suffix != ".py":
                raise SourceFailed(
                    f"The source {self._source!r} names {self._module!r}, which is no Python file there."
                )
            if not file.stem.isidentifier():
                raise SourceFailed(f"{file.name!r} cannot be imported: rename it, such as to 'tools.py'.")
            return file.parent, file.stem
        path = self._module.replace(".", "/")
        if (self._workspace / f"{path}.py").is_file() or (self._workspace / path / "__init__.py").is_file():
            return self._workspace, path
        return None, self._module

    def _load_file(self, folder: Path, name: str) -> ModuleType:
        modules = self._folder = ModuleFolder(folder, Reach(run_modules=True))
        file = folder / f"{name}.py"
        file = file if file.is_file() else folder / name / "__init__.py"
        try:
            broken = modules.open()
            if broken is not None:
                file = folder / "__init__.py"
                raise broken
            module = modules.load(name)
        except BaseException as error:  # noqa: BLE001 - a user's file may raise anything, even SystemExit
            # What is missing may be put beside it, which the folder's own time tells.
            self._stamp([file, folder, *folder.glob("*.py"), *_places(error)])
            raise ImportFailed(self._explained(load_error(self._source, folder, file, error), error)) from None
        root = modules.full_name(name).partition(".")[0]
        self._stamp(_files_of(root))
        return module

    def _load_installed(self) -> ModuleType:
        try:
            if self._installed is None:
                if importlib.util.find_spec(self._module) is None:
                    raise ModuleNotFoundError(f"No module named {self._module!r}", name=self._module)
                self._installed = importlib.import_module(self._module)
            else:
                self._installed = importlib.reload(self._installed)
        except BaseException as error:  # noqa: BLE001
            if (
                isinstance(error, ModuleNotFoundError)
                and error.name
                and f"{self._module}.".startswith(f"{error.name}.")
            ):
                raise SourceFailed(
                    f"There is no module {self._module!r}, neither in the workspace nor installed: correct `module`."
                ) from None
            self._stamp(_places(error))
            location = next(iter(reversed(_places(error))), Path(self._module))
            raise ImportFailed(
                self._explained(load_error(self._source, location.parent, location, error), error)
            ) from None
        self._stamp([Path(self._installed.__file__)] if self._installed.__file__ else [])
        return self._installed

    def _stamp(self, files: Iterable[Path]) -> None:
        self._stamps = stamps_of(files)

    def _explained(self, found: LoadError, error: BaseException) -> LoadError:
        if isinstance(error, ModuleNotFoundError) and error.name == "toolregistry":
            message = "The library is missing: install it into the studio's environment with pip install toolregistry."
            return LoadError(found.source, found.file, found.line, message)
        return found


def _files_of(root: str) -> list[Path]:
    modules = [module for name, module in list(sys.modules.items()) if name == root or name.startswith(f"{root}.")]
    return [Path(file) for module in modules if (file := getattr(module, "__file__", None))]


def _places(error: BaseException) -> list[Path]:
    """The files on the way to the error."""
    names = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        names.append(error.filename)
    return [Path(name) for name in names if not name.startswith("<") and name != __file__]


class ImportTakesTooLong(BaseException):
    """Raised in the thread that imports, so that it ends if it can."""


class BoundedImport:
    """Has the work done in a thread of its own, one at a time."""

    def __init__(self, what: str, seconds: float) -> None:
        self._what = what
        self._seconds = seconds
        self._thread: threading.Thread | None = None

    def run(self, work: Callable[[], Any]) -> Any:
        """What the work gives or raises; raises SourceFailed when it takes too long."""
        if self._thread is not None and self._thread.is_alive():
            raise SourceFailed(f"{self._what} is still being imported: end what it waits for, or restart the studio.")
        outcome: list[tuple[bool, Any]] = []

        def do() -> None:
            try:
                outcome.append((True, work()))
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                outcome.append((False, error))

        # Of its own: what interrupts it would else hit the next work of a shared one.
        thread = self._thread = threading.Thread(target=do, name="ptc-import", daemon=True)
        thread.start()
        thread.join(self._seconds)
        if not outcome:
            _interrupt(thread)
            raise SourceFailed(
                f"{self._what} was not imported within {self._seconds:g} s: "
                "move what takes long out of the module's top level, or raise `start_timeout`."
            )
        good, value = outcome[0]
        if good:
            return value
        raise value


def _interrupt(thread: threading.Thread) -> None:
    """Others may wait for the import's lock. Works on Python code; what waits in the system ends when it returns."""
    if thread.ident is not None and thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(ImportTakesTooLong))


def registry_in(module: ModuleType, wanted: str | None, label: str) -> "ToolRegistry":
    """The one registry, or the one of that name; raises SourceFailed."""
    try:
        from toolregistry import ToolRegistry
    except ImportError:
        raise SourceFailed(
            "The library is missing: install it into the studio's environment with pip install toolregistry."
        ) from None

    if wanted is not None:
        return _named(module, wanted, label, ToolRegistry)
    found: dict[str, ToolRegistry] = {
        name: value for name, value in list(vars(module).items()) if isinstance(value, ToolRegistry)
    }
    if not found:
        raise SourceFailed(
            f"{label} has no ToolRegistry: make one at its top level, as in `registry = ToolRegistry()`."
        )
    if len({id(registry) for registry in found.values()}) > 1:
        raise SourceFailed(f"{label} has several registries: say which with `object`: {', '.join(found)}.")
    return next(iter(found.values()))


def _named(module: ModuleType, wanted: str, label: str, kind: type) -> Any:
    value: Any = module
    for step in wanted.split("."):
        try:
            value = getattr(value, step)
        except AttributeError:
            raise SourceFailed(f"{label} has no {wanted!r}: correct `object`.") from None
    if not isinstance(value, kind):
        raise SourceFailed(
            f"{label} has {wanted!r} of type {type(value).__name__!r}, no ToolRegistry: correct `object`."
        )
    return value
