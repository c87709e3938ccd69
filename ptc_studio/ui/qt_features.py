"""Imports Qt's bindings in less time than they take by themselves; it is imported before everything that needs them.

They bring three thousand lines of Python as source within a library, and compile them at every start: the bytecode is
kept beside that of this module. Some of these lines only write declarations for type checkers, and have half of the
standard library imported: they are left out. And the bindings look for their own name in the source of every module
that is imported after them, to know which could switch their optional features. Nobody here does, and the look costs a
seventh of all imports, and twenty megabytes in which the sources stay.

Tried with PySide6 6.8.3, 6.11.0 and 6.11.3, on Python 3.11 to 3.13: what the bindings say and do is the same. Others
are told by their sources, which are compared as a whole, and where nothing can be kept (a frozen program, a folder that
cannot be written, PYTHONDONTWRITEBYTECODE) they compile them as ever.
"""

import builtins
import contextlib
import importlib.util
import marshal
import os
import sys
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes

UNUSED = frozenset(f"shibokensupport/signature/lib/{name}.py" for name in ("enum_sig", "pyi_generator"))


class KeptCode:
    """Compiles each of the bindings' modules once, and has the bytecode in a file from then on.

    A file that cannot be read, or is of other sources, is made anew; where none can be written, all is as without.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, tuple[bytes, Any]] = {}
        self._used: dict[str, tuple[bytes, Any]] = {}

    def __enter__(self) -> None:
        with contextlib.suppress(OSError, ValueError, TypeError, EOFError):
            self._known = dict(marshal.loads(read_bytes(self._file)))  # noqa: S302 - as trusted as our own bytecode
        self._compile, builtins.compile = builtins.compile, self._kept

    def __exit__(self, *_: object) -> None:
        builtins.compile = self._compile
        if self._used != self._known and not sys.dont_write_bytecode:
            part = self._file.with_suffix(f".{os.getpid()}")
            with contextlib.suppress(OSError, ValueError):
                part.write_bytes(marshal.dumps(self._used))
                part.replace(self._file)
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    def _kept(self, source: Any, filename: Any, *values: Any, **options: Any) -> Any:
        if not (isinstance(source, bytes) and isinstance(filename, str) and filename.startswith("shibokensupport/")):
            return self._compile(source, filename, *values, **options)
        known = self._known.get(filename)
        if known is None or known[0] != source:
            known = source, self._compile(b"" if filename in UNUSED else source, filename, *values, **options)
        self._used[filename] = known
        return known[1]


def import_bindings() -> None:
    """Imports the bindings, unless somebody has already, and keeps them from reading our sources."""
    with KeptCode(Path(importlib.util.cache_from_source(__file__)).with_suffix(".bindings")):
        import PySide6.QtCore  # noqa: F401

    feature = sys.modules.get("shibokensupport.feature")
    if feature is not None and hasattr(feature, "_mod_uses_pyside"):
        # To be taken for one that uses Qt means: without optional features.
        vars(feature)["_mod_uses_pyside"] = lambda _module: True


import_bindings()
