"""What the headless commands begin with: reading the script, opening the studio, saying what did not load."""

import asyncio
import contextlib
import json
import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

from ptc_studio.app import Setup, Studio
from ptc_studio.bounded_files import LARGEST, read_bytes
from ptc_studio.cli.terminal import Terminal, asker_for
from ptc_studio.core.codec import encode, safe_repr
from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.registry import is_wild
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.core.tools import LoadError
from ptc_studio.locations import history_file, settings_file
from ptc_studio.storage.history import HistoryRecorder, recorder_for
from ptc_studio.storage.settings import Settings
from ptc_studio.storage.workspace import FILE_NAME

COMPILED_MODULE = b"\0asm"


class UsageError(Exception):
    """The command cannot be carried out as it was given; the message says why."""


def open_studio(options: Namespace, terminal: Terminal, *, on_demand: bool = False) -> Studio:
    """The studio over what the options name; without a name, over this folder if it has a workspace file.

    Whoever names a folder trusts it; in one that is only found nothing is executed unless its user has said so before.
    """
    functions = Path(options.functions) if options.functions else None
    workspace = Path(options.workspace) if options.workspace else None
    setup = Setup(
        workspace,
        functions,
        asker_for(terminal, _given_answers(options)),
        spare_processes=0,
        history=_history(options, terminal),
        on_demand=on_demand,
    )
    if workspace is None and functions is None and Path(FILE_NAME).is_file():
        here = Path.cwd()
        setup = replace(setup, workspace=here, trusted=_trusts(here, terminal))
    studio = Studio(setup)
    studio.secrets.passphrase.ask = terminal.passphrase_asker()
    terminal.hide = lambda text: str(studio.executor.redactor.text(text, "message").value)
    return studio


def _given_answers(options: Namespace) -> dict[str, Any]:
    """`--elicit NAME=JSON`"""
    answers: dict[str, Any] = {}
    for text in getattr(options, "elicit", None) or ():
        name, _, value = text.partition("=")
        try:
            answers[name] = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"--elicit {name} needs NAME=JSON, and this is none: {error}") from None
    return answers


async def close_studio(studio: Studio, options: Namespace, terminal: Terminal) -> None:
    """Ends it; tells before that what went to and from its servers, if that was asked for."""
    if options.mcp_log:
        redactor = studio.executor.redactor
        for loaded in studio.source_set.loaded_sources:
            log = getattr(loaded.source, "messages", None)
            for message in log.messages if log is not None else ():
                terminal.write_error(f"{loaded.name} {message.line(redactor)}\n")
    await studio.close()


def _history(options: Namespace, terminal: Terminal) -> HistoryRecorder | None:
    """What keeps the runs of commands that can be told not to."""
    if getattr(options, "no_history", True):
        return None
    return recorder_for(Settings(settings_file()), history_file(), terminal.complain)


def _trusts(folder: Path, terminal: Terminal) -> bool:
    """What the user has said of a folder that was only found; asks him if he is there."""
    settings = Settings(settings_file())
    trusted = settings.trusts(folder)
    if trusted is None and terminal.interactive:
        reply = terminal.ask(f"Trust the folder {folder}, whose tools run with your rights? [y]es, [N]o: ")
        trusted = reply.strip().lower() in ("y", "yes")
        settings.set_trust(folder, trusted)
    if not trusted:
        terminal.complain(
            f"The tools of {folder} are not loaded, for the folder is not trusted: name it with --workspace "
            f"{quote(str(folder))}, or run ptc-studio trust {quote(str(folder))}."
        )
    return bool(trusted)


def read_script(name: str) -> Script:
    """The script of that name, or standard input."""
    path = Path(name)
    try:
        text = _standard_input() if name == "-" else read_bytes(path)
        # Names that are not text cannot be told to anybody, least of all to the process of the script.
        directory = None if name == "-" else str(path.resolve().parent)
        f"{name}{directory}".encode()
        # A compiled module is no text: its bytes are the characters of the code.
        code = text.decode("latin-1") if text.startswith(COMPILED_MODULE) else text.decode("utf-8-sig")
        return Script(code, "<stdin>" if name == "-" else name, directory)
    except FileNotFoundError:
        raise UsageError(f"There is no script {name!r}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError(f"The script {name!r} is not UTF-8 text (line {line}).") from None
    except UnicodeEncodeError:
        raise UsageError(f"The script {name!r} has a path that is not UTF-8; rename it.") from None
    except OSError as error:
        raise UsageError(f"The script {name!r} cannot be read: {error.strerror}.") from None


def _standard_input() -> bytes:
    text = sys.stdin.buffer.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise UsageError(f"The script on standard input is larger than {LARGEST:,} bytes; shorten it.")
    return text


def complain_of(errors: Sequence[LoadError], terminal: Terminal, *, scripts: bool = False) -> None:
    """Tells of everything that did not load, and of scripts among the functions if the tools are what is asked for."""
    for error in errors:
        if error.script and not scripts:
            continue
        location = f"{error.file}:{error.line}" if error.line else error.file
        terminal.complain(f"{location}: {error.message}")


def complain_of_vain(names: Sequence[str], studio: Studio, terminal: Terminal) -> None:
    """A name that grants nothing is most likely misspelt, and the script's own error would not tell so."""
    for name in names:
        # What is not loaded may have what a pattern means.
        unknown = is_wild(name) and studio.source_set.waiting
        if name not in studio.file.grants and not unknown and not studio.registry.targets(studio.grant([name])):
            terminal.complain(f"--grant {name}: there is no such tool, alias or grant set")


def stop_on_signals(session: Session) -> None:
    """Has an interrupt cancel the run."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there the run is cancelled with its task.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, session.stop)


def print_json(document: Any, terminal: Terminal) -> None:
    """One JSON document."""
    try:
        text = encode(document).decode()
    except UnserialisableValue:
        # Half a surrogate pair, or what is nested too deeply for the quick way: a document is printed all the same.
        text = json.dumps(document, default=safe_repr)
    terminal.list(text + "\n")
