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
LINUX_ONLY = {
    "one sees by the lock of a file that another studio lives": (
        "test_a_run_that_a_crash_cut_off_is_there_and_marked",
        "test_while_another_holds_the_file_nobody_waits_long_and_nothing_is_lost",
        "test_a_folder_held_for_too_long_is_an_error_and_no_hang",
    ),
    "what left its session is found again by its mark in /proc, and by nothing elsewhere": (
        "test_a_call_that_is_given_up_leaves_no_process",
        "test_closing_the_source_leaves_no_process",
        "test_what_a_program_leaves_in_the_background_ends_with_it",
    ),
    "scripts are kept from writing by a confinement": (
        "test_a_script_that_may_write_the_workspace_cannot_write_the_code_of_an_added_kind[the script itself]",
    ),
    "wasmtime has no library for a system of that name": ("test_parameters_are_variables[wasm]",),
}
"""Tests of what only Linux has, by what that is: elsewhere they are left out."""


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
    import mcp.server.mcpserver
    import mcp.server.stdio

    assert all((_pytest.assertion.rewrite, mcp.server.mcpserver, mcp.server.stdio))
    leave_linux()


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Leaves out what has nothing to try there."""
    names = {name for group in LINUX_ONLY.values() for name in group}
    left_out = [item for item in items if item.name in names or item.name.partition("[")[0] in names]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


if __name__ == "__main__":
    leave_linux()
    from ptc_studio.cli.main import exit_with, main

    exit_with(main(sys.argv[1:]))
