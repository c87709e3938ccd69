"""Loads one user's file, and notes what it imports and how it fails."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

from ptc_studio.bounded_files import read_bytes
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
        tree = ast.parse(self.get_data(path), path)
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
