"""The program as on a system that has nothing of Linux's own: `python -m tests.elsewhere run script.py`.

There is no /proc, no prctl, no Landlock, no bubblewrap and no fcntl, and the system is called by another name. The
library is imported first: it is made for the system that it really runs on.
"""

import asyncio
import builtins
import ctypes
import io
import os
import pathlib
import selectors
import shutil
import subprocess
import sys
import sysconfig
from typing import Any

import platformdirs

KNOWN = (asyncio, selectors, subprocess, platformdirs)


def _without_proc(function: Any) -> Any:
    def tried(path: Any = ".", *arguments: Any, **options: Any) -> Any:
        if isinstance(path, str | bytes | os.PathLike) and os.fsdecode(path).startswith("/proc"):
            raise FileNotFoundError(2, "there is no /proc here", os.fsdecode(path))
        return function(path, *arguments, **options)

    return tried


class _Library(ctypes.CDLL):
    def __getattr__(self, name: str) -> Any:
        if name in ("prctl", "syscall", "unshare"):
            raise AttributeError(f"there is no {name} here")
        return super().__getattr__(name)


def leave_linux() -> None:
    """Takes all of it away, for this process."""
    # What Python was built with is told of this system, and kept.
    sysconfig.get_config_vars()
    for module in ("fcntl", "resource"):
        sys.modules[module] = None  # type: ignore[assignment]
    for place, name in ((builtins, "open"), (io, "open"), (os, "open"), (os, "listdir"), (os, "scandir"), (os, "stat")):
        setattr(place, name, _without_proc(getattr(place, name)))
    find = shutil.which
    shutil.which = lambda name, *arguments, **options: None if name == "bwrap" else find(name, *arguments, **options)  # type: ignore[assignment]
    ctypes.CDLL = _Library  # type: ignore[misc]
    platformdirs.PlatformDirs = platformdirs.unix.Unix  # type: ignore[attr-defined,misc]
    # None that the library knows: of those it would expect modules that are not here.
    sys.platform = "freebsd14"
    assert not pathlib.Path("/proc/self/stat").exists()


def pytest_configure() -> None:
    """With `-p tests.elsewhere` the tests run as there; they and their plug-ins are not what is tried."""
    import _pytest.assertion.rewrite

    assert _pytest.assertion.rewrite
    leave_linux()


if __name__ == "__main__":
    leave_linux()
    from ptc_studio.cli.main import exit_with, main

    exit_with(main(sys.argv[1:]))
