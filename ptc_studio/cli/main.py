"""The entry point of `ptc-studio`: opens the window or runs a command, and turns errors into one line."""

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Callable, Coroutine, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from argparse import Namespace

    from ptc_studio.cli.terminal import Terminal

Command = Callable[..., Coroutine[Any, Any, int]]
COMMANDS = {
    "run": "commands:run",
    "tools": "commands:tools",
    "call": "commands:call",
    "trust": "commands:trust",
    "runtimes": "commands:runtimes",
    "history": "history:history",
    "diff": "history:diff",
    "export": "history:export",
    "import": "transcripts:import_file",
    "targets": "targets:targets",
    "check": "targets:check",
    "serve": "serve:serve",
    "mcp": "serve:mcp",
    "secrets": "secrets:secrets",
    "sign-in": "secrets:sign_in",
    "sign-out": "secrets:sign_out",
    "doctor": "doctor:doctor",
}
"""The module of this package, and the coroutine in it, that carries out each command."""
COLLECTED_AFTER = 5_000, 20, 10
"""New objects after which the youngest are looked through for garbage, and after how many such looks older ones are."""


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or _names_a_place(given[0]):
        from ptc_studio.cli.open_window import open_window

        return open_window(given[0] if given else None)
    # Imported late, as the rest: the window's first paint does not wait for what only the terminal needs.
    from ptc_studio.cli.arguments import parsed

    return _carry_out(parsed(given))


def _names_a_place(word: str) -> bool:
    """Whether the first word is a workspace or a script to open, and not a command or an option."""
    return not word.startswith("-") and word not in COMMANDS and Path(word).exists()


def _carry_out(options: "Namespace") -> int:
    import asyncio

    from ptc_studio.cli.terminal import Terminal

    terminal = Terminal()
    try:
        return asyncio.run(_command(options.command)(options, terminal))
    except KeyboardInterrupt:
        return 130
    except ImportError as error:
        terminal.complain(f"{error}; ptc-studio doctor tells what is missing")
        return 2
    except Exception as error:  # noqa: BLE001 - whatever it is, the user gets one line
        return _complain(error, terminal)


def _command(name: str) -> Command:
    # Imported late: the help, usage errors and the doctor need none of the rest.
    module, function = COMMANDS[name].split(":")
    with for_good():
        return getattr(importlib.import_module(f"ptc_studio.cli.{module}"), function)


@contextlib.contextmanager
def for_good() -> Generator[None]:
    """What comes into being meanwhile stays to the end, and is not looked through for garbage, then or later."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collected:
            gc.enable()
            # A run makes much that stays, its calls, and little garbage.
            gc.set_threshold(*COLLECTED_AFTER)


def _complain(error: Exception, terminal: "Terminal") -> int:
    from ptc_studio.cli.open_studio import UsageError
    from ptc_studio.core.errors import PtcError

    if isinstance(error, UsageError | PtcError):
        terminal.complain(str(error))
        return 2
    if os.environ.get("PTC_DEBUG"):
        raise error
    terminal.complain(f"internal error: {type(error).__name__}: {error} (PTC_DEBUG=1 shows where)")
    return 1


def exit_with(status: int) -> NoReturn:
    """Leaves at once: a tool that never returned must not hold up the end of the program."""
    probing = sys.modules.get("ptc_studio.runtimes.programs")
    if probing is not None:
        probing.end_probes()
    processes = sys.modules.get("ptc_studio.processes.process_tree")
    if processes is not None:
        processes.release_children()
    for stream in (sys.stdout, sys.stderr):
        # Whoever read it may be gone, or there was nobody from the start.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


def script() -> NoReturn:
    """What the installed command calls."""
    _take_secrets()
    exit_with(main())


def _take_secrets() -> None:
    """Out of the environment, before anything is started that would inherit it."""
    # The window's first paint waits for no module that it does not need.
    if any(name.startswith("PTC_SECRET") for name in os.environ):
        from ptc_studio.storage.secrets import take_secret_variables

        take_secret_variables()


if __name__ == "__main__":
    script()
